"""What ``--mode=1`` prints of a protobuf message, computed from google.protobuf's reflection."""

HIDDEN = {"output", "data_offset", "data", "workspace", "workspace_bytes", "size"}
HIDDEN |= {"memory_size", "weight_size", "bt", "quantize_factor"}
MAX_DEPTH = 20
_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}


def to_json(message, hidden=frozenset(), depth=0):
    """The message as Python values; an array of a map is sorted by key."""
    if depth > MAX_DEPTH:
        return None
    shown = {}
    for field, value in message.ListFields():
        if field.name in hidden:
            continue
        if _is_map(field):
            shown[field.name] = _map(field, value, hidden, depth)
        elif _is_repeated(field):
            shown[field.name] = [_element(field, item, hidden, depth) for item in value]
        elif field.message_type is None or value.ByteSize() != 0:
            shown[field.name] = _single(field, value, hidden, depth)
    return shown or None


def sort_maps(value):
    """Sort the arrays that stand for maps: the order of entries has no meaning."""
    if isinstance(value, dict):
        return {key: sort_maps(item) for key, item in value.items()}
    if isinstance(value, list):
        items = [sort_maps(item) for item in value]
        if all(isinstance(item, dict) and set(item) == {"key", "value"} for item in items):
            items.sort(key=lambda item: item["key"])
        return items
    return value


def _is_repeated(field):
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == 3


def _is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _map(field, entries, hidden, depth):
    if depth + 1 > MAX_DEPTH:  # an entry is a level of nesting of its own
        return [None] * len(entries)
    value_field = field.message_type.fields_by_name["value"]
    return [
        {"key": key, "value": _single(value_field, entries[key], hidden, depth + 1)}
        for key in sorted(entries)
    ]


def _single(field, value, hidden, depth):
    if field.type == field.TYPE_BYTES:
        return escaped(value)
    if field.type == field.TYPE_FLOAT:
        text = f"{value:g}"
        return text if len(text) < 10 else value
    return _element(field, value, hidden, depth)


def _element(field, value, hidden, depth):
    if field.message_type is not None:
        return to_json(value, hidden, depth + 1) if value.ByteSize() else None
    if field.type == field.TYPE_BYTES:
        return value.decode(errors="ignore")
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return known.name if known else value
    if field.type in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        return value if abs(value) != float("inf") and value == value else None
    return value


def escaped(data):
    """As a C string literal shows the bytes, in octal."""
    return "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    )


def restore_dictionary(model):
    """Undo the attribute dictionary of a ModelDef in place."""
    names = list(model.attr["attr_name_enum"].list.s)
    values = list(model.attr["attr_value_enum"].list.s)
    is_text = list(model.attr["attrs_use_string_value"].list.b)
    for key in ("attr_name_enum", "attr_value_enum", "attrs_use_string_value"):
        del model.attr[key]
    del model.attr["om_compress_version"]
    for graph in model.graph:
        for op in graph.op:
            for attrs in (op.attr, *(desc.attr for desc in [*op.input_desc, *op.output_desc])):
                _restore(attrs, names, values, is_text)


def _restore(attrs, names, values, is_text):
    plain = {key for key in attrs if not key.startswith("\0")}  # written later than coded ones
    for key in [key for key in attrs if key.startswith("\0")]:
        index = sum((byte - 1) * 127**place for place, byte in enumerate(key[1:].encode()))
        attr = type(attrs[key])()
        attr.CopyFrom(attrs[key])
        del attrs[key]
        if is_text[index] and attr.WhichOneof("value") == "i":
            attr.s = values[attr.i]
        elif is_text[index]:
            texts = [values[i] for i in attr.list.i]
            attr.list.Clear()
            attr.list.s.extend(texts)
            attr.list.val_type = 1
        if names[index].decode() not in plain:
            attrs[names[index].decode()].CopyFrom(attr)
