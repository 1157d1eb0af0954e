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


# Why cases that fail are right to, by the beginning of their names.
_NOTES = {
    "test_constant": "ATC refuses models without inputs.",
    "test_optional_has_element_empty": "As `test_constant`: the result is constant.",
    "test_sequence_model8": "ATC refuses dims of 0 in `--input_shape`.",
    "test_dft_inverse": "Where the result is 0, the expected value is the rounding error of a "
    "transform in float32, up to 2e-6; here it is computed in float64.",
    "test_attention_4d_causal_fp16": "The expected value rounds to float16 after each step of the "
    "softmax; here it is computed in float32 and rounded once, which is closer to the exact value.",
    "test_maxunpool_export_with_output_shape": "The indices of the case count along the shape that "
    "the attributes give. MaxPool gives, and onnxruntime reads, indices along `output_shape`.",
    "test_resize_downsample_scales": "With `align_corners` the expected value takes the length of "
    "the result before it is rounded down. The operator's text and onnxruntime take the real one.",
}


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
    return head + "".join(rows) + _notes(failures)


def _notes(failures: dict[str, str]) -> str:
    lines = [
        f"- `{start}{'*' * (start not in failures)}`: {note}\n"
        for start, note in _NOTES.items()
        if any(name.startswith(start) for name in failures)
    ]
    return "\nNot followed on purpose:\n\n" + "".join(lines) if lines else ""


def listed() -> set[str]:
    """Names of the cases that the page says fail."""
    rows = [line for line in REPORT.read_text().splitlines() if line.startswith("|")]
    return set(re.findall(r"`(test_\w+)`", "\n".join(rows)))


def version() -> str:
    """The version of onnx that the page is about."""
    return re.search(r"cases of onnx (\S+),", REPORT.read_text())[1]
