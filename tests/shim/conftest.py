"""Operators compiled under the shim and run by the host engine."""

import pytest
from shim.harness import Shim

from ge._shim import shim


@pytest.fixture(scope="module")
def tbe(tmp_path_factory):
    """The modules that operators import, and a way to run what they compute."""
    with shim("Ascend310P3"):
        yield Shim(tmp_path_factory.mktemp("kernels"))
