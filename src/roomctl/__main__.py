"""Start roomctl; answers `--version` and `--help` before anything is imported."""

import sys


def main() -> None:
    """Run the command line with the process's arguments and exit with its status."""
    args, text = sys.argv[1:], None
    if args == ["--version"]:
        from roomctl import __version__

        text = f"roomctl {__version__}\n"
    elif not args or args[-1] in ("-h", "--help"):
        from roomctl.prerendered import text_for

        text = text_for(args, 1)
    if text is not None:  # it was known without the command tree
        _print(text)
        return
    try:
        from roomctl.cli.main import run
    except KeyboardInterrupt:  # before anything was done
        sys.exit(130)
    sys.exit(run(args))


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, AttributeError) as error:  # gone, full, or not open
        sys.stdout = None  # nothing is flushed at exit
        sys.exit(141 if isinstance(error, BrokenPipeError) else 9)


if __name__ == "__main__":
    main()
