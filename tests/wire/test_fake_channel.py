"""The fake keeps what the port promises, so that tests against it mean something."""

from gateway.ports.channel import Channel, Notice, TextRef
from tests.fakes.channel import FakeChannel

REF = TextRef("t", "r", 0)


def test_it_is_a_channel_and_shows_half():
    channel: Channel = FakeChannel()
    channel.show(REF, "four letters", final=False)
    assert channel.shown(REF).text == "four l"


def test_what_is_cut_reveals_nothing_more():
    channel = FakeChannel()
    channel.show(REF, "abcd", final=False)
    assert channel.cut(REF).text == "ab"
    channel.show(REF, "abcdefgh", final=True)
    channel.play(REF)
    assert channel.shown(REF).text == "ab"


def test_a_channel_that_is_not_durable_settles_when_it_played():
    settled: list[TextRef] = []
    channel = FakeChannel(settle=settled.append)
    channel.show(REF, "abcd", final=True)
    assert settled == []
    channel.play(REF)
    assert settled == [REF]
    assert channel.shown(REF).text == "abcd"


def test_codes_tell_what_one_person_was_told():
    channel = FakeChannel()
    channel.tell(Notice("t", "A"))
    channel.tell(Notice("t", "B", to="ann"))
    channel.tell(Notice("t", "C", to="bob"))
    assert channel.codes("ann") == ["A", "B"]
    assert channel.called("tell")[0][0].code == "A"
