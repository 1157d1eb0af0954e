"""ge._graph: the graph of a compile, or one of its own, as Python sees it.

A view reaches its graph through the object that owns or lends it, and its node by name, so that a
view that is kept too long raises an exception and reaches nothing.
"""

import json

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from cython.operator cimport dereference as deref
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.string cimport string
from libcpp.utility cimport move
from libcpp.vector cimport vector

from core cimport DataType as CoreType
from core cimport Status
from graph cimport (
    Attr, AttrBool, AttrBools, AttrFloat, AttrFloats, AttrInt, AttrInts, AttrLists, AttrText,
    AttrTexts, AttrType, BeginReplacing, Buffer, FindPlaceBetween, FindPlaces, FinishReplacing,
    Format, GraphAsText, InferGraph, InferReplacement, IntSpan, IsBuilt, IsStillThere, MatchRules,
    OpPrototypeAsJson, OpTypes, PlaceOfNode, Port, ReadAttr, Removal, ReplaceAt,
    ReplacingClosesCycle, TensorShape, Use, UseSpan, Value,
)
from graph cimport Graph as CoreGraph
from graph cimport Node as CoreNode
from graph cimport Place as CorePlace
from status cimport problems_of

from ge.error import GeError

ctypedef vector[int64_t] Ints

# Kinds of attributes, by the names of the prototypes, in the order of the alternatives of an Attr.
cdef tuple KINDS = (
    "Bool", "Int", "Float", "String", "Type", "ListBool", "ListInt", "ListFloat", "ListString",
    "ListListInt",
)


def op_types():
    """Return the types of operators that have a prototype."""
    cdef vector[string] types = OpTypes()
    return [types[i].decode() for i in range(types.size())]


def op_prototype(str op_type):
    """Return the prototype of an operator: see OpPrototypeAsJson in core/api/graph.h; or None."""
    cdef string name = op_type.encode()
    return json.loads(OpPrototypeAsJson(name).decode())


def is_built(str op_type):
    """Return whether this engine can compile an operator."""
    cdef string name = op_type.encode()
    return IsBuilt(name)


cdef fail(str api, str message):
    raise GeError(message, api_name=api)


