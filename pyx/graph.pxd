# What ge._graph sees of the graph and of core/api/graph.h.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector

from core cimport ByteSpan, DataType, Status


cdef extern from "ir/attr.h" namespace "ge" nogil:
    cdef cppclass Attr:
        Attr()
        Attr& operator=[T](const T&)
        size_t index()

    cdef cppclass AttrMap:
        void Set(const string& name, Attr value) except +

    # The alternatives in their order.
    const cbool& AttrBool "std::get<0>"(const Attr&)
    const int64_t& AttrInt "std::get<1>"(const Attr&)
    const float& AttrFloat "std::get<2>"(const Attr&)
    const string& AttrText "std::get<3>"(const Attr&)
    const DataType& AttrType "std::get<4>"(const Attr&)
    const vector[cbool]& AttrBools "std::get<5>"(const Attr&)
    const vector[int64_t]& AttrInts "std::get<6>"(const Attr&)
    const vector[float]& AttrFloats "std::get<7>"(const Attr&)
    const vector[string]& AttrTexts "std::get<8>"(const Attr&)
    const vector[vector[int64_t]]& AttrLists "std::get<9>"(const Attr&)


cdef extern from "ir/graph.h" namespace "ge" nogil:
    cdef enum class Format:
        pass

    cdef cppclass IntSpan "std::span<const int64_t>":
        IntSpan()
        IntSpan(const int64_t*, size_t)
        size_t size()
        const int64_t* data()

    cdef cppclass TensorShape "ge::Shape":
        TensorShape(IntSpan dims) except +
        IntSpan dims()

    cdef cppclass TensorDesc:
        DataType dtype
        Format format
        TensorShape shape

    cdef cppclass Buffer:
        @staticmethod
        Buffer Own(vector[uint8_t] bytes) except +
        ByteSpan bytes() except +
        size_t size()

    cdef cppclass Node:
        const string& type()
        const string& name()
        size_t input_count()
        Value input(size_t index)
        void SetInput(size_t index, Value value) except +
        void AddInput(Value value) except +
        size_t output_count()
        TensorDesc& output(size_t index)
        UseSpan uses(size_t index)
        AttrMap& attrs()
        const Buffer& value()
        void SetValue(Buffer value)
        DataType value_dtype()
        cbool is_const()
        uint32_t index()
        const vector[GraphOwner]& subgraphs()
        vector[string] source_names() except +
        void AddSourceName(string name) except +

    cdef cppclass GraphOwner "std::unique_ptr<ge::Graph>":
        Graph* get()

    cdef cppclass NodeOwner "std::unique_ptr<ge::Node>":
        Node* get()

    cdef cppclass Value:
        Value()
        Node* node
        int32_t index

    cdef cppclass Use:
        Node* node
        int32_t input

    cdef cppclass UseSpan "std::span<const ge::Use>":
        size_t size()
        const Use* data()

    cdef cppclass Graph:
        Graph(string name) except +
        const string& name()
        const vector[NodeOwner]& nodes()
        Node* Find(const string& name)
        Node* Add(
            const string& type, const string& name, const vector[Value]& inputs, size_t outputs
        ) except +
        vector[string]& output_names()
        Node* net_output()
        void Remove(const vector[cbool]& dead) except +
        cbool SortTopologically() except +


cdef extern from "api/graph.h" namespace "ge" nogil:
    cdef cppclass MatchRules:
        cbool const_values
        cbool attrs

    cdef cppclass Port "ge::Place::Port":
        Node* node
        size_t input
        Value value()

    cdef cppclass Place:
        vector[Node*] nodes
        vector[Port] inputs
        vector[Value] outputs

    cdef cppclass Removal:
        pass


cdef extern from "api/graph.h" namespace "ge::api" nogil:
    vector[string] OpTypes() except +
    string OpPrototypeAsJson(const string& type) except +
    cbool ReadAttr(const Node& node, const string& name, Attr* attr) except +
    string FindPlaces(
        const Graph& pattern, const Graph& graph, MatchRules rules, vector[Place]* places
    ) except +
    cbool ReplacingClosesCycle(const Place& place) except +
    Place PlaceOfNode(Node& node) except +
    string FindPlaceBetween(
        const vector[vector[Port]]& inputs, const vector[Value]& outputs, Place* place
    ) except +
    cbool IsBuilt(const string& type) except +
    string InferGraph(Graph& graph) except +
    string InferReplacement(Graph& replacement, const Place& place) except +
    shared_ptr[Removal] BeginReplacing(Graph& graph) except +
    cbool IsStillThere(const Removal& removal, const Place& place)
    string ReplaceAt(Graph& replacement, const Place& place, Removal& removal) except +
    void FinishReplacing(Removal& removal) except +
    Status GraphAsText(const Graph& graph, cbool onnx, string* text) except +
