"""``python3 -m ge.om``: look at offline models and run them.

Exit status: 0; 1 when the model or the run failed; 2 when the command line is wrong; 130 after
Ctrl-C. A failure is one message on stderr.
"""

import argparse
import os
import sys

from ge.errors import GeError
from ge.om._command_error import CommandError

_INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it


def main(words: list[str] | None = None) -> int:
    """Run one command line and return its exit status.

    Args:
        words: What follows the program; ``None``: those of ``sys.argv``.

    Raises:
        SystemExit: After ``--help`` (0), and when the words are wrong (2).
    """
    parser = _parser()
    args = parser.parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names in a file made by others may be any bytes
            stream.reconfigure(errors="backslashreplace")
    try:
        if args.command == "inspect":
            from ge.om._command_inspect import inspect

            inspect(args)
        else:
            from ge.om._command_run import run

            run(args, parser.error)
        sys.stdout.flush()
    except BrokenPipeError:  # as after `| head`; nothing more is written, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        return _fail(f"{where}{error.strerror or error}")
    except (GeError, CommandError) as error:
        return _fail(str(error))
    except MemoryError:
        return _fail("there is not enough memory")
    return 0


def _fail(message: str) -> int:
    print(f"ge.om: {message}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m ge.om", description="Look at offline models (.om) and run them on the CPU."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="inspect|run")

    inspect = commands.add_parser("inspect", help="show what a model is, takes and gives")
    inspect.add_argument("model", help="an OM file of any maker")
    inspect.add_argument("--graph", action="store_true", help="show every node")
    inspect.add_argument("--json", action="store_true", help="print JSON")

    run = commands.add_parser(
        "run",
        help="run a model",
        epilog="Random values depend on the seed alone: floats are in [0, 1), integers 0 or 1.",
    )
    run.add_argument("model", help="an OM file that the built-in engine made")
    run.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a .npy, .npz or .bin file (raw elements) for an input; FILE.npz alone gives every"
        " input that it has an array for",
    )
    run.add_argument("--random", action="store_true", help="random values for all other inputs")
    run.add_argument("--seed", type=_count_from(0), help="seed of --random; 0 by default")
    run.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=DIMS",
        help="shape of a random or .bin input, such as x=1,3,224,224",
    )
    run.add_argument("--out", metavar="DIR", help="write every output to a file in this folder")
    run.add_argument("--out-format", choices=["npy", "bin"], help="of these files; npy by default")
    run.add_argument(
        "--repeat", type=_count_from(1), default=1, metavar="N", help="run so many times"
    )
    run.add_argument(
        "--threads",
        type=_count_from(1),
        metavar="N",
        help="at most so many threads; by default $GE_NUM_THREADS, else one per CPU",
    )
    run.add_argument("--profile", action="store_true", help="measure every node")
    run.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _count_from(least: int):  # type: ignore[no-untyped-def]  # what argparse wants: str -> int
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


if __name__ == "__main__":
    sys.exit(main())