cdef class Graph:
    """A graph of GE operators: one that is being compiled, one of its branches, or an own one.

    Args:
        name: Of the new, empty graph.

    The graph that a pass is given is lent to it, and so are its nodes: once the pass returned, each
    use of them raises :class:`ge.error.GeError`. So does the use of a graph that was handed over
    as a pattern or as a replacement, and of a node that was removed.

    The inputs (``Data``) and outputs (``NetOutput``) of a graph that is being compiled stay as they
    are. There are no control edges, and attributes belong to nodes only.
    """

    cdef CoreGraph* own
    cdef object capsule  # of a graph that is lent
    cdef Graph parent  # of a branch
    cdef string parent_node
    cdef size_t branch
    cdef bint busy  # core code works on it without the GIL
    cdef bint held  # places of it are known by their nodes, which must stay

    def __init__(self, name="graph"):
        cdef string text = (<str>name).encode()
        if self.own == NULL:
            self.own = new CoreGraph(text)

    def __dealloc__(self):
        del self.own

    cdef Graph root(self):
        return self if self.parent is None else self.parent.root()

    cdef CoreGraph* get(self) except NULL:
        """Return the graph, if it may still be used."""
        cdef CoreNode* node
        if self.root().busy:
            fail("Graph", "the graph is being searched or changed by another thread")
        if self.parent is not None:
            node = self.parent.get().Find(self.parent_node)
            if node == NULL or self.branch >= node.subgraphs().size():
                fail("Graph", "the node that this subgraph belongs to is no longer in its graph")
            return node.subgraphs()[self.branch].get()
        if self.capsule is not None:
            if not PyCapsule_IsValid(self.capsule, b"ge.Graph"):
                fail("Graph", "the graph was lent for one call of a pass, which is over")
            return <CoreGraph*>PyCapsule_GetPointer(self.capsule, b"ge.Graph")
        if self.own == NULL:
            fail("Graph", "the graph was handed over (as a pattern or a replacement)")
        return self.own

    cdef check_not_held(self, str api):
        if self.root().held:
            fail(api, "a hook changes no graph: it returns what takes the place of its match")

    def is_valid(self):
        """Return whether the graph may still be used."""
        try:
            self.get()
        except GeError:
            return False
        return True

    def _hand_over(self):
        """Return the graph as another object; this one is no longer valid."""
        cdef Graph other = Graph.__new__(Graph)
        self.get()
        if self.own == NULL:
            fail("Graph", "a graph that is being compiled cannot be handed over")
        other.own = self.own
        self.own = NULL
        return other

    def __repr__(self):
        if not self.is_valid():
            return "<Graph, no longer valid>"
        return f"<Graph {self.name!r}, {self.get().nodes().size()} nodes>"

    @property
    def name(self):
        """Name of the graph."""
        return self.get().name().decode(errors="replace")

    def get_direct_nodes(self):
        """Return the nodes of the graph, those of its subgraphs left out, in the order they run."""
        cdef CoreGraph* graph = self.get()
        return [view(self, graph.nodes()[i].get()) for i in range(graph.nodes().size())]

    def get_all_nodes(self):
        """Return the nodes of the graph and of all its subgraphs."""
        nodes = self.get_direct_nodes()
        for graph in self.get_all_subgraphs():
            nodes += graph.get_direct_nodes()
        return nodes

    def find_node_by_name(self, str name not None):
        """Return the node of that name.

        Raises:
            ge.error.GeError: There is none.
        """
        cdef string text = (<str>name).encode()
        cdef CoreNode* node = self.get().Find(text)
        if node == NULL:
            fail("Graph.find_node_by_name", f"graph [{self.name}] has no node [{name}]")
        return view(self, node)

    def get_all_subgraphs(self):
        """Return branches and bodies of all control-flow nodes, inner ones behind their outer."""
        graphs = []
        for node in self.get_direct_nodes():
            for graph in (<Node>node).subgraphs():
                graphs += [graph, *graph.get_all_subgraphs()]
        return graphs

    def get_subgraph(self, name):
        """Return the subgraph of that name; None when there is none."""
        return next((graph for graph in self.get_all_subgraphs() if graph.name == name), None)

    def add_subgraph(self, *args):
        """Not supported: a pass does not add control flow."""
        fail("Graph.add_subgraph", "a pass cannot add subgraphs with this engine")

    def remove_subgraph(self, *args):
        """Not supported: subgraphs go with their node."""
        fail("Graph.remove_subgraph", "a subgraph goes with its node; remove that one")

    def get_attr(self, str key not None):
        """Not supported: a graph has no attributes."""
        fail("Graph.get_attr", f"graph [{self.name}] has no attribute [{key}]")

    def set_attr(self, str key not None, value):
        """Not supported: a graph has no attributes."""
        fail("Graph.set_attr", "with this engine attributes belong to nodes, not to graphs")

    def remove_node(self, Node node not None):
        """Remove a node. What read it has an unconnected input afterwards."""
        cdef CoreGraph* graph = self.get()
        cdef CoreNode* gone = node.of(self, "Graph.remove_node")
        cdef vector[cbool] dead
        cdef vector[Use] readers
        cdef size_t i
        self.check_not_held("Graph.remove_node")
        if node.type in ("Data", "NetOutput"):
            fail("Graph.remove_node", f"[{node.name}] is an input or the output of [{self.name}]")
        for i in range(gone.output_count()):
            readers = uses_of(gone, i)
            for use in range(readers.size()):
                readers[use].node.SetInput(readers[use].input, Value())
        dead.resize(graph.nodes().size(), False)
        dead[gone.index()] = True
        graph.Remove(dead)

    def add_data_edge(self, Node src not None, int src_port, Node dst not None, int dst_port):
        """Have input ``dst_port`` of ``dst``, which is not connected, read an output of ``src``."""
        cdef CoreNode* producer = src.of(self, "Graph.add_data_edge")
        cdef CoreNode* reader = dst.of(self, "Graph.add_data_edge")
        cdef Value value
        if not 0 <= src_port < <int>producer.output_count():
            fail("Graph.add_data_edge", f"[{src.name}] has no output {src_port}")
        if dst_port < 0 or dst_port > <int>reader.input_count():
            fail("Graph.add_data_edge", f"[{dst.name}] has no input {dst_port}")
        if reader.input(dst_port).node != NULL:
            fail("Graph.add_data_edge", f"input {dst_port} of [{dst.name}] is connected already")
        if dst_port == <int>reader.input_count() and dst.type == "NetOutput":
            fail("Graph.add_data_edge", f"graph [{self.name}] has no output {dst_port}")
        value.node = producer
        value.index = src_port
        if dst_port == <int>reader.input_count():
            reader.AddInput(value)
        else:
            reader.SetInput(dst_port, value)

    def remove_edge(self, Node src not None, int src_port, Node dst not None, int dst_port):
        """Disconnect input ``dst_port`` of ``dst`` from output ``src_port`` of ``src``."""
        cdef CoreNode* producer = src.of(self, "Graph.remove_edge")
        cdef CoreNode* reader = dst.of(self, "Graph.remove_edge")
        cdef Value value
        if dst_port >= 0:
            value = reader.input(dst_port)
        if value.node != producer or value.index != src_port:
            fail(
                "Graph.remove_edge",
                f"input {dst_port} of [{dst.name}] does not read output {src_port} of [{src.name}]",
            )
        reader.SetInput(dst_port, Value())

    def add_control_edge(self, src, dst):
        """Not supported: the order of nodes comes from their data alone."""
        fail("Graph.add_control_edge", "this engine has no control edges")

    def _add_node(self, str op_type, str name, list inputs, int outputs):
        """Append a node and return its name; inputs are ``(name, output)`` or None."""
        cdef CoreGraph* graph = self.get()
        cdef string type_text = op_type.encode(), name_text = name.encode(), producer
        cdef vector[Value] values
        cdef Value value
        for row in inputs:
            value = Value()
            if row is not None:
                producer = (<str>row[0]).encode()
                value.node = graph.Find(producer)
                value.index = row[1]
                if value.node == NULL:
                    fail("GraphBuilder", f"graph [{self.name}] has no node [{row[0]}]")
            values.push_back(value)
        added = graph.Add(type_text, name_text, values, outputs)
        if op_type == "NetOutput":
            for i in range(len(inputs)):
                graph.output_names().push_back(f"output{i}".encode())
        return added.name().decode(errors="replace")

    def _text(self, bint onnx):
        """Return the graph in one of the text forms of a dump."""
        cdef string text
        cdef Status status
        status = GraphAsText(deref(self.get()), onnx, &text)
        if not status.ok():
            fail("Graph.dump_to_file", problems_of(status)[0][1])
        return text.decode(errors="replace")

    def dump_to_stream(self, format=0):
        """Return the graph as text, weights included.

        Args:
            format: ``DumpFormat.kOnnx`` or ``DumpFormat.kTxt``, as ``DUMP_GRAPH_FORMAT=onnx`` and
                ``ge_proto`` have them.
        """
        if format not in (0, 1):
            fail("Graph.dump_to_stream", "kReadable is not supported; take kOnnx or kTxt")
        return self._text(format == 0)

    def dump_to_file(self, format=0, suffix=""):
        """Write the graph to a file of the current folder and return its name.

        Args:
            format: As :meth:`dump_to_stream`.
            suffix: A part of the name: ``ge_onnx_<suffix>.pbtxt``, ``ge_proto_<suffix>.txt``.
        """
        text = self.dump_to_stream(format)
        kind, ending = ("ge_onnx", "pbtxt") if format == 0 else ("ge_proto", "txt")
        path = f"{kind}_{suffix or self.name}.{ending}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def save_to_air(self, path):
        """Not supported."""
        fail("Graph.save_to_air", "AIR files are not supported; dump_to_file writes a text")

    def load_from_air(self, path):
        """Not supported."""
        fail("Graph.load_from_air", "AIR files are not supported")


