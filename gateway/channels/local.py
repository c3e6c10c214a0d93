"""The unix socket beside the SQLite file, as its clients know it: where, whose, how to open."""

from __future__ import annotations

import json
import os
import pwd
from pathlib import Path

LOCAL = "local"
"""The channel of everything that speaks the wire protocol: terminals and pages."""
READ_BYTES = 64 * 1024
OPEN = "open"


def socket_path(database: Path) -> Path:
    """Where the socket of this file is."""
    return database.with_name(database.name + ".sock")


def local_user() -> str:
    """The name of the system's user who runs this, or `uid` and the number where it has none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid{os.getuid()}"


def open_frame(protocol: str, principal: str, language: str) -> bytes:
    """The first line of a client that speaks another protocol from then on; it waits for one line
    in answer.
    """
    frame = {"type": OPEN, "protocol": protocol, "principal": principal, "language": language}
    return json.dumps(frame).encode() + b"\n"
