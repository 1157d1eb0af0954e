"""Pack JSON tables into one binary that C++ reads in place (core/tables/table.h).

    embed_tables.py OUTPUT NAME=FILE.json ...

The result is a map from NAME to the content of each file.  Layout, little endian: u32 magic,
u32 version, then the root slot.  A slot is u32 tag, u32 payload; strings, arrays and maps stand
elsewhere in the file and the payload is their offset.  Map entries are sorted by key.  Equal
subtrees are stored once, so that repeated port lists cost nothing.
"""

import json
import struct
import sys

MAGIC = 0x42415447
NULL, BOOL, INT, DOUBLE, STRING, ARRAY, MAP = range(7)


class Packer:
    def __init__(self):
        self.blob = bytearray(16)  # header and root slot, filled in last
        self.places = {}

    def place(self, content):
        """Offset of `content`, a multiple of 8; equal contents share one place."""
        if content not in self.places:
            self.blob += bytes(-len(self.blob) % 8)
            self.places[content] = len(self.blob)
            self.blob += content
        return self.places[content]

    def string(self, text):
        raw = text.encode()
        return self.place(struct.pack("<I", len(raw)) + raw)

    def slot(self, value):
        if value is None:
            return struct.pack("<II", NULL, 0)
        if isinstance(value, bool):
            return struct.pack("<II", BOOL, value)
        if isinstance(value, int):
            return struct.pack("<II", INT, self.place(struct.pack("<q", value)))
        if isinstance(value, float):
            return struct.pack("<II", DOUBLE, self.place(struct.pack("<d", value)))
        if isinstance(value, str):
            return struct.pack("<II", STRING, self.string(value))
        if isinstance(value, list):
            slots = b"".join(self.slot(item) for item in value)
            return struct.pack("<II", ARRAY, self.place(struct.pack("<I", len(value)) + slots))
        entries = sorted((key.encode(), key, item) for key, item in value.items())
        body = b"".join(
            struct.pack("<I", self.string(key)) + self.slot(item) for _, key, item in entries
        )
        return struct.pack("<II", MAP, self.place(struct.pack("<I", len(entries)) + body))

    def pack(self, root):
        slot = self.slot(root)
        self.blob[:16] = struct.pack("<II", MAGIC, 1) + slot
        return bytes(self.blob)


def main(output, *sources):
    tables = {}
    for source in sources:
        name, _, path = source.partition("=")
        with open(path, encoding="utf-8") as file:
            tables[name] = json.load(file)
    for row in tables.get("ops", {}).values():
        row["attr_order"] = list(row["attrs"])  # of the prototype: maps are sorted
    with open(output, "wb") as file:
        file.write(Packer().pack(tables))


if __name__ == "__main__":
    main(*sys.argv[1:])
