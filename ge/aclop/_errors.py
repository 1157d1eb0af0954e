"""What ``ge.aclop`` raises when the core gives a code that is not 0.

    AclError                        .code, .name, .text
    ├── InvalidParamError           (ValueError) 100000: an argument is not right
    ├── RepeatInitializeError       100002: what is done once was done before
    ├── DeserializeModelError       100012: the memory holds no model
    ├── ParseModelError             100013: the size is not that of a model
    ├── ReadModelError              100014: a folder or file of models cannot be read
    ├── ModelMissingAttrError       100016: the model is no single operator
    ├── InputMismatchError          100021: another number of inputs than the handle has
    ├── OutputMismatchError         100022: another number of outputs
    ├── OpNotFoundError             (LookupError) 100024: not compiled; .nearest
    ├── SelectorNotFoundError       (LookupError) 100028: no function chooses kernels of this type
    ├── KernelNotFoundError         (LookupError) 100029: that function chose an unknown kernel
    ├── SelectorExistsError         100030: there is such a function
    ├── KernelExistsError           100031: there is such a kernel
    ├── ExecuteParamError           (ValueError) 145000: a buffer does not fit its description
    ├── InvalidOppPathError         148049: the folder of operator packages is not there
    ├── DynamicOpError              148050: a model with open dims that was built for fixed ones
    ├── NoMemoryError               (MemoryError) 200000
    ├── ApiNotSupportedError        (NotImplementedError) 200001: not possible with this argument
    ├── FeatureNotSupportedError    (NotImplementedError) 200006
    ├── InternalError               (RuntimeError) 500000
    ├── StartError                  (RuntimeError) 500001: the compiler did not start, or no room
    └── CompileError                500002: the operator cannot be compiled, or cannot run

Any other code is an ``AclError`` itself. Numbers and names of codes are those of
``include/acl/error_codes/acl_error_codes.h``.
"""


class AclError(Exception):
    """Base of all that a code of the core becomes.

    Attributes:
        code: The number, such as 100024.
        name: Its name in C, such as ``"ACL_ERROR_OP_NOT_FOUND"``.
        text: What was wrong, what was seen, and what helps.
    """

    code: int
    name: str
    text: str

    def __init__(self, code: int, name: str, text: str) -> None:
        super().__init__(code, name, text)
        self.code = code
        self.name = name
        self.text = text

    def __str__(self) -> str:
        return f"{self.name} ({self.code}): {self.text}"


class NearestOp:
    """The compiled operator that is most like the one that was not found.

    Attributes:
        description: The operator, such as ``"Add(float16 [2,3] ND, ...) -> (...)"``.
        differences: One text per field that differs, with what was asked and what was compiled.
    """

    def __init__(self, description: str, differences: tuple[str, ...]) -> None:
        self.description = description
        self.differences = differences

    def __repr__(self) -> str:
        return f"NearestOp({self.description!r}, {self.differences!r})"


class InvalidParamError(AclError, ValueError):
    """An argument is not right (100000)."""


class RepeatInitializeError(AclError):
    """What can be done once in a process was done before (100002)."""


class DeserializeModelError(AclError):
    """The memory holds no model (100012)."""


class ParseModelError(AclError):
    """The size of the memory is not that of a model (100013)."""


class ReadModelError(AclError):
    """A folder of models, or a file in it, cannot be read (100014)."""


class ModelMissingAttrError(AclError):
    """The model is no single operator (100016)."""


class InputMismatchError(AclError):
    """The number of inputs is not that of the handle (100021)."""


class OutputMismatchError(AclError):
    """The number of outputs is not that of the handle (100022)."""


class OpNotFoundError(AclError, LookupError):
    """No operator that was compiled or loaded is like this one (100024).

    Attributes:
        nearest: The :class:`NearestOp` of the same type; ``None``: there is none of this type.
    """

    nearest: NearestOp | None = None


class SelectorNotFoundError(AclError, LookupError):
    """No function is registered that chooses kernels of this operator (100028)."""


class KernelNotFoundError(AclError, LookupError):
    """The kernel that was chosen is not known (100029)."""


class SelectorExistsError(AclError):
    """A function that chooses kernels of this operator is registered (100030)."""


class KernelExistsError(AclError):
    """A kernel of this operator has this id (100031)."""


class ExecuteParamError(AclError, ValueError):
    """A buffer does not fit its description (145000)."""


class InvalidOppPathError(AclError):
    """The folder of operator packages is not there (148049)."""


class DynamicOpError(AclError):
    """A model with dims that are not known was built for fixed ones (148050)."""


class NoMemoryError(AclError, MemoryError):
    """Memory does not suffice (200000)."""


class ApiNotSupportedError(AclError, NotImplementedError):
    """The function cannot do this with these arguments (200001)."""


class FeatureNotSupportedError(AclError, NotImplementedError):
    """There is no such feature (200006)."""


class InternalError(AclError, RuntimeError):
    """There is no such option (500000)."""


class StartError(AclError, RuntimeError):
    """The compiler could not start, and will not in this process (500001).

    Also an option whose text does not fit the room for it.
    """


class CompileError(AclError):
    """The operator cannot be compiled, or failed on the values it was given (500002)."""


_CLASSES: dict[str, type[AclError]] = {
    "ACL_ERROR_INVALID_PARAM": InvalidParamError,
    "ACL_ERROR_REPEAT_INITIALIZE": RepeatInitializeError,
    "ACL_ERROR_DESERIALIZE_MODEL": DeserializeModelError,
    "ACL_ERROR_PARSE_MODEL": ParseModelError,
    "ACL_ERROR_READ_MODEL_FAILURE": ReadModelError,
    "ACL_ERROR_MODEL_MISSING_ATTR": ModelMissingAttrError,
    "ACL_ERROR_OP_INPUT_NOT_MATCH": InputMismatchError,
    "ACL_ERROR_OP_OUTPUT_NOT_MATCH": OutputMismatchError,
    "ACL_ERROR_OP_NOT_FOUND": OpNotFoundError,
    "ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED": SelectorNotFoundError,
    "ACL_ERROR_KERNEL_NOT_FOUND": KernelNotFoundError,
    "ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED": SelectorExistsError,
    "ACL_ERROR_KERNEL_ALREADY_REGISTERED": KernelExistsError,
    "ACL_ERROR_GE_PARAM_INVALID": ExecuteParamError,
    "ACL_ERROR_INVALID_OPP_PATH": InvalidOppPathError,
    "ACL_ERROR_OP_UNSUPPORTED_DYNAMIC": DynamicOpError,
    "ACL_ERROR_BAD_ALLOC": NoMemoryError,
    "ACL_ERROR_API_NOT_SUPPORT": ApiNotSupportedError,
    "ACL_ERROR_FEATURE_UNSUPPORTED": FeatureNotSupportedError,
    "ACL_ERROR_INTERNAL_ERROR": InternalError,
    "ACL_ERROR_FAILURE": StartError,
    "ACL_ERROR_GE_FAILURE": CompileError,
}


def from_status(
    code: int, name: str, text: str, nearest: tuple[str, tuple[str, ...]] | None
) -> AclError:
    """Return the exception for a code; `nearest` is for an operator that was not found."""
    error = _CLASSES.get(name, AclError)(code, name, text)
    if isinstance(error, OpNotFoundError) and nearest is not None and nearest[0]:
        error.nearest = NearestOp(*nearest)
    return error
