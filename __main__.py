"""Run the command line as `python -m ruleproof`."""

from .cli.app import main

if __name__ == "__main__":
    main()
