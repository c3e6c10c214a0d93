"""Every operation of threads: their log, their pauses, their queue."""

from __future__ import annotations

from gateway.api.rest import models, requests
from gateway.api.rest.operation import WRITE, Operation
from gateway.api.rest.threads import Threads


def thread_operations(threads: Threads) -> list[Operation]:
    """All of them."""
    return [*_threads(threads), *_logs(threads), *_pauses(threads), *_queue(threads)]


def _threads(threads: Threads) -> list[Operation]:
    return [
        Operation(
            id="listThreads",
            method="GET",
            path="/v1/threads",
            summary="The caller's conversations, newest first",
            handler=threads.list,
            query=requests.ThreadsQuery,
            answer=models.Threads,
        ),
        Operation(
            id="getThread",
            method="GET",
            path="/v1/threads/{thread}",
            summary="A conversation as it stands: runs, queue, questions",
            handler=threads.get,
            answer=models.ThreadView,
        ),
        Operation(
            id="deleteThread",
            method="DELETE",
            path="/v1/threads/{thread}",
            summary="Remove a conversation; its run ends",
            handler=threads.delete,
            answer=models.Deleted,
        ),
        Operation(
            id="retryThread",
            method="POST",
            path="/v1/threads/{thread}/retry",
            summary="Run what was interrupted anew; let what failed go on",
            handler=threads.retry,
            body=requests.Wait,
            answer=models.Run,
            statuses=(201, 202),
            errors=WRITE,
            events=True,
            key=True,
        ),
        Operation(
            id="rewindThread",
            method="POST",
            path="/v1/threads/{thread}/rewind",
            summary="Take the last turn back",
            handler=threads.rewind,
            body=requests.Nothing,
            answer=models.Turn,
            errors=WRITE,
        ),
        Operation(
            id="stopThread",
            method="POST",
            path="/v1/threads/{thread}/stop",
            summary="Stop all that is the caller's on a conversation",
            handler=threads.stop,
            body=requests.Nothing,
            answer=models.StoppedThread,
            errors=WRITE,
            key=True,
        ),
    ]


def _logs(threads: Threads) -> list[Operation]:
    return [
        Operation(
            id="listEntries",
            method="GET",
            path="/v1/threads/{thread}/entries",
            summary="The log",
            handler=threads.entries,
            query=requests.EntriesQuery,
            answer=models.Entries,
        ),
        Operation(
            id="listBranches",
            method="GET",
            path="/v1/threads/{thread}/branches",
            summary="The branches of the log",
            handler=threads.branches,
            answer=models.Branches,
        ),
        Operation(
            id="exportThread",
            method="GET",
            path="/v1/threads/{thread}/export",
            summary="Everything that was said, and what became of it",
            handler=threads.export,
            answer=models.Export,
        ),
        Operation(
            id="getInput",
            method="GET",
            path="/v1/threads/{thread}/inputs/{input}",
            summary="One message, and what became of it",
            handler=threads.input,
            answer=models.Input,
        ),
    ]


def _pauses(threads: Threads) -> list[Operation]:
    return [
        Operation(
            id="listPauses",
            method="GET",
            path="/v1/pauses",
            summary="Every question that waits for the caller, or in their conversations",
            handler=threads.pauses,
            answer=models.Pauses,
        ),
        Operation(
            id="listThreadPauses",
            method="GET",
            path="/v1/threads/{thread}/pauses",
            summary="What a conversation waits on",
            handler=threads.thread_pauses,
            answer=models.Pauses,
        ),
        Operation(
            id="cancelThreadPauses",
            method="POST",
            path="/v1/threads/{thread}/pauses/cancel",
            summary="Decline every open question; the run ends",
            handler=threads.cancel_pauses,
            body=requests.Reason,
            answer=models.Cancelled,
            errors=WRITE,
        ),
        Operation(
            id="resumeThread",
            method="POST",
            path="/v1/threads/{thread}/resume",
            summary="Answer questions of a conversation, all of them or none",
            handler=threads.resume,
            body=requests.Resume,
            answer=models.Run,
            errors=(*WRITE, 410),
            events=True,
        ),
    ]


def _queue(threads: Threads) -> list[Operation]:
    return [
        Operation(
            id="getQueue",
            method="GET",
            path="/v1/threads/{thread}/queue",
            summary="What waits",
            handler=threads.queue,
            answer=models.Queue,
        ),
        Operation(
            id="editQueued",
            method="PATCH",
            path="/v1/threads/{thread}/queue/{input}",
            summary="Change the words of a waiting message, or send it at once",
            handler=threads.edit,
            body=requests.EditInput,
            answer=models.Input,
            errors=WRITE,
        ),
        Operation(
            id="dropQueued",
            method="DELETE",
            path="/v1/threads/{thread}/queue/{input}",
            summary="Take a waiting message back",
            handler=threads.drop,
            answer=models.Input,
        ),
    ]
