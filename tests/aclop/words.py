"""Short words for the tests of single operators."""

import itertools

from ge import aclop
from ge._aclop import NULL_POINTER, build_count, compile_only
from ge.aclop import TensorDesc

NULL = NULL_POINTER
HOST, HOST_INDEPENDENT = 1, 2
_numbers = itertools.count(1000)


def d(*dims, dtype="float16", **fields):
    """A tensor of format ND; float16 unless it says otherwise."""
    return TensorDesc(dtype, dims, **fields)


def fresh():
    """A dim that no other test has used, so that no other test's operator is found."""
    return next(_numbers)


def code(function, *args, **kwargs):
    """The code of a call: 0, or that of its error."""
    try:
        function(*args, **kwargs)
    except aclop.AclError as error:
        return error.code
    return 0


def built(function, *args, **kwargs):
    """How many operators a call builds; it must succeed."""
    before = build_count()
    function(*args, **kwargs)
    return build_count() - before


def compile_code(op_type, inputs, outputs, attrs=None, **kwargs):
    return code(compile_only, op_type, inputs, outputs, attrs, **kwargs)


def execute_code(op_type, inputs, outputs, attrs=None, **kwargs):
    """The code of a run; a description alone gets memory of its size."""
    return code(aclop.execute, op_type, with_memory(inputs), with_memory(outputs), attrs, **kwargs)


def with_memory(rows):
    """Add memory to descriptions that have none."""
    made = []
    for row in rows:
        if isinstance(row, TensorDesc):
            # As bytes of twice the size where dims are not known, to get past the checks of Python.
            row = (row, bytearray(row.nbytes))
        made.append(row)
    return made


def found(compiled, asked):
    """The code of a look-up with the arguments `asked` after a compile with `compiled`."""
    assert compile_code(*compiled) == 0
    return execute_code(*asked)
