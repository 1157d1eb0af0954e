"""What the pages about operators in Python show works as it stands there."""

import json
import re
from pathlib import Path

import numpy as np

from ge import _testing
from ge._shim import names

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS.parent / "examples/custom_opp"


def blocks(page, language):
    text = (DOCS / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_first_operator(tbe):
    source = blocks("custom-operators.md", "python")[0]
    functions = {}
    exec(compile(source, "page", "exec"), functions)
    row = {"shape": (3,), "dtype": "float16"}
    functions["add_scaled"](row, row, row, 2.0, "page")
    x = np.array([1, 2, 3], np.float16)
    np.testing.assert_array_equal(tbe.run_kernel(x, x, name="page")[0], x * 3)


def test_the_operator_information_is_that_of_the_example():
    (shown,) = blocks("custom-operators.md", "json")
    (path,) = EXAMPLE.rglob("*-ops-info.json")
    information = json.loads(path.read_text())
    for key, value in json.loads(shown)["AddScaled"].items():
        assert value.items() <= information["AddScaled"][key].items()


def test_every_function_that_is_listed_is_there():
    text = (DOCS / "custom-operators.md").read_text()
    table = text[text.index("## What the functions do") : text.index("The toolkit's checks")]
    listed = {
        word
        for row in table.splitlines()
        if row.startswith("| ") and not row.startswith("| index expressions")
        for cell in re.findall(r"`([^`]*)`", row)
        for word in cell.split()
    } - {"unsorted_segment_*", "MAX"}
    assert len(listed) > 60
    assert listed <= set(names.MODULES["te.lang.cce"])


def test_the_kernel_file():
    (shown,) = blocks("kernel-format.md", "json")
    x = np.array([[1, 2], [3, 4]], np.float16)
    rows = [(x.shape, x.tobytes())] * 2
    ((dtype, shape, raw),) = _testing.run_kernel(shown.encode(), rows)
    assert (dtype, shape) == ("float16", (2, 2))
    np.testing.assert_array_equal(np.frombuffer(raw, np.float16).reshape(2, 2), x * np.float16(1.5))
