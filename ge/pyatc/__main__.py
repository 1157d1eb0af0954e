"""``python3 -m ge.pyatc``: ATC's words in, ATC's exit status out.

Every check and every text is ``main_impl``'s; nothing is parsed here.
"""

import sys

from ge import _engine, _pyatc

_INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it


def main(cmdline_argv0: str | None = None, args: list[str] | None = None) -> None:
    """Run one ATC command line and leave with its exit status.

    Args:
        cmdline_argv0: How the program was started, for the usage text; the absolute path of the
            wrapper ``pyatc``, or ``None`` for ``python3 -m ge.pyatc``.
        args: The words after the program; ``None``: those of ``sys.argv``.

    Raises:
        SystemExit: Always. ``code`` is ATC's status (0, or 255 after a failure), 130 after
            Ctrl-C, or a text when the engine's library cannot be opened.
    """
    argv0 = cmdline_argv0 or f"{sys.executable} -m ge.pyatc"
    words = sys.argv[1:] if args is None else args
    engine = _engine.current
    try:
        # CANN's plug-ins expect to see the symbols of the library that CANN starts from.
        status = _pyatc.run(engine.wrapper, [argv0, *words], global_symbols=engine.name == "cann")
    except OSError as error:
        sys.exit(f"pyatc: {error}")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    sys.exit(status & 0xFF)


if __name__ == "__main__":
    main()