cdef Graph NO_GRAPH = Graph.__new__(Graph)


cdef Node view(Graph graph, CoreNode* node):
    cdef Node made = Node.__new__(Node)
    made.graph = graph
    made.key = node.name()
    made.kind = node.type()
    return made


cdef vector[Use] uses_of(CoreNode* node, size_t output) except *:
    """Return the readers of an output, by their places in the graph."""
    cdef UseSpan uses = node.uses(output)
    cdef list order = []
    cdef vector[Use] sorted_uses
    cdef size_t i
    for i in range(uses.size()):
        order.append((uses.data()[i].node.index(), uses.data()[i].input, i))
    order.sort()
    for row in order:
        i = row[2]
        sorted_uses.push_back(uses.data()[i])
    return sorted_uses


cdef class Node:
    """A node of a graph: an operator, its attributes and its edges.

    Two views of one node are equal. A node that was removed from its graph has its name and its
    type still, so that a loop over the nodes of before may skip it.
    """

    cdef Graph graph
    cdef string key, kind

    def __cinit__(self):
        self.graph = NO_GRAPH

    def __init__(self):
        raise TypeError("nodes come from a Graph or a GraphBuilder")

    cdef CoreNode* get(self) except NULL:
        cdef CoreNode* node = self.graph.get().Find(self.key)
        if node == NULL:
            fail("Node", f"node [{self.key.decode(errors='replace')}] is no longer in its graph")
        return node

    cdef CoreNode* of(self, Graph graph, str api) except NULL:
        """Return the node if it belongs to `graph`."""
        cdef CoreNode* node = self.get()
        if self.graph.get() != graph.get():
            fail(api, f"node [{self.name}] belongs to another graph than [{graph.name}]")
        return node

    def __repr__(self):
        try:
            return f"<Node {self.name!r} of type {self.type}>"
        except GeError:
            return f"<Node {self.key.decode(errors='replace')!r}, no longer valid>"

    def __eq__(self, other):
        if not isinstance(other, Node):
            return NotImplemented
        try:
            return self.get() == (<Node>other).get()
        except GeError:
            return self is other

    def __hash__(self):
        return hash(<bytes>self.key)

    @property
    def name(self):
        """Name of the node, unique in its graph."""
        self.graph.get()
        return self.key.decode(errors="replace")

    @property
    def type(self):
        """Type of the operator: ``"Conv2D"``."""
        self.graph.get()
        return self.kind.decode(errors="replace")

    def subgraphs(self):
        """Return the branches or bodies of a control-flow node."""
        graphs = []
        for i in range(self.get().subgraphs().size()):
            branch = <Graph>Graph.__new__(Graph)
            branch.parent = self.graph
            branch.parent_node = self.key
            branch.branch = i
            graphs.append(branch)
        return graphs

    def get_inputs_size(self):
        """Return how many inputs the node has; optional ones in between that are left out count."""
        return self.get().input_count()

    def get_outputs_size(self):
        """Return how many outputs the node has."""
        return self.get().output_count()

    def get_in_data_nodes_and_port_indexes(self, int index):
        """Return the node, and the number of its output, that an input reads.

        Raises:
            ge.error.GeError: The input is not connected.
        """
        cdef Value value
        if index >= 0:
            value = self.get().input(index)
        if value.node == NULL:
            fail(
                "Node.get_in_data_nodes_and_port_indexes",
                f"input {index} of [{self.name}] reads nothing",
            )
        return view(self.graph, value.node), value.index

    def get_out_data_nodes_and_port_indexes(self, int index):
        """Return the nodes that read an output, each with the number of its input."""
        self.check_output(index, "Node.get_out_data_nodes_and_port_indexes")
        cdef vector[Use] uses = uses_of(self.get(), index)
        return [(view(self.graph, uses[i].node), uses[i].input) for i in range(uses.size())]

    def get_in_control_nodes(self):
        """Return []: there are no control edges."""
        self.get()
        return []

    def get_out_control_nodes(self):
        """Return []: there are no control edges."""
        self.get()
        return []

    def has_attr(self, str key not None):
        """Return whether the node, or the prototype of its type, has a value for an attribute."""
        cdef string text = (<str>key).encode()
        cdef Attr attr
        is_value = key == "value" and self.get().is_const()
        return is_value or ReadAttr(deref(self.get()), text, &attr)

    def get_attr(self, str key not None):
        """Return an attribute, or the default of the operator's prototype.

        ``value`` of a ``Const`` is a :class:`ge.graph.Tensor`.

        Raises:
            ge.error.GeError: There is no such attribute.
        """
        cdef string text = (<str>key).encode()
        cdef Attr attr
        if key == "value" and self.get().is_const():
            return self.const_tensor()
        if not ReadAttr(deref(self.get()), text, &attr):
            fail("Node.get_attr", f"[{self.name}] of type {self.type} has no attribute [{key}]")
        return attr_value(attr)

    def set_attr(self, str key not None, value):
        """Set an attribute: a bool, int, float, str, DataType, or a list; a Tensor for a Const."""
        cdef string text = (<str>key).encode()
        cdef CoreNode* node = self.get()
        if key == "value" and node.is_const():
            self.set_const(value)
            return
        if self.type in ("Data", "NetOutput") and self.graph.root().capsule is not None:
            fail("Node.set_attr", f"[{self.name}] is an input or the output of the model")
        kind = kind_of_attr(self.type, key, value)
        try:
            node.attrs().Set(text, attr_of(kind, value))
        except (AttributeError, TypeError, ValueError, OverflowError) as error:
            fail(
                "Node.set_attr",
                f"attribute [{key}] of [{self.name}] is {value!r}, which is no {kind}: {error}",
            )

    def get_input_attr(self, key, index):
        """Not supported: attributes belong to nodes."""
        fail("Node.get_input_attr", f"input {index} of [{self.name}] has no attribute [{key}]")

    def set_input_attr(self, key, index, value):
        """Not supported: attributes belong to nodes."""
        fail("Node.set_input_attr", "with this engine attributes belong to nodes, not to inputs")

    def get_output_attr(self, key, index):
        """Not supported: attributes belong to nodes."""
        fail("Node.get_output_attr", f"output {index} of [{self.name}] has no attribute [{key}]")

    def set_output_attr(self, key, index, value):
        """Not supported: attributes belong to nodes."""
        fail("Node.set_output_attr", "with this engine attributes belong to nodes, not to outputs")

    def get_input_desc(self, int index):
        """Return what an input reads, as a :class:`ge.graph.TensorDesc`."""
        node, port = self.get_in_data_nodes_and_port_indexes(index)
        return node.get_output_desc(port)

    def get_output_desc(self, int index):
        """Return what an output gives, as a :class:`ge.graph.TensorDesc`."""
        from ge.graph import DataType, Format, TensorDesc

        self.check_output(index, "Node.get_output_desc")
        cdef CoreNode* node = self.get()
        cdef IntSpan dims = node.output(index).shape.dims()
        return TensorDesc(
            [dims.data()[i] for i in range(dims.size())],
            Format(<int>node.output(index).format),
            DataType(<int>node.output(index).dtype),
        )

    def update_input_desc(self, int index, desc):
        """Say what an input reads, which must be what it reads: the producer decides."""
        if self.get_input_desc(index) != desc:
            node, port = self.get_in_data_nodes_and_port_indexes(index)
            fail(
                "Node.update_input_desc",
                f"input {index} of [{self.name}] reads output {port} of [{node.name}], which"
                " decides what it is: update_output_desc",
            )

    def update_output_desc(self, int index, desc):
        """Say what an output is. For operators with a shape rule the rule has the last word."""
        cdef CoreNode* node = self.get()
        cdef vector[int64_t] dims = list(desc.get_shape())
        self.check_output(index, "Node.update_output_desc")
        if self.type == "Data" and self.graph.root().capsule is not None:
            if self.get_output_desc(index) != desc:
                fail("Node.update_output_desc", f"[{self.name}] is an input of the model")
            return
        node.output(index).dtype = <CoreType><int>desc.get_data_type()
        node.output(index).format = <Format><int>desc.get_format()
        node.output(index).shape = TensorShape(IntSpan(dims.data(), dims.size()))

    cdef check_output(self, int index, str api):
        if not 0 <= index < <int>self.get().output_count():
            fail(api, f"[{self.name}] of type {self.type} has no output {index}")

    cdef const_tensor(self):
        from ge.graph import DataType, Format, Tensor

        cdef CoreNode* node = self.get()
        cdef IntSpan dims = node.output(0).shape.dims()
        content = node.value().bytes()
        return Tensor._from_bytes(
            <bytes>(<const char*>content.data())[:content.size()],
            DataType(<int>node.value_dtype()),
            Format(<int>node.output(0).format),
            [dims.data()[i] for i in range(dims.size())],
        )

    cdef set_const(self, tensor):
        cdef CoreNode* node = self.get()
        cdef vector[int64_t] dims = list(tensor.shape)
        cdef bytes content = tensor._to_bytes()
        cdef vector[uint8_t] memory
        cdef const uint8_t* start = <const uint8_t*><const char*>content
        memory.assign(start, start + len(content))
        node.SetValue(Buffer.Own(move(memory)))
        node.output(0).dtype = <CoreType><int>tensor.data_type
        node.output(0).format = <Format><int>tensor.format
        node.output(0).shape = TensorShape(IntSpan(dims.data(), dims.size()))


