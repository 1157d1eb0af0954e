"""Properties of compiling and looking up: error precedence, builds, ageing, ranges, groups."""

import itertools
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest
from aclop.words import HOST, NULL, built, compile_code, d, execute_code, fresh
from hypothesis import given
from hypothesis import strategies as st
from strategies import few

from ge import aclop
from ge._aclop import build_count, compile_only

# What may be wrong with a compile, in the order in which it is looked at.
FAULTS = {
    "flag": 200001,
    "no type": 100000,
    "null input": 100000,
    "null output": 100000,
    "host input": 200001,
    "host output": 200001,
    "no path": 100000,
    "no range": 100000,
    "unknown type": 500002,
}
# And with a compile that runs the operator too; there, tensors may be on the host.
RUN_FAULTS = {
    "flag": 200001,
    "no type": 100000,
    "null input": 100000,
    "null output": 100000,
    "null input buffer": 100000,
    "null output buffer": 100000,
    "no path": 100000,
    "unknown type": 500002,
}
_examples = itertools.count()


def faulty(faults):
    """Arguments of an Add with these faults, and whether buffers are NULL."""
    first, second, y = d(2, 3), d(2, 3), d(2, 3)
    if "no range" in faults:
        second.dims = (-1, 3)
    if "host input" in faults:
        second.placement = HOST
    if "host output" in faults:
        y.placement = HOST
    op_type = "NoSuchOp" if "unknown type" in faults else "Add"
    inputs = [NULL if "null input" in faults else first, second]
    outputs = [NULL if "null output" in faults else y]
    target = {"flag": 1 if "no path" in faults else 0}
    if "flag" in faults:
        target["flag"] = 7
    return NULL if "no type" in faults else op_type, inputs, outputs, target


def first_of(faults, codes):
    return next((code for fault, code in codes.items() if fault in faults), 0)


@given(st.sets(st.sampled_from(sorted(FAULTS))))
def test_the_first_fault_is_reported(faults):
    op_type, inputs, outputs, target = faulty(faults)
    assert compile_code(op_type, inputs, outputs, **target) == first_of(faults, FAULTS)


@given(st.sets(st.sampled_from(sorted(RUN_FAULTS))))
def test_the_first_fault_of_a_run_is_reported(faults):
    op_type, inputs, outputs, target = faulty(faults)
    x = NULL if "null input buffer" in faults else bytes(12)
    y = NULL if "null output buffer" in faults else bytearray(12)
    rows = [(inputs[0], bytes(12)), (inputs[1], x)], [(outputs[0], y)]
    try:
        aclop.compile_and_execute(op_type, *rows, **target)
        code = 0
    except aclop.AclError as error:
        code = error.code
    assert code == first_of(faults, RUN_FAULTS)


@few
@given(st.integers(1, 4), st.sampled_from(["Add", "Mul", "Maximum"]))
def test_one_build_however_often_it_is_compiled(times, op_type):
    x = d(fresh(), 2)
    assert built(lambda: [compile_only(op_type, [x, x], [x]) for _ in range(times)]) == 1


@few
@given(st.integers(1, 4), st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_the_operators_that_were_used_last_are_kept(limit, uses):
    n, kept = fresh(), OrderedDict()
    aclop.set_max_op_queue_num(limit)
    try:
        for which in uses:
            desc = d(n, which + 1)
            assert built(compile_only, "Relu", [desc], [desc]) == (which not in kept)
            kept[which] = True
            kept.move_to_end(which)
            if len(kept) > limit:
                kept.popitem(last=False)
        for which in range(6):
            desc = d(n, which + 1)
            assert execute_code("Relu", [desc], [desc]) == (0 if which in kept else 100024)
    finally:
        aclop.set_max_op_queue_num(20000)


BOUNDS = st.tuples(st.integers(0, 6), st.none() | st.integers(0, 6)).map(
    lambda pair: (pair[0], None if pair[1] is None else pair[0] + pair[1])
)
# A dim: its size, or -1 with a range.
DIMS = st.one_of(
    st.integers(0, 12).map(lambda dim: (dim, (dim, dim))), BOUNDS.map(lambda b: (-1, b))
)


def is_within(asked, kept):
    """Whether a range lies in another one."""
    least, most = asked
    if kept[1] is None:
        return least >= kept[0]
    return most is not None and least >= kept[0] and most <= kept[1]


def relu(dims, example):
    """Arguments of a Relu with ranges; the attribute keeps examples apart."""
    sizes = [dim for dim, _ in dims]
    ranges = [bounds for _, bounds in dims] if -1 in sizes else None
    return "Relu", [d(*sizes, shape_range=ranges)], [d(*sizes)], {"example": example}


@given(st.lists(BOUNDS, min_size=1, max_size=3), st.lists(DIMS, min_size=1, max_size=3))
def test_an_operator_for_ranges_serves_what_lies_in_them(record, asked):
    example = next(_examples)
    compile_only(*relu([(-1, bounds) for bounds in record], example))
    fits = len(asked) == len(record) and all(
        is_within(bounds, kept) for (_, bounds), kept in zip(asked, record, strict=True)
    )
    before = build_count()
    compile_only(*relu(asked, example))
    assert build_count() - before == (not fits)


@given(
    st.lists(BOUNDS, min_size=1, max_size=3), st.lists(st.integers(0, 12), min_size=3, max_size=3)
)
def test_a_run_takes_sizes_that_lie_in_the_ranges(record, sizes):
    example = next(_examples)
    sizes = sizes[: len(record)]
    compile_only(*relu([(-1, bounds) for bounds in record], example))
    desc = d(*sizes)
    fits = all(is_within((n, n), kept) for n, kept in zip(sizes, record, strict=True))
    wanted = 0 if fits or 0 in sizes else 100024  # what has no elements is not looked up
    assert execute_code("Relu", [desc], [desc], {"example": example}) == wanted


@given(st.lists(st.sampled_from(["", "x", "y", "z"]), min_size=1, max_size=6))
def test_a_dynamic_input_is_one_run_of_a_name(names):
    n = fresh()
    inputs = [d(1, n, dynamic_input=name) for name in names]
    code = compile_code("ConcatD", inputs, [d(len(names), n)], {"concat_dim": 0})
    runs = [name for name, _ in itertools.groupby(names) if name]
    torn = len(set(runs)) < len(runs)
    assert (code == 100000) == torn
    if set(names) == {"x"}:
        assert code == 0


def test_many_threads_build_one_operator():
    x = d(fresh(), 5)
    with ThreadPoolExecutor(8) as pool:
        assert (
            built(lambda: list(pool.map(lambda _: compile_only("Add", [x, x], [x]), range(64))))
            == 1
        )


def test_the_engine_does_not_count():
    x = d(fresh(), 2)
    assert built(compile_only, "Add", [x, x], [x]) == 1
    assert built(compile_only, "Add", [x, x], [x], engine=1) == 0


def test_an_unknown_operator_has_a_hint():
    with pytest.raises(aclop.CompileError, match="did you mean Relu"):
        aclop.compile("Rellu", [d(2)], [d(2)])
