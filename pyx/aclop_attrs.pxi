# The kinds of attributes in the order of OpAttr, under the names of the setters of the C API.
cdef tuple KINDS = (
    "bool", "int", "float", "string", "data_type", "list_bool", "list_int", "list_float",
    "list_string", "list_data_type", "list_list_int",
)
cdef dict KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}

ctypedef vector[uint8_t] Bools
ctypedef vector[int64_t] Ints
ctypedef vector[float] Floats
ctypedef vector[string] Strings
ctypedef vector[OpDtype] Dtypes
ctypedef vector[vector[int64_t]] IntLists


cdef class Attrs:
    """Attributes of an operator: a mutable mapping in byte order of the names.

    Args:
        values: A mapping from name to value.
        more: The same as keywords.

    A value is a bool, int, float, str, :class:`DataType`, a sequence of one of them, or a sequence
    of sequences of ints; its kind is that of the value unless :meth:`set` says another one. Floats
    are rounded to 32 bits. A call keeps the attributes that it was given; a change makes new ones.

    Source: AscendCL ``aclopCreateAttr``, ``aclopSetAttrBool`` and its neighbours.
    """

    cdef shared_ptr[OpAttrs] core  # not changed while a call has it too

    def __cinit__(self):
        self.core = make_shared[OpAttrs]()

    def __init__(self, values=None, /, **more):
        self.update(values, **more)

    cdef OpAttrs* own(self) except NULL:
        """Return the attributes for a change."""
        cdef shared_ptr[OpAttrs] copy
        if self.core.use_count() > 1:
            copy = make_shared[OpAttrs](deref(self.core))
            self.core.swap(copy)
        return self.core.get()

    cdef const OpAttr* find(self, name) except NULL:
        cdef string key
        cdef const OpAttr* found = NULL
        if isinstance(name, str):
            key = name.encode(errors="surrogatepass")
            found = deref(self.core).Find(key)
        if found == NULL:
            raise KeyError(name)
        return found

    def set(self, name, value, kind=None):
        """Set an attribute, whatever value and kind it had.

        Args:
            name: Any text without a NUL.
            value: A bool, int, float, str, :class:`DataType`, a sequence of one of them, or a
                sequence of sequences of ints; numbers of NumPy count as Python's.
            kind: ``"bool"``, ``"int"``, ``"float"``, ``"string"``, ``"data_type"``, the same after
                ``list_``, or ``"list_list_int"``. By default that of the value: a sequence with
                ints and floats is one of floats, an empty one is one of ints.

        Raises:
            TypeError: The value is of no such kind.
            ValueError: A number does not fit 64 bits (a float: 32), or there is no such kind.
        """
        cdef string key = text_of_any(name, "the name of an attribute")
        if isinstance(value, dict | set | frozenset):
            raise TypeError(f"attribute {name!r} is {type(value).__name__}, which has no order")
        if kind is None:
            kind = kind_of(name, value)
        elif kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of attribute; it can be {', '.join(KINDS)}")
        set_attr(self, key, KIND_INDEX[kind], value)

    def update(self, values=None, /, **more):
        """Set all of a mapping or of pairs, and the keywords."""
        if isinstance(values, Attrs) and len(self) == 0 and len(more) == 0:
            self.core = (<Attrs>values).core
            return
        if isinstance(values, Attrs):
            for name, value in values.items():
                self.set(name, value, values.kind(name))
        elif values is not None:
            for name, value in dict(values).items():
                self.set(name, value)
        for name, value in more.items():
            self.set(name, value)

    def kind(self, name):
        """Return the kind of an attribute, as :meth:`set` takes it."""
        return KINDS[self.find(name).index()]

    def __setitem__(self, name, value):
        self.set(name, value)

    def __getitem__(self, name):
        cdef shared_ptr[OpAttrs] held = self.core  # conversions may run Python code
        return value_of(deref(self.find(name)))

    def __delitem__(self, name):
        self.find(name)
        self.own().Remove(text_of(name, "the name of an attribute"))

    def __len__(self):
        return deref(self.core).values().size()

    def __iter__(self):
        cdef shared_ptr[OpAttrs] held = self.core
        return iter(names_of(deref(held)))

    def __contains__(self, name):
        try:
            self.find(name)
        except KeyError:
            return False
        return True

    def copy(self):
        """Return attributes of their own with the same values."""
        cdef Attrs made = type(self).__new__(type(self))
        made.core = make_shared[OpAttrs](deref(self.core))
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def get(self, name, default=None):
        """Return a value, or the default."""
        return self[name] if name in self else default

    def pop(self, name, *default):
        """Remove an attribute and return its value, or the default."""
        if name not in self and default:
            return default[0]
        value = self[name]
        del self[name]
        return value

    def setdefault(self, name, default):
        """Return a value, after it was set where there was none."""
        if name not in self:
            self[name] = default
        return self[name]

    def popitem(self):
        """Remove the first attribute and return name and value."""
        for name in self:
            return name, self.pop(name)
        raise KeyError("there are no attributes")

    def clear(self):
        """Remove all."""
        self.core = make_shared[OpAttrs]()

    def keys(self):
        """Return a view of the names."""
        return KeysView(self)

    def values(self):
        """Return a view of the values."""
        return ValuesView(self)

    def items(self):
        """Return a view of names and values."""
        return ItemsView(self)

    def __eq__(self, other):
        if not isinstance(other, Attrs):
            return NotImplemented
        return described(self) == described(other)

    def __repr__(self):
        return f"Attrs({dict(self)!r})"

    def __str__(self):
        return AclAttrsText(deref(self.core)).decode()


MutableMapping.register(Attrs)


