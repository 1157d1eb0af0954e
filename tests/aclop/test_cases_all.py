"""That no case of the C API is forgotten: each has a test here, or a reason why it has none."""

import re
from pathlib import Path

LAST = {"A": 24, "B": 24, "C": 21, "D": 22, "E": 24, "F": 18}
MORE = {"D7b", "D11b"}
# Arguments that C has and Python has not; tests/acl has all of these.
NOT_IN_PYTHON = {
    **dict.fromkeys(["A3", "A4", "A5"], "counts are the lengths of sequences"),
    **dict.fromkeys(["A9", "C5", "C7", "C8", "C10"], "no sequence is NULL"),
    "C4": "no text is NULL",
    "E22": "there is no object for options of dumps",
    **dict.fromkeys(["F1", "F13"], "no sequence has a negative length"),
}


def test_every_case_has_a_test_or_a_reason():
    names, here = set(), Path(__file__).parent
    for path in here.glob("test_cases_*.py"):
        if path != Path(__file__):
            text = path.read_text()
            names |= set(re.findall(r'"([A-F]\d+b?)"', text))
            for title in re.findall(r"def test_((?:[a-f]\d+_)+)", text):
                names |= set(title.upper().split("_")) - {""}
    every = {f"{group}{n}" for group, last in LAST.items() for n in range(1, last + 1)} | MORE
    assert names | set(NOT_IN_PYTHON) == every
    assert not names & set(NOT_IN_PYTHON)
