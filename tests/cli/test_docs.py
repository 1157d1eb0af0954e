"""docs/command-line.md lists what --help says of each flag, docs/passes.md all passes."""

import re
from pathlib import Path

import pytest
from cli.test_help import entries

from ge import _testing

PAGE = Path(__file__).parent.parent.parent / "docs" / "command-line.md"
PASSES_PAGE = PAGE.with_name("passes.md")


def listed(section):
    text = re.search(rf"<!-- {section} -->\n(.*?)<!-- end -->", PAGE.read_text(), re.DOTALL)[1]
    return re.findall(r"`(\w+)`", text)


@pytest.mark.parametrize(
    ("section", "mark"),
    [
        ("not built", "Not supported yet"),
        ("refused", "Refused: "),
        ("recorded", "Stored in the model"),
    ],
)
def test_list_of_the_page_is_that_of_the_program(cli, section, mark):
    found = entries(cli("--help").stdout)
    names = listed(section)
    assert names == sorted(names)
    assert names == sorted(name for name, (_, text) in found.items() if mark in text)


def test_table_of_passes_is_the_pipeline():
    text = re.search(r"<!-- passes -->\n(.*?)<!-- end -->", PASSES_PAGE.read_text(), re.DOTALL)[1]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:4]] for line in text.splitlines()[2:]]
    kinds = ["-", "oo_constant_folding", "oo_level", "ALL`, `oo_level", "ALL"]
    kinds += ["oo_dead_code_elimination"]
    pipeline = [[row["name"], row["atc_name"], kinds[row["kind"]]] for row in _testing.passes()]
    assert rows == [row for i, row in enumerate(pipeline) if row not in pipeline[:i]]
