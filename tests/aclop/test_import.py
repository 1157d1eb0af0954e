"""What importing costs: start-up is a feature."""

import pytest

# Each costs a good part of what starting Python costs.
SLOW = {"ast", "inspect", "numpy", "pkgutil", "re", "typing"}


@pytest.mark.parametrize("module", ["ge.aclop", "ge.aclop.acl"])
def test_only_what_is_needed_is_imported(run, python, package, module):
    code = (
        f"import sys; before = set(sys.modules); import {module}; print(*set(sys.modules) - before)"
    )
    done = run(python, "-P", "-S", "-c", code, env={"PYTHONPATH": package.parent})
    imported = set(done.stdout.split())
    assert module in imported
    assert not {name.split(".")[0] for name in imported} & SLOW
    # Of this package: neither the compiler of networks nor what runs them.
    assert not imported & {"ge._compiler", "ge._model", "ge.om", "ge._compile"}


def test_enums_are_those_of_the_headers(run, python):
    script = __file__.partition("/tests/")[0] + "/scripts/acl_enums.py"
    assert run(python, "-P", script, "--check").status == 0
