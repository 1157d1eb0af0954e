"""``python3 -m conformance [--write]``: all cases, against docs/onnx-conformance.md."""

import argparse
import faulthandler
import itertools
import sys
import tempfile
from pathlib import Path

from conformance import report
from conformance.cases import file_cases, light_cases, node_cases, node_modules, out_of_scope
from conformance.check import failure


def main() -> int:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page anew")
    args = parser.parse_args()
    faulthandler.enable()
    failures: dict[str, str] = {}
    skipped: dict[str, str] = {}
    passed: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        for case in itertools.chain(node_cases(node_modules()), file_cases(), light_cases()):
            kind = out_of_scope(case)
            reason = None if kind else failure(case, Path(folder))
            if kind:
                skipped[case.name] = kind
            elif reason:
                failures[case.name] = reason
            else:
                passed.add(case.name)
    print(f"{len(passed)} pass, {len(failures)} fail, {len(skipped)} are out of scope")
    page = report.text(failures, skipped, len(passed))
    if args.write:
        report.REPORT.write_text(page)
        return 0
    known = report.listed()
    for name in sorted(failures.keys() - known):
        print(f"fails, and is not listed: {name}: {failures[name]}")
    for name in sorted(known - failures.keys()):
        print(f"is listed, and does not fail: {name}")
    if page == report.REPORT.read_text():
        return 0
    print(f"{report.REPORT} is not right any more: make conformance ARGS=--write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
