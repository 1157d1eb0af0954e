"""What a pass is told about the compile."""

from collections.abc import Mapping

from ge.error import GeError

__all__ = ["PassContext"]


class PassContext:
    """The compile that a pass takes part in; valid during the call that it is given to."""

    def __init__(self, pass_name: str, options: Mapping[str, str]) -> None:
        self._pass_name = pass_name
        self._options = options
        self._message = ""
        self._valid = True
        self._effects = 0

    def get_pass_name(self) -> str:
        """Return the name that the pass is registered under."""
        self._check()
        return self._pass_name

    def set_pass_name(self, name: str) -> None:
        """Set the name of the pass."""
        self._check()
        self._pass_name = str(name)

    def get_error_message(self) -> str:
        """Return what was set last; empty at first."""
        self._check()
        return self._message

    def set_error_message(self, message: str) -> None:
        """Say what is wrong: the message of the compile when the pass fails."""
        self._check()
        self._message = str(message)

    def get_option_value(self, key: str) -> str:
        """Return an option of the compile, such as ``"ge.socVersion"``.

        Raises:
            ge.error.GeError: (RuntimeError) There is no such option, or it is not set.
        """
        self._check()
        try:
            return self._options[key]
        except KeyError:
            raise GeError(
                f"option [{key}] is not set; set are {', '.join(sorted(self._options))}",
                api_name="PassContext.get_option_value",
            ) from None

    def _check(self) -> None:
        if not self._valid:
            raise GeError(
                "the context was valid for one call, which is over", api_name="PassContext"
            )
