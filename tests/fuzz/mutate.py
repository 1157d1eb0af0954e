"""Changes to files that a reader must survive: in bytes, and in the fields of their messages."""

import struct

import onnx
from google.protobuf.message import DecodeError
from om.om_files import build_om, message, read_om

MODEL, WEIGHTS, TASKS = 0, 1, 2
INTERESTING = [
    *(0, 1, 2, 3, 5, 7, 8, 16, 64, 255, 256, 512, 4095, 65535),
    *(2**20, 2**24, 2**30, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63 - 1),
]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, float("inf"), float("-inf"), float("nan")]


def mutate_bytes(rng, data, most=6):
    """Some bytes changed, inserted or taken out; headers more often than the rest."""
    data = bytearray(data)
    for _ in range(rng.randint(1, most)):
        if not data:
            break
        place = rng.randrange(min(len(data), 400) if rng.random() < 0.4 else len(data))
        kind = rng.randrange(6)
        if kind < 3:
            data[place] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        elif kind == 3:
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 4:
            del data[place : place + rng.randint(1, 8)]
        else:
            data[place:place] = rng.randbytes(rng.randint(1, 8))
    return bytes(data)


def mutate_message(rng, root, most=4):
    """Some fields of a message, or of those in it, changed."""
    for _ in range(rng.randint(1, most)):
        _mutate_one(rng, root)
    return root


def _mutate_one(rng, root):
    parent = root
    for _ in range(12):
        inner = [
            (field, value)
            for field, value in parent.ListFields()
            if field.type == field.TYPE_MESSAGE
        ]
        if not inner or rng.random() < 0.12:
            break
        field, value = rng.choice(inner)
        if _is_repeated(field):
            if _is_map(field):
                value = list(value.values())
            if not value or rng.random() < 0.08:
                break
            value = rng.choice(value)
            if not hasattr(value, "ListFields"):
                break
        parent = value
    _mutate_field(rng, parent)


def _is_repeated(field):
    known = getattr(field, "is_repeated", None)  # since protobuf 6.31; label went in 7
    return field.label == field.LABEL_REPEATED if known is None else known


def _is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _mutate_field(rng, parent):
    present = [field for field, _ in parent.ListFields()]
    fields = present if present and rng.random() < 0.9 else list(parent.DESCRIPTOR.fields)
    field = rng.choice(fields)
    value = getattr(parent, field.name)
    if _is_map(field):
        keys = list(value)
        if not keys:
            return
        key = rng.choice(keys)
        if rng.random() < 0.5:
            del value[key]
        elif hasattr(value[key], "CopyFrom"):
            value[rng.choice(keys)].CopyFrom(value[key])
    elif _is_repeated(field):
        _mutate_repeated(rng, field, value)
    elif field.type == field.TYPE_MESSAGE:
        if rng.random() < 0.5:
            parent.ClearField(field.name)
        else:
            value.SetInParent()
    else:
        setattr(parent, field.name, _scalar(rng, field, value))


def _mutate_repeated(rng, field, items):
    kind = rng.randrange(6) if items else 5
    if kind == 0:
        del items[rng.randrange(len(items))]
    elif kind == 1:
        i, j = rng.randrange(len(items)), rng.randrange(len(items))
        kept = list(items)
        kept[i], kept[j] = kept[j], kept[i]
        copies = [_copy(item) for item in kept]
        del items[:]
        items.extend(copies)
    elif kind == 2:
        items.extend([_copy(rng.choice(items))])
    elif field.type != field.TYPE_MESSAGE:
        if not items or kind == 5:
            default = {field.TYPE_STRING: "x", field.TYPE_BYTES: b"x"}.get(field.type, 0)
            items.append(_scalar(rng, field, rng.choice(items) if items else default))
        else:
            i = rng.randrange(len(items))
            items[i] = _scalar(rng, field, rng.choice([items[i], rng.choice(items)]))
    elif items:
        _mutate_field(rng, rng.choice(items))


def _copy(item):
    if not hasattr(item, "CopyFrom"):
        return item
    copy = type(item)()
    copy.CopyFrom(item)
    return copy


def _scalar(rng, field, value):
    if field.type == field.TYPE_STRING:
        return rng.choice(["", value + "x", value[:-1], "x" * 300, "x:0", ":", "a:-1", "é\0"])
    if field.type == field.TYPE_BYTES:
        return _words(rng, value) if rng.random() < 0.7 else mutate_bytes(rng, value)
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return rng.choice(FLOATS)
    if field.type == field.TYPE_BOOL:
        return not value
    if field.type == field.TYPE_ENUM:
        return rng.choice([v.number for v in field.enum_type.values])
    number = rng.choice(
        [value + 1, value - 1, value * 2, value ^ (1 << rng.randrange(31)), -value]
        + [rng.choice(INTERESTING) * rng.choice([1, 1, -1]) for _ in range(3)]
    )
    bits = 32 if field.type in (field.TYPE_INT32, field.TYPE_UINT32) else 64
    number %= 2**bits
    unsigned = field.type in (field.TYPE_UINT32, field.TYPE_UINT64)
    return number if unsigned or number < 2 ** (bits - 1) else number - 2**bits


def _words(rng, data):
    """Bytes as numbers of 64 bits (arguments of tasks, int64 constants), one of them changed."""
    words = [list(word) for word in struct.iter_unpack("<Q", data[: len(data) // 8 * 8])]
    if not words:
        return data + rng.randbytes(rng.choice([1, 8]))
    word = rng.choice(words)
    number = rng.choice(
        [word[0] + 512, word[0] - 512, word[0] + 1, rng.choice(words)[0], rng.choice(INTERESTING)]
    )
    word[0] = number % 2**64
    return struct.pack(f"<{len(words)}Q", *(word[0] for word in words))


def mutate_om(rng, path):
    """An OM file, changed in its bytes, its model definition, its weights or its task list."""
    whole = path.read_bytes()
    if rng.random() < 0.25:
        return mutate_bytes(rng, whole)
    parts = dict(read_om(path).blocks[0])
    target = rng.choice([MODEL, MODEL, MODEL, TASKS, TASKS, WEIGHTS])
    if target == WEIGHTS:
        parts[WEIGHTS] = mutate_bytes(rng, parts.get(WEIGHTS, b""), 12)
    if target == MODEL or rng.random() < 0.2:
        changed = mutate_message(rng, message("ModelDef", parts[MODEL]))
        parts[MODEL] = changed.SerializeToString()
    if target == TASKS and TASKS in parts:
        try:
            tasks = message("ModelTaskDef", parts[TASKS])
            parts[TASKS] = mutate_message(rng, tasks).SerializeToString()
        except DecodeError:  # phones have another list
            parts[TASKS] = mutate_bytes(rng, parts[TASKS])
    return build_om([list(parts.items())])


def mutate_onnx(rng, path):
    """An ONNX file, changed in its bytes or its message."""
    whole = path.read_bytes()
    if rng.random() < 0.2:
        return mutate_bytes(rng, whole)
    return mutate_message(rng, onnx.ModelProto.FromString(whole), 3).SerializeToString()
