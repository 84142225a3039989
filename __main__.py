"""The command, also as `python -m ruleproof`: what is set up before anything else is loaded."""

import os
import signal
from types import FrameType


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: nothing has been begun."""
    del number, frame
    os.write(2, b"interrupted\n")
    os._exit(130)


def main() -> None:
    """Run the command line of this process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from .cli.app import main as run  # noqa: PLC0415  (half a second, in which Ctrl-C may come)

    run()


if __name__ == "__main__":
    main()
