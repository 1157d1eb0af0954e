"""Log calls of operators: they go to the logger ``tbe``."""


def _log(level: str, text: str, args: tuple[object, ...]) -> None:
    import logging  # takes a while, and few operators log

    getattr(logging.getLogger("tbe"), level)(text, *args)


def debug(text: str, *args: object) -> None:
    _log("debug", text, args)


def info(text: str, *args: object) -> None:
    _log("info", text, args)


def warn(text: str, *args: object) -> None:
    _log("warning", text, args)


def error(text: str, *args: object) -> None:
    _log("error", text, args)


warning, event = warn, info
