"""``python3 -m ge.doctor``. Exit status: 0 when all is well, 1 when there is something to mend."""

import argparse
import json
import sys


def main(words: list[str] | None = None) -> int:
    """Print the examination of this machine and return the exit status.

    Args:
        words: What follows the program; ``None``: those of ``sys.argv``.

    Raises:
        SystemExit: After ``--help`` (0), and when the words are wrong (2).
    """
    parser = argparse.ArgumentParser(
        prog="python3 -m ge.doctor",
        description="What decides how a compile goes on this machine. Prints no secrets: the"
        " values of known variables only.",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    args = parser.parse_args(words)
    if hasattr(sys.stdout, "reconfigure"):  # names of folders may be any bytes
        sys.stdout.reconfigure(errors="backslashreplace")
    from ge import doctor

    sections = doctor.examine()
    document = doctor.as_json(sections)
    print(json.dumps(document, indent=2) if args.json else doctor.as_text(sections))
    return 1 if document["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
