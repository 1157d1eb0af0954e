"""Writes ge/aclop/_enums.py: the enums of include/acl as Python has them.

    python scripts/acl_enums.py [--check]

--check writes nothing and fails when the file is not what the headers say.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "ge" / "aclop" / "_enums.py"
# Enum of C, header, class, prefixes that members lose, what it is.
ENUMS = [
    ("aclDataType", "acl_base_rt.h", "DataType", "ACL_DT_|ACL_", "Types of elements."),
    ("aclFormat", "acl_base_rt.h", "Format", "ACL_FORMAT_|ACL_", "What the dims of a tensor are."),
    ("aclMemType", "acl_base_mdl.h", "MemType", "ACL_MEMTYPE_", "Where the data of a tensor is."),
    ("aclopEngineType", "acl_op.h", "EngineType", "ACL_ENGINE_", "What an operator runs on."),
    (
        "aclopCompileType",
        "acl_op_compiler.h",
        "CompileType",
        "ACL_COMPILE_",
        "Whether an operator has a prototype.",
    ),
    (
        "aclCompileOpt",
        "acl_op_compiler.h",
        "CompileOpt",
        "ACL_",
        "Options of :func:`ge.aclop.set_compile_option`.",
    ),
    (
        "aclOpCompileFlag",
        "acl_op_compiler.h",
        "CompileFlag",
        "ACL_OP_COMPILE_",
        "How operators are looked up.",
    ),
]


def members(name, header, prefix):
    """Return (name, number) of each member of an enum of C."""
    text = (ROOT / "include" / "acl" / header).read_text()
    body = re.search(r"typedef enum \{([^}]*)\} " + name + ";", text)[1]
    found = re.findall(r"(\w+) = (-?\d+),", body)
    return [(re.sub(f"^(?:{prefix})", "", member), number) for member, number in found]


def module():
    """Return the text of the module."""
    lines = [
        '"""The enums of include/acl: written by scripts/acl_enums.py, not by hand."""',
        "",
        "from enum import IntEnum",
    ]
    for name, header, python_name, prefix, what in ENUMS:
        lines += ["", "", f"class {python_name}(IntEnum):", f'    """{what} (``{name}``)"""', ""]
        lines += [f"    {member} = {number}" for member, number in members(name, header, prefix)]
    return "\n".join(lines) + "\n"


def main(words):
    text = module()
    if words == ["--check"]:
        return 0 if TARGET.read_text() == text else f"{TARGET.name} is not what the headers say"
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