cdef str kind_of_attr(str op_type, str key, value):
    """Return the kind that the prototype has for an attribute, or that of the value."""
    prototype = op_prototype(op_type)
    for row in prototype["attrs"] if prototype else ():
        if row["name"] == key:
            # The front end keeps lists of types as numbers.
            return "ListInt" if row["type"] == "ListType" else row["type"]
    return kind_of_value(value)


cdef str kind_of_value(value):
    from ge.graph import DataType

    if isinstance(value, bool):
        return "Bool"
    if isinstance(value, DataType):
        return "Type"
    if isinstance(value, str):
        return "String"
    if isinstance(value, list | tuple):
        kinds = {kind_of_value(item) for item in value} or {"Int"}
        if kinds == {"Int", "Float"}:
            return "ListFloat"
        return "List" + kinds.pop() if len(kinds) == 1 else "of one kind"
    return "Float" if hasattr(value, "__float__") and not hasattr(value, "__index__") else "Int"


cdef Attr attr_of(str kind, value) except *:
    cdef Attr attr
    cdef vector[cbool] bools
    cdef Ints ints
    cdef vector[float] floats
    cdef vector[string] texts
    cdef vector[Ints] lists
    if kind == "Bool":
        if not isinstance(value, bool | int):
            raise TypeError("a bool is needed")
        attr = <cbool>bool(value)
    elif kind == "Int":
        attr = <int64_t>value.__index__()
    elif kind == "Float":
        attr = <float>value
    elif kind == "String":
        attr = <string>(<str>value).encode()
    elif kind == "Type":
        attr = <CoreType><int>value
    elif kind == "ListBool":
        for item in value:
            bools.push_back(bool(item))
        attr = bools
    elif kind == "ListInt":
        ints = list(value)
        attr = ints
    elif kind == "ListFloat":
        floats = list(value)
        attr = floats
    elif kind == "ListString":
        for item in value:
            texts.push_back((<str>item).encode())
        attr = texts
    elif kind == "ListListInt":
        for item in value:
            ints = list(item)
            lists.push_back(ints)
        attr = lists
    else:
        raise TypeError("this kind of attribute is not supported")
    return attr


