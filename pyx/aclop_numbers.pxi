# Integers, data types and formats of the caller as numbers; what does not fit is a ValueError.

cdef extern from "Python.h":
    long long PyLong_AsLongLong(object) noexcept
    void* PyErr_Occurred() noexcept
    int PyErr_ExceptionMatches(object) noexcept
    void PyErr_Clear() noexcept
    Py_ssize_t Py_REFCNT(PyObject*) noexcept
    unsigned long long PyLong_AsUnsignedLongLong(object) except? 0xFFFFFFFFFFFFFFFF

cdef int DTYPE_COUNT = 64  # more than the core has
cdef int32_t UNDEFINED = -1
cdef int32_t GRAPH_UNDEFINED = <int32_t>DataType.kUndefined  # what attributes hold for it
# The names of data types, as NumPy and ml_dtypes have them where they have the type.
cdef dict DTYPES = {RowOfDataType(<DataType>i).user_name.data().decode(): i
                    for i in range(DTYPE_COUNT - 1, -1, -1)}


cdef int64_t int64_of(value) except? -1:
    """Return anything with ``__index__`` as 64 bits."""
    cdef int64_t number = PyLong_AsLongLong(value)
    if number == -1 and PyErr_Occurred() != NULL and PyErr_ExceptionMatches(OverflowError):
        PyErr_Clear()
        raise ValueError("an integer does not fit 64 bits")
    return number


cdef uint64_t uint64_of(value) except? 0xFFFFFFFFFFFFFFFF:
    """Return anything with ``__index__`` as 64 bits without a sign."""
    number = PyNumber_Index(value)
    if not 0 <= number < 1 << 64:
        raise ValueError("an integer is negative or does not fit 64 bits")
    return PyLong_AsUnsignedLongLong(number)


cdef int32_t int32_of(value) except? -1:
    cdef int64_t number = int64_of(value)
    if number != <int32_t>number:
        raise ValueError(f"{number} does not fit 32 bits")
    return <int32_t>number


cdef int32_t dtype_of(value) except? -1:
    """Return the number of a data type: an integer, a name, or a dtype of NumPy or ml_dtypes."""
    if isinstance(value, int):
        return int32_of(value)
    name = value
    if not isinstance(name, str):
        name = getattr(value, "__name__" if isinstance(value, type) else "name", None)
    number = DTYPES.get(name) if isinstance(name, str) else None
    if number is None:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{value!r} is no data type; it can be a DataType, or {', '.join(DTYPES)}")
    return UNDEFINED if number == GRAPH_UNDEFINED else number


cdef DataType dtype_of_format(const char* format, Py_ssize_t itemsize) noexcept:
    """Return the type of the elements of a buffer; kUndefined: none is like them."""
    if format == NULL:
        return DataType.kUint8
    if format[0] in b"@=<" or format[0] in b">!" and itemsize == 1:
        format += 1
    cdef char letter = format[0]
    if letter == b"Z" and format[1] != 0 and format[2] == 0:
        letter, format = format[1], format + 2
        if letter == b"f":
            return DataType.kComplex64
        return DataType.kComplex128 if letter == b"d" else DataType.kUndefined
    if letter == 0 or format[1] != 0:
        return DataType.kUndefined
    if letter == b"f":
        return DataType.kFloat
    if letter == b"e":
        return DataType.kFloat16
    if letter == b"d":
        return DataType.kDouble
    if letter == b"?":
        return DataType.kBool
    if letter in b"bhilqn":
        return integer(itemsize, DataType.kInt8, DataType.kInt16, DataType.kInt32, DataType.kInt64)
    if letter in b"BHILQN":
        return integer(
            itemsize, DataType.kUint8, DataType.kUint16, DataType.kUint32, DataType.kUint64
        )
    return DataType.kUndefined


cdef inline DataType integer(
    Py_ssize_t itemsize, DataType one, DataType two, DataType four, DataType eight
) noexcept:
    if itemsize == 1:
        return one
    if itemsize == 2:
        return two
    return four if itemsize == 4 else eight


cdef enum_or_int(str enum, int32_t number):
    """Return a member of an enum of ge.aclop, or the number itself where there is none."""
    from ge.aclop import _enums

    return getattr(_enums, enum)._value2member_map_.get(number, number)


cdef int read_dims(Dims& dims, values) except -1:
    """Replace dims by the elements of a sequence."""
    cdef Dims made
    cdef Py_ssize_t i = 0
    if isinstance(values, list):
        while i < len(<list>values):  # may shrink while elements are converted
            made.push_back(int64_of((<list>values)[i]))
            i += 1
    elif isinstance(values, tuple):
        for i in range(len(<tuple>values)):
            made.push_back(int64_of((<tuple>values)[i]))
    else:
        for value in values:
            made.push_back(int64_of(value))
    (&dims)[0] = move(made)
    return 0


cdef tuple dims_of(Dims dims):  # a copy: making a tuple may run Python code
    return tuple([dims[i] for i in range(dims.size())])


cdef int read_ranges(vector[DimRange]& ranges, values) except -1:
    """Replace ranges by pairs of least and greatest size; None as the greatest: no limit."""
    cdef vector[DimRange] made
    cdef DimRange one
    for pair in values:
        least, most = pair
        one.least = int64_of(least)
        one.most = -1 if most is None else int64_of(most)
        made.push_back(one)
    ranges.swap(made)
    return 0


cdef tuple ranges_of(vector[DimRange] ranges):
    cdef size_t i
    return tuple([(ranges[i].least, None if ranges[i].most == -1 else ranges[i].most)
                  for i in range(ranges.size())])


cdef string text_of(str value, str what) except *:
    """Return a text that the C API could hold: UTF-8 without a NUL."""
    if "\0" in value:
        raise ValueError(f"{what} has a NUL character")
    return value.encode()


cdef string text_of_any(value, str what) except *:
    if not isinstance(value, str):
        raise TypeError(f"{what} is {type(value).__name__}, not str")
    return text_of(value, what)


def data_type_size(number):
    """Return the bytes of an element as ``aclDataTypeSize`` says."""
    return AclDtypeSize(int32_of(number))


def float16_to_float(number):
    """Return the value of 16 bits; exponent 31 is an ordinary exponent."""
    cdef int64_t bits = int64_of(number)
    if not 0 <= bits < 1 << 16:
        raise ValueError(f"{bits} does not fit 16 bits")
    return AclFp16ToFloat(<uint16_t>bits)


def float_to_float16(double value):
    """Return the 16 bits of a value; what is beyond their range saturates."""
    return AclFloatToFp16(<float>value)
