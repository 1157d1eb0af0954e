"""docs/command-line.md lists what --help says of each flag."""

import re
from pathlib import Path

import pytest
from cli.test_help import entries

PAGE = Path(__file__).parent.parent.parent / "docs" / "command-line.md"


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