cdef attr_value(const Attr& attr):
    from ge.graph import DataType

    kind = KINDS[attr.index()]
    if kind == "Bool":
        return bool(AttrBool(attr))
    if kind == "Int":
        return AttrInt(attr)
    if kind == "Float":
        return AttrFloat(attr)
    if kind == "String":
        return AttrText(attr).decode(errors="replace")
    if kind == "Type":
        return DataType(<int>AttrType(attr))
    if kind == "ListBool":
        return [bool(AttrBools(attr)[i]) for i in range(AttrBools(attr).size())]
    if kind == "ListInt":
        return [AttrInts(attr)[i] for i in range(AttrInts(attr).size())]
    if kind == "ListFloat":
        return [AttrFloats(attr)[i] for i in range(AttrFloats(attr).size())]
    if kind == "ListString":
        return [
            AttrTexts(attr)[i].decode(errors="replace")
            for i in range(AttrTexts(attr).size())
        ]
    return [list(AttrLists(attr)[i]) for i in range(AttrLists(attr).size())]


def lent_graph(capsule):
    """Return the graph that the core lends for one call, by its capsule."""
    cdef Graph graph = Graph.__new__(Graph)
    graph.capsule = capsule
    return graph


cdef class Place:
    """A part of a graph that another graph can take the place of."""

    cdef Graph graph
    cdef CorePlace core

    cdef CorePlace* get(self) except NULL:
        self.graph.get()
        return &self.core

    def in_graph(self):
        """Return the graph that it is a part of."""
        self.get()
        return self.graph

    def nodes(self):
        """Return its nodes: one per node of the pattern, ``Data`` left out."""
        self.get()
        return [view(self.graph, self.core.nodes[i]) for i in range(self.core.nodes.size())]

    def input(self, size_t index):
        """Return the node and the number of its output that enter there; None: nothing reads it."""
        cdef Value value
        self.get()
        if index < self.core.inputs.size():
            value = self.core.inputs[index].value()
        return None if value.node == NULL else (view(self.graph, value.node), value.index)


