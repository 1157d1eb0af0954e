"""What most functions of ``acl.op`` take."""

from __future__ import annotations

from ge._aclop import NULL_POINTER, Attrs, DataBuffer, TensorDesc
from ge.aclop.acl import _memory
from ge.aclop.acl._handles import get_all, get_or_none

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Arguments:
    """The operator, its tensors and attributes, with objects for handles.

    Lists of descriptions may be shorter than those of buffers: what is missing is NULL.
    """

    def __init__(
        self,
        op_type: Any,
        inputs: Any,
        input_buffers: Any,
        outputs: Any,
        output_buffers: Any,
        attr: Any,
    ) -> None:
        if not isinstance(op_type, str):
            raise TypeError(f"op_type is {type(op_type).__name__}, not str")
        self.op_type = op_type
        self.inputs = _rows(inputs, input_buffers, "inputs")
        self.outputs = _rows(outputs, output_buffers, "outputs")
        self.attrs = get_or_none(attr, Attrs)
        # Memory that another thread frees stays until the call is over.
        self.held = _memory.hold([row[1] for row in self.inputs + self.outputs])

    @property
    def tensors(self) -> tuple[str, list[Any], list[Any], Any]:
        return self.op_type, self.inputs, self.outputs, self.attrs


def _rows(descs: Any, buffers: Any, what: str) -> list[tuple[Any, Any]]:
    found = get_all(descs, TensorDesc, f"descriptions of {what}")
    if buffers is None:
        return [(desc, None) for desc in found]
    memory = get_all(buffers, DataBuffer, f"buffers of {what}")
    if len(found) > len(memory):
        raise ValueError(f"{len(found)} descriptions of {what}, but {len(memory)} buffers")
    found += [NULL_POINTER] * (len(memory) - len(found))
    return list(zip(found, memory, strict=True))
