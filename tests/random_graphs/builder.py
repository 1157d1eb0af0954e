"""The pieces of a random ONNX graph: values with bounds, and scopes that nodes are added to.

Every value carries a bound of its magnitude and a bound of the difference that two correct
implementations may show. A value whose difference is 0 is *exact*: operators that jump (Floor,
Less, ArgMax) are only put behind such values, so that every graph has one right result.
"""

import dataclasses
import math

import numpy as np
from hypothesis import strategies as st
from onnx import helper

FLOAT32, FLOAT16 = np.dtype(np.float32), np.dtype(np.float16)
INT64, INT32, BOOL = np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.bool_)
FLOATS, INTEGERS = (FLOAT32, FLOAT16), (INT64, INT32)
NUMBERS = FLOATS + INTEGERS
DTYPES = (*NUMBERS, BOOL)
# One rounding, with room for sums in another order.
EPSILON = {FLOAT32: 2.0**-20, FLOAT16: 2.0**-9}
LARGEST = {FLOAT32: 1e6, FLOAT16: 2e4, INT64: 2**40, INT32: 2**24, BOOL: 1}

ODD_NAMES = ["x:0", "a b", "é", "名前", 'q"', "a/b", "-", "a.b", "{}", "%s", "\\", "'", "a,b", "$"]