def find_places(Graph pattern not None, Graph graph not None, bint const_values, bint attrs):
    """Return the places of `graph` that look like `pattern`: see core/rewrite/match.h."""
    cdef vector[CorePlace] places
    cdef CoreGraph* target = graph.get()
    cdef CoreGraph* searched = pattern.get()
    cdef Graph root = graph.root()
    cdef MatchRules rules
    cdef string fault
    cdef Place place
    rules.const_values = const_values
    rules.attrs = attrs
    if not searched.SortTopologically():
        fail("Pattern", f"pattern [{pattern.name}] cannot match: its nodes form a cycle")
    root.busy = True
    try:
        with nogil:
            fault = FindPlaces(deref(searched), deref(target), rules, &places)
    finally:
        root.busy = False
    if not fault.empty():
        fail("Pattern", f"pattern [{pattern.name}] cannot match: {fault.decode(errors='replace')}")
    found = []
    for i in range(places.size()):
        place = Place.__new__(Place)
        place.graph = graph
        place.core = places[i]
        found.append(place)
    return found


def place_of_node(Node node not None):
    """Return the place of one node."""
    cdef Place place = Place.__new__(Place)
    place.graph = node.graph
    place.core = PlaceOfNode(deref(node.get()))
    return place


def place_between(list inputs, list outputs):
    """Return the place that computes `outputs` from what the ports of `inputs` read.

    Args:
        inputs: Per input of a replacement a list of ``(node, number of its input)``.
        outputs: ``(node, number of its output)`` each.
    """
    cdef Place place = Place.__new__(Place)
    cdef vector[vector[Port]] ports
    cdef vector[Port] same
    cdef vector[Value] values
    cdef Port port
    cdef Value value
    cdef Node node
    cdef string fault
    cdef int index
    for node, index in outputs:
        if place.graph is None:
            place.graph = node.graph
        node.check_output(index, "SubgraphBoundary")
        value.node = node.of(place.graph, "SubgraphBoundary")
        value.index = index
        values.push_back(value)
    if place.graph is None:
        fail("SubgraphBoundary", "the boundary has no output")
    for row in inputs:
        same.clear()
        for node, index in row:
            port.node = node.of(place.graph, "SubgraphBoundary")
            if not 0 <= index < <int>port.node.input_count():
                fail("SubgraphBoundary", f"[{node.name}] of type {node.type} has no input {index}")
            port.input = index
            same.push_back(port)
        ports.push_back(same)
    fault = FindPlaceBetween(ports, values, &place.core)
    if not fault.empty():
        fail("SubgraphBoundary", fault.decode(errors="replace"))
    return place


