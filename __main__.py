"""The command, also as `python -m ruleproof`: what is set up before anything else is loaded."""

import os
import signal
import sys
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
    code = answer(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done
    sys.exit(code)


def answer(args: list[str]) -> int:
    """Answer a command line, from what is kept or anew; give its exit status."""
    from .cli import answers  # noqa: PLC0415  (Ctrl-C may come meanwhile)

    name = answers.name_of(args)
    code = answers.again(name)
    if code is None:
        from .cli.app import run  # noqa: PLC0415  (half a second, which a kept answer spares)

        code = run(args)
        answers.keep(name, code)
    return code


if __name__ == "__main__":
    main()
