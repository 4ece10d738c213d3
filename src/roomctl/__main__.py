"""Start roomctl; answers `--version` before anything is imported."""

import sys


def main() -> None:
    """Run the command line with the process's arguments and exit with its status."""
    if sys.argv[1:] == ["--version"]:
        from roomctl import __version__

        try:
            sys.stdout.write(f"roomctl {__version__}\n")
            sys.stdout.flush()
        except (OSError, AttributeError):  # full, or not open
            sys.stdout = None  # nothing is flushed at exit
            sys.exit(9)
        return
    try:
        from roomctl.cli.main import run
    except KeyboardInterrupt:  # before anything was done
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
