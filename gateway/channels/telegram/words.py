"""What only Telegram's channel says."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.i18n import N_

TEXTS: Mapping[str, str] = {
    "ALREADY_TAKEN": N_("Taken already."),
    "ASKED_OF_ANOTHER": N_("Somebody else is asked here."),
    "BUTTON_GONE": N_("This button is not valid any more."),
    "CORRECTION": N_("You changed a message that I am working on."),
    "CORRECTION_BUTTON": N_("Go on with the change"),
    "CORRECTION_TAKEN": N_("Going on with the change."),
    "DOWNLOAD_FAILED": N_(
        "Your file could not be fetched (error {errorId}). Please send it again."
    ),
    "FILE_TOO_BIG": N_("Your file is larger than the 20 MB that a bot may fetch."),
    "NOT_PAIRED": N_(
        "I don't know you yet. Give this code to whoever runs me: {code}\n"
        "It is good for an hour. Your number is {principal}."
    ),
    "NOT_SENT": N_("Not sent: {text}"),
    "NOT_SENT_BUTTON": N_("Send it"),
    "PAIRED": N_("You are let in. What can I do for you?"),
    "PAIR_DONE": N_("Let in: {name} ({principal})."),
    "PAIR_HELP": N_("Write /pair list, /pair approve CODE or /pair revoke NUMBER."),
    "PAIR_NONE": N_("Nobody waits to be let in."),
    "PAIR_OUT": N_("Let out: {name} ({principal})."),
    "REMINDER": N_("Still waiting for your answer ({until} left): {message}"),
    "SENT_AGAIN": N_("Sent."),
    "STOPPED": N_("Stopped."),
    "STOPPING": N_("Stopping…"),
    "TAKEN": N_("Taken: {label}"),
    "TOO_MANY_TRIES": N_("Too many wrong codes; try again in an hour."),
    "UNREADABLE": N_("I can't read this kind of message."),
    "WAITS": N_("Waiting; {place} in the queue."),
    "WHY": N_("Why not? Reply with the reason."),
    "RUN_INTERRUPTED": N_("Interrupted ({reason}). Write /retry to run it again."),
}

PASSING = frozenset(
    {
        "FINISHING_FIRST",
        "HELP",
        "LANG_HELP",
        "LANG_SET",
        "MODE_SET",
        "NEEDS_TEXT",
        "NOTHING_TO_RETRY",
        "NOTHING_TO_STOP",
        "PAIR_HELP",
        "PAIR_LIST",
        "QUESTIONS",
        "QUEUE",
        "QUEUE_HELP",
        "REMINDER",
        "RETRYING",
        "RETRY_BUSY",
        "STATUS",
        "STOPPED",
        "UNDERSTOOD",
        "UNKNOWN_COMMAND",
        "WAITS",
        "WAITS_FOR_SLOT",
        "WHOAMI",
    }
)
"""What accompanies, or can be asked for again: said at most once. All else tells what became of
something, and is said at least once.
"""

BUTTONS: Mapping[str, str] = {
    "approve": N_("Approve"),
    "always": N_("Approve always here"),
    "deny": N_("Deny"),
    "reason": N_("Deny with a reason"),
    "skip": N_("Skip"),
    "done": N_("Done"),
    "stop": N_("Stop"),
    "earlier": N_("‹ Earlier"),
    "more": N_("More ›"),
}

MARKS: Mapping[str, str] = {
    "USER_SIGINT": N_("⏹ stopped"),
    "NOW_PRIORITY_INPUT": N_("⏹ interrupted by a newer message"),
    "": N_("⏹ interrupted"),
}

OUTCOMES: Mapping[str, str] = {
    "answered": N_("✓ {understood}"),
    "approved": N_("✓ Approved"),
    "denied": N_("✗ Denied"),
    "cancelled": N_("✗ Declined"),
    "moved_on": N_("✗ Closed: you went on with something else"),
    "asked_anew": N_("✗ Asked anew below"),
    "undeliverable": N_("✗ Could not be delivered"),
    "expired": N_("✗ Nobody answered in time"),
}
BY = N_("{outcome} ({name})")
ARGUMENTS = N_("With:")
NOT_SHOWN = N_("Characters not shown: {count}")