def elem_type(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of a graph; scopes that can see it may read it."""

    name: str
    dtype: np.dtype
    shape: tuple
    bound: float
    error: float = 0.0
    computed: bool = True  # by a node, or handed to the graph of one

    @property
    def exact(self):
        return self.error == 0

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    def info(self):
        return helper.make_tensor_value_info(self.name, elem_type(self.dtype), self.shape)


@dataclasses.dataclass(frozen=True)
class Leaf:
    """An input or a constant with its elements."""

    value: Value
    array: np.ndarray
    kind: str  # "input", "data" (a constant), or "shape": a constant that shapes depend on


class MisfitError(Exception):
    """The operator that was drawn does not fit what is there."""


class Scope:
    """A graph while it is built; ``outer`` is the scope around a branch or a body."""

    def __init__(self, draw, outer=None, least_trips=0):
        self.draw = draw
        self.outer = outer
        self.root = outer.root if outer else self
        self.nodes = []
        self.values = []
        self.depth = outer.depth + 1 if outer else 0
        if outer is None:
            self.leaves = []
            self.least_trips = least_trips
            self.count = 0
            self.opset = draw(st.sampled_from([13, 17, 21]))
            self.odd = draw(st.sampled_from([False, False, True]))
            self.node_names = draw(st.sampled_from(["unique", "none", "same"]))

    # Choices.

    def integer(self, low, high):
        return self.draw(st.integers(low, high))

    def flag(self):
        return self.draw(st.booleans())

    def one_of(self, choices):
        return self.draw(st.sampled_from(list(choices)))

    def some_of(self, choices, least=0, most=None):
        if not choices:
            return []
        return self.draw(
            st.lists(st.sampled_from(list(choices)), min_size=least, max_size=most, unique=True)
        )

    def dim(self):
        return self.draw(st.sampled_from([3, 2, 4, 1, 5, 2, 3, 1, 0, 8]))

    def shape(self, low=0, high=4):
        return tuple(self.dim() for _ in range(self.integer(low, high)))

    def name(self):
        root = self.root
        root.count += 1
        if not root.odd:
            return f"t{root.count}"
        return f"{ODD_NAMES[root.count % len(ODD_NAMES)]}{root.count // len(ODD_NAMES) or ''}"

    # Values.

    def visible(self):
        return (self.outer.visible() if self.outer else []) + self.values

    def leaf(self, array, kind, bound=None):
        """A new input or constant of the whole model."""
        array = np.asarray(array)
        if bound is None:
            bound = float(np.abs(array.astype(np.float64)).max(initial=0))
        value = Value(self.name(), array.dtype, array.shape, bound, computed=False)
        self.root.leaves.append(Leaf(value, array, kind))
        if kind != "shape":
            self.root.values.append(value)
        return value

    def constant(self, values, dtype=np.int64):
        """A constant that shapes depend on."""
        return self.leaf(np.array(values, dtype), "shape")

    def random(self, dtype, shape, low=-4, high=4):
        """Elements of a coarse grid, so that short sums of products have no rounding."""
        rng = np.random.default_rng(self.integer(0, 999))
        if dtype == BOOL:
            return rng.integers(0, 2, shape).astype(bool)
        scale = 2 if dtype in FLOATS else 1
        array = rng.integers(math.ceil(low * scale), math.floor(high * scale) + 1, shape)
        return (array / scale).astype(dtype) if scale != 1 else array.astype(dtype)

    def new(self, dtype, shape, low=-4, high=4):
        """A new input or constant with random elements."""
        kind = self.one_of(["data", "input"])
        bound = 1 if dtype == BOOL else max(abs(low), abs(high))
        return self.leaf(self.random(dtype, shape, low, high), kind, bound)

    def weight(self, dtype, shape, low=-2, high=2):
        """As ``new``, but mostly a constant."""
        kind = self.one_of(["data", "data", "data", "input"])
        return self.leaf(self.random(dtype, shape, low, high), kind, max(abs(low), abs(high)))

    def pick(self, accepts, dtypes=FLOATS, ranks=(0, 4), bound=math.inf, exact=False, full=False):
        """A value there is, or a new one, for which ``accepts`` holds; ``full``: it has elements.

        Values of which only a rough result is known are left alone.
        """

        def fits(value):
            return (
                value.dtype in dtypes
                and ranks[0] <= value.rank <= ranks[1]
                and value.bound <= bound
                and (value.exact if exact else value.error <= 0.02)
                and not (full and value.size == 0)
                and accepts(value)
            )

        found = [value for value in self.visible() if fits(value)]
        if found and self.integer(0, 7):
            return found[-1 - self.integer(0, len(found) - 1)]
        dtype = self.one_of(dtypes)
        shape = self.shape(*ranks)
        if full:
            shape = tuple(max(dim, 1) for dim in shape)
        value = self.new(dtype, shape)
        if fits(value):
            return value
        if found:
            return found[-1]
        raise MisfitError

    def any(self, **conditions):
        return self.pick(lambda value: True, **conditions)

    def operand(self, dtype, shape, bound=math.inf, low=-4, high=4):
        """A value of exactly this type, there already or new."""
        shape = tuple(shape)
        found = [
            value
            for value in self.visible()
            if (value.dtype, value.shape) == (dtype, shape)
            and value.bound <= bound
            and value.error <= 0.02
        ]
        if found and self.integer(0, 3):
            return self.one_of(reversed(found))
        return self.new(dtype, shape, low, high)

    # Nodes.

    def node(self, op_type, inputs, results, **attrs):
        """Add a node; ``results`` are (dtype, shape, bound, error) each; returns the values.

        An input of None is left out, as is a result of None.
        """
        outputs = []
        for result in results:
            if result is None:
                outputs.append(None)
                continue
            dtype, shape, bound, error = result
            dtype = np.dtype(dtype)
            if math.prod(shape) > 4000 or len(shape) > 6 or bound > LARGEST.get(dtype, math.inf):
                raise MisfitError
            outputs.append(Value(self.name(), dtype, tuple(map(int, shape)), float(bound), error))
        names = {"unique": f"node {len(self.nodes)} of {self.root.count}", "same": "node"}
        self.nodes.append(
            helper.make_node(
                op_type,
                [value.name if value else "" for value in inputs],
                [value.name if value else "" for value in outputs],
                name=names.get(self.root.node_names, ""),
                **attrs,
            )
        )
        self.values += [value for value in outputs if value]
        return outputs

    def simple(self, op_type, inputs, shape=None, bound=None, error=None, dtype=None, **attrs):
        """A node of one result, which is like its first input where nothing else is said."""
        first = inputs[0]
        dtype = first.dtype if dtype is None else np.dtype(dtype)
        bound = first.bound if bound is None else bound
        error = first.error if error is None else error
        shape = first.shape if shape is None else shape
        return self.node(op_type, inputs, [(dtype, shape, bound, error)], **attrs)[0]

    def rounded(self, op_type, inputs, shape=None, bound=None, error=0.0, **attrs):
        """As ``simple``, for a result that implementations round differently."""
        bound = inputs[0].bound if bound is None else bound
        error = float(error + EPSILON.get(inputs[0].dtype, 0) * max(bound, 0.01))
        return self.simple(op_type, inputs, shape, bound, error, **attrs)

    def graph(self, name, inputs, outputs):
        return helper.make_graph(
            self.nodes, name, [v.info() for v in inputs], [v.info() for v in outputs]
        )


def attribute_or_input(scope, since, name, values):
    """Axes and the like, which became inputs: (attributes, inputs) for the opset."""
    if scope.root.opset >= since:
        return {}, [scope.constant(values)]
    return {name: values}, []