def closes_cycle(nodes):
    """Return whether one node in the place of these would have to run before itself."""
    cdef CorePlace place
    cdef Node node
    cdef Graph graph = None
    for node in nodes:
        if graph is None:
            graph = node.graph
        place.nodes.push_back(node.of(graph, "can_fuse"))
    return ReplacingClosesCycle(place)


def take_names(Node before not None, Node after not None):
    """Have `after` stand for the source nodes of `before` too."""
    cdef vector[string] names = before.get().source_names()
    for i in range(names.size()):
        after.get().AddSourceName(names[i])


def infer_replacement(Graph replacement not None, Place place not None):
    """Give the nodes of a replacement the dtypes and shapes that they have in that place."""
    cdef string fault = InferReplacement(deref(replacement.get()), deref(place.get()))
    if not fault.empty():
        fail("infer_shape", fault.decode(errors="replace"))


def infer_graph(Graph graph not None, list input_shapes):
    """Set the shapes of the inputs, by their index, and infer all others."""
    nodes = graph.get_direct_nodes()
    inputs = {node.get_attr("index"): node for node in nodes if node.type == "Data"}
    if sorted(inputs) != list(range(len(input_shapes))):
        fail("infer_shape", f"there are {len(input_shapes)} shapes for inputs {sorted(inputs)}")
    for index, shape in enumerate(input_shapes):
        desc = inputs[index].get_output_desc(0)
        desc.set_shape(shape)
        inputs[index].update_output_desc(0, desc)
    cdef string fault = InferGraph(deref(graph.get()))
    if not fault.empty():
        fail("infer_shape", fault.decode(errors="replace"))