cdef list described(attrs):
    return [(name, attrs.kind(name), value) for name, value in attrs.items()]


cdef list names_of(const OpAttrs& attrs):
    cdef OpAttrMap.const_iterator row = attrs.values().begin()
    cdef list names = []
    while row != attrs.values().end():
        names.append(deref(row).first.decode())
        preincrement(row)
    return names


cdef str kind_of(name, value):
    """Return the kind that a value has by itself."""
    kind = scalar_kind_of(value)
    if kind is not None:
        return kind
    try:
        elements = list(value)
    except TypeError:
        raise TypeError(
            f"attribute {name!r} is {type(value).__name__}, which no attribute can be"
        ) from None
    kinds = {scalar_kind_of(element) for element in elements}
    if not kinds:
        return "list_int"
    if kinds == {"int", "float"}:
        return "list_float"
    if kinds == {None}:
        return "list_list_int"
    if len(kinds) > 1:
        raise TypeError(f"attribute {name!r} has elements of several kinds")
    return "list_" + kinds.pop()


cdef str scalar_kind_of(value):
    """Return the kind of a value that is no sequence, else None."""
    if type(value) is bool or type(value).__name__ in ("bool_", "bool"):  # NumPy's, too
        return "bool"
    if isinstance(value, int):
        return "data_type" if is_dtype(value) else "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (list, tuple, bytes)) or getattr(value, "ndim", 0):
        return None
    if hasattr(value, "__index__"):
        return "int"
    return "float" if hasattr(value, "__float__") else None


cdef bint is_dtype(value) except -1:
    """Return whether an int is a member of DataType."""
    return type(value) is not int and type(value).__name__ == "DataType"


cdef float float_of(value) except? -1:
    cdef double wide = value
    cdef float narrow = <float>wide
    if narrow - narrow != 0 and wide - wide == 0:
        raise ValueError(f"{wide} does not fit 32 bits")
    return narrow


cdef string string_of(value) except *:
    return text_of_any(value, "an attribute of kind string")


cdef OpDtype dtype_attr_of(value) except *:
    cdef OpDtype made
    made.number = dtype_of(value)
    if made.number == UNDEFINED:
        made.number = GRAPH_UNDEFINED
    return made


cdef int set_attr(Attrs attrs, const string& name, int kind, value) except -1:
    """Convert a value, then set it."""
    cdef Bools bools
    cdef Ints ints
    cdef Floats floats
    cdef Strings strings
    cdef Dtypes dtypes
    cdef IntLists lists
    cdef cbool flag
    cdef int64_t number
    cdef float real
    cdef string text
    cdef OpDtype dtype
    if kind >= 5 and isinstance(value, (str, bytes)):
        raise TypeError(f"{type(value).__name__} is no list")
    if kind == 0:
        flag = bool(value)
        attrs.own().Set[cbool](name, flag)
    elif kind == 1:
        number = int64_of(value)
        attrs.own().Set[int64_t](name, number)
    elif kind == 2:
        real = float_of(value)
        attrs.own().Set[float](name, real)
    elif kind == 3:
        text = string_of(value)
        attrs.own().Set[string](name, text)
    elif kind == 4:
        dtype = dtype_attr_of(value)
        attrs.own().Set[OpDtype](name, dtype)
    elif kind == 5:
        for element in value:
            bools.push_back(bool(element))
        attrs.own().Set[Bools](name, bools)
    elif kind == 6:
        for element in value:
            ints.push_back(int64_of(element))
        attrs.own().Set[Ints](name, ints)
    elif kind == 7:
        for element in value:
            floats.push_back(float_of(element))
        attrs.own().Set[Floats](name, floats)
    elif kind == 8:
        for element in value:
            strings.push_back(string_of(element))
        attrs.own().Set[Strings](name, strings)
    elif kind == 9:
        for element in value:
            dtypes.push_back(dtype_attr_of(element))
        attrs.own().Set[Dtypes](name, dtypes)
    else:
        for inner in value:
            if isinstance(inner, (str, bytes)):
                raise TypeError(f"{type(inner).__name__} is no list")
            ints.clear()
            for element in inner:
                ints.push_back(int64_of(element))
            lists.push_back(ints)
        attrs.own().Set[IntLists](name, lists)
    return 0


cdef value_of(const OpAttr& attr):
    """Return an attribute as Python has it; lists are new ones."""
    cdef size_t kind = attr.index()
    cdef size_t i
    cdef const Ints* row
    if kind == 0:
        return get[cbool](attr)
    if kind == 1:
        return get[int64_t](attr)
    if kind == 2:
        return get[float](attr)
    if kind == 3:
        return get[string](attr).decode()
    if kind == 4:
        return attr_dtype(get[OpDtype](attr))
    if kind == 5:
        return [get[Bools](attr)[i] != 0 for i in range(get[Bools](attr).size())]
    if kind == 6:
        return [get[Ints](attr)[i] for i in range(get[Ints](attr).size())]
    if kind == 7:
        return [get[Floats](attr)[i] for i in range(get[Floats](attr).size())]
    if kind == 8:
        return [get[Strings](attr)[i].decode() for i in range(get[Strings](attr).size())]
    if kind == 9:
        return [attr_dtype(get[Dtypes](attr)[i]) for i in range(get[Dtypes](attr).size())]
    lists = []
    for i in range(get[IntLists](attr).size()):
        row = &get[IntLists](attr)[i]
        lists.append([deref(row)[j] for j in range(row.size())])
    return lists


cdef attr_dtype(OpDtype dtype):
    number = UNDEFINED if dtype.number == GRAPH_UNDEFINED else dtype.number
    return enum_or_int("DataType", number)
