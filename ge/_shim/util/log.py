"""Log calls of operators: they go to the logger ``tbe``."""

import logging

_logger = logging.getLogger("tbe")


def debug(text: str, *args: object) -> None:
    _logger.debug(text, *args)


def info(text: str, *args: object) -> None:
    _logger.info(text, *args)


def warn(text: str, *args: object) -> None:
    _logger.warning(text, *args)


def error(text: str, *args: object) -> None:
    _logger.error(text, *args)


warning, event = warn, info
