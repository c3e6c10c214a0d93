"""Where the command starts: before anything heavy is loaded, Ctrl+C already ends it quietly."""

import sys
from importlib import import_module

INTERRUPTED = 130


def main() -> None:
    """Run `bargein`."""
    try:
        import_module("gateway.cli").main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
