"""Which of a file's messages are its newest: only so many bring its content."""

from gateway.core.messages import (
    AssistantMessage,
    Attachment,
    Message,
    UserMessage,
    newest_attachments,
    sent_later,
)

CAT, DOG = Attachment("c", "image/png", "cat.png"), Attachment("d", "image/png", "dog.png")
TALK: list[Message] = [
    UserMessage("look", attachments=(CAT, DOG)),
    AssistantMessage("a cat"),
    UserMessage("twice", attachments=(CAT, CAT)),
    UserMessage("and this", attachments=(DOG,)),
]


def test_how_often_a_file_was_sent_after_each():
    assert sent_later(TALK) == [(2, 1), (), (1, 0), (0,)]


def test_the_last_messages_files_come_first():
    assert list(newest_attachments(TALK)) == [DOG, CAT, CAT, CAT, DOG]
