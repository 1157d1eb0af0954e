"""The exception of the graph API: what every failing call raises."""

__all__ = ["GeError", "get_ge_error_msg", "raise_ge_error"]

_last_message = ""


class GeError(RuntimeError):
    """A call of ``ge.graph``, ``ge.es`` or ``ge.passes`` could not do what it was asked for.

    Attributes:
        error_message: What is wrong.
        api_name: The call; may be empty.
        context: More values, by name.
    """

    def __init__(
        self, error_message: str, *, api_name: str = "", context: "dict[str, object] | None" = None
    ) -> None:
        global _last_message
        super().__init__(f"{api_name}: {error_message}" if api_name else error_message)
        self.error_message = error_message
        self.api_name = api_name
        self.context = dict(context or {})
        _last_message = error_message


def get_ge_error_msg() -> str:
    """Return the message of the last :class:`GeError`; empty when there was none."""
    return _last_message


def raise_ge_error(api: str, status: int, **context: object) -> None:
    """Raise a :class:`GeError` for the status of a call.

    Args:
        api: Name of the call.
        status: What it returned; 0 raises nothing.
        context: Values that help to understand it.
    """
    if status != 0:
        raise GeError(f"failed with status {status}", api_name=api, context=context)
