"""What the terminal says in its own words."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.i18n import N_, NN_

WELCOME = N_(
    "Write what you want. /help lists what else you can write. Ctrl+C stops, Ctrl+D leaves."
)
LOST = N_("The server is gone; what you write is sent when it is back.")
BACK = N_("The server is back after {span}.")
LEFT_RUNNING = N_("What runs goes on; come back with the same command.")

ENTER_SEND = N_("Enter: send")
ENTER_ANSWER = N_("Enter: answer the question")
ENTER_OFFLINE = N_("No server for {span}; Enter: send when it is back")
ENTER_WAIT = N_("Enter: wait for your turn")
ENTER: Mapping[str, str] = {
    "steer": N_("Enter: add to what I'm doing"),
    "enqueue": ENTER_WAIT,
    "collect": N_("Enter: wait and be put together with others"),
    "interrupt": N_("Enter: stop and do this instead"),
    "rollback": N_("Enter: undo and do this instead"),
    "reject": N_("Enter: not taken while I work"),
    "parallel": N_("Enter: do this beside it"),
}
CTRL_C = N_("Ctrl+C: stop")
CTRL_C_LEAVE = N_("Ctrl+C: leave")
QUEUE = NN_("{count} waits: {items}", "{count} wait: {items}")

INTERRUPTED = N_("[Interrupted] {why}")
INTERRUPTED_AFTER = NN_(
    "[Interrupted after {count} iteration] {why}", "[Interrupted after {count} iterations] {why}"
)
ABORTED = N_("[Aborted] {why}")
WHY: Mapping[str, str] = {
    "USER_SIGINT": N_("Stopped by you"),
    "NOW_PRIORITY_INPUT": N_("Interrupted by a newer message"),
    "BUDGET_EXCEEDED": N_("It used up what it was allowed"),
    "SYSTEM_SHUTDOWN": N_("The server was stopped"),
    "SESSION_RELEASED": N_("The conversation was ended"),
    "LEASE_LOST": N_("Another server took over"),
    "HOLDER_LOST": N_("Another server took over"),
}
STOPPED_BY = N_("Stopped by somebody else")
MOVED_ON = N_("Ended without an answer")
MAY_STILL_RUN = N_("Stopped waiting for {tools}; it may still be running")
ABANDONED = N_("It did not stop in time")

OUTCOMES: Mapping[str, str] = {
    "steered": N_("joined: {text}"),
    "merged": N_("put together with another: {text}"),
    "returned": N_("not sent: {text}"),
}
DROPPED = N_("taken out: {text}")

ASKS = N_("{tool} asks: {message}")
APPROVE = N_("{tool} wants to run: {message}")
ANSWER_SO = N_("Answer: {form}")
APPROVE_SO = N_("Answer: yes or no (a reason may follow). /skip and /cancel decline.")
DECIDED: Mapping[str, str] = {
    "answered": N_("{message} → {understood}"),
    "approved": N_("{message} → approved"),
    "denied": N_("{message} → denied"),
    "cancelled": N_("{message} → declined"),
    "expired": N_("{message} → nobody answered in time"),
}
CALL_FAILED = N_("{tool} failed: {code}")
NOT_DONE: Mapping[str, str] = {
    "DECLINED": N_("{tool}: not done, its question was closed"),
    "QUESTION_CLOSED": N_("{tool}: not done, its question has no answer"),
    "TOOL_DENIED": N_("{tool}: not done, it was denied"),
    "TOOL_NOT_ALLOWED": N_("{tool}: not done, it isn't allowed here"),
    "APPROVAL_MISMATCH": N_("{tool}: not done, it was approved for something else"),
    "NOT_STARTED": N_("{tool}: not started"),
    "ABORTED_BEFORE_DISPATCH": N_("{tool}: not started"),
    "TOOL_INTERRUPTED": N_("{tool}: stopped"),
    "OUTCOME_UNKNOWN": N_("{tool}: nobody knows how it came out"),
    "TOOL_TIMED_OUT": N_("{tool}: took too long"),
    "TOOL_UNKNOWN": N_("{tool}: there is no such tool"),
    "TOOL_ARGUMENTS_INVALID": N_("{tool}: asked for in a wrong way"),
    "TOOL_RAISED": N_("{tool}: failed"),
    "TOOL_SWALLOWED_PAUSE": N_("{tool}: failed"),
    "TOOL_RESULT_UNSERIALISABLE": N_("{tool}: failed"),
    "TOOL_THREADS_EXHAUSTED": N_("{tool}: too much is running already"),
}
"""What to say of a call that has no result, by its code; others are told with the code."""
STILL_OPEN = N_("The question stays open; answer it with the same command.")
NOT_REACHED = N_("No server answers at {path}.")