cdef class Replacing:
    """Several replacements in one graph, in a ``with``; what was replaced leaves it at the end."""

    cdef Graph graph
    cdef shared_ptr[Removal] removal

    def __init__(self, Graph graph not None):
        self.graph = graph
        self.removal = BeginReplacing(deref(graph.get()))

    def __enter__(self):
        self.graph.check_not_held("SubgraphRewriter.replace")
        self.graph.root().held = True
        return self

    def __exit__(self, kind, error, trace):
        self.graph.root().held = False
        if kind is None:
            self.graph.get()
            FinishReplacing(deref(self.removal))

    def is_there(self, Place place not None):
        """Return whether none of its nodes was replaced before."""
        self.graph.get()
        return IsStillThere(deref(self.removal), deref(place.get()))

    def closes_cycle(self, Place place not None):
        """Return whether one node in that place would have to run before itself."""
        return ReplacingClosesCycle(deref(place.get()))

    def replace(self, Place place not None, Graph replacement not None):
        """Put the nodes of `replacement`, which is used up, in that place."""
        cdef Graph taken = replacement._hand_over()
        cdef string fault = ReplaceAt(deref(taken.get()), deref(place.get()), deref(self.removal))
        if not fault.empty():
            fail("replacement", fault.decode(errors="replace"))
