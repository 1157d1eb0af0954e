"""docs/onnx-conformance.md: the cases that fail, written and read."""

import collections
import re
from pathlib import Path

import onnx

REPORT = Path(__file__).resolve().parents[2] / "docs" / "onnx-conformance.md"

_HEAD = """\
# ONNX conformance

The onnx package ships backend test cases: models with inputs and the outputs they must give. Each
is compiled with `atc --framework=5 --precision_mode_v2=origin`, run on the CPU from the offline
model, and compared by onnx's own rule (relative error 1e-3, absolute 1e-7).

Of the {total} cases of onnx {version}, {passed} pass and {failed} fail; {skipped} are out of scope
({kinds}).

This page is written by `make conformance ARGS=--write`. `make conformance` fails when it is no
longer right; `make test` checks a sample.

| reason | cases |
|---|---|
"""


def text(failures: dict[str, str], skipped: dict[str, str], passed: int) -> str:
    """The page for these failures (case to reason) and cases out of scope (case to kind)."""
    groups = collections.defaultdict(list)
    for name, reason in failures.items():
        groups[reason].append(name)
    kinds = collections.Counter(skipped.values())
    head = _HEAD.format(
        total=passed + len(failures) + len(skipped),
        version=onnx.__version__,
        passed=passed,
        failed=len(failures),
        skipped=len(skipped),
        kinds=", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
    )
    rows = []
    for reason, names in sorted(groups.items()):
        escaped = reason.replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| {escaped} | {', '.join(f'`{name}`' for name in sorted(names))} |\n")
    return head + "".join(rows)


def listed() -> set[str]:
    """Names of the cases that the page says fail."""
    return set(re.findall(r"`(test_\w+)`", REPORT.read_text()))


def version() -> str:
    """The version of onnx that the page is about."""
    return re.search(r"cases of onnx (\S+),", REPORT.read_text())[1]
