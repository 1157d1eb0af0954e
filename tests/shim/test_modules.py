"""Modules of the shim: there in a compile, away behind it, never in front of others."""

import importlib
import subprocess
import sys
import threading
import types

import pytest

from ge import _engine
from ge._shim import names, shim

ROOTS = ("tbe", "te", "topi", "impl", "mindspore")


def ours():
    return [name for name in sys.modules if name.partition(".")[0] in ROOTS]


def test_every_module_of_the_table_can_be_imported():
    with shim("Ascend310P3"):
        for name, contents in names.MODULES.items():
            module = importlib.import_module(name)
            assert set(contents) <= set(vars(module))
    assert ours() == []


def test_outside_there_are_no_such_modules():
    with shim():
        import tbe.dsl  # noqa: F401
    for name in ROOTS[:3]:
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)


def test_a_module_that_was_there_is_back_afterwards(monkeypatch):
    own = types.ModuleType("te")
    monkeypatch.setitem(sys.modules, "te", own)
    with shim():
        import te

        assert te is not own
    assert sys.modules["te"] is own


def test_a_framework_that_is_installed_goes_before_its_stub(tmp_path, monkeypatch):
    (tmp_path / "mindspore").mkdir()
    (tmp_path / "mindspore/__init__.py").write_text("REAL = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with shim():
        assert importlib.import_module("mindspore").REAL
    assert sys.modules.pop("mindspore").REAL


def test_it_stays_until_the_last_of_several_users_is_done():
    inside, leave = threading.Event(), threading.Event()

    def use():
        with shim("Ascend910B3"):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=use)
    thread.start()
    assert inside.wait(10)
    with shim("Ascend310"):
        platform = importlib.import_module("tbe.common.platform")
        assert platform.get_soc_spec("SHORT_SOC_VERSION") == "Ascend310"
    assert "tbe.common.platform" in sys.modules
    leave.set()
    thread.join()
    assert ours() == []


def test_it_goes_when_the_operator_fails():
    with pytest.raises(ZeroDivisionError), shim():
        import tbe.tvm  # noqa: F401

        raise ZeroDivisionError
    assert ours() == []


def test_registrations_end_with_the_compile():
    with shim():
        register = importlib.import_module("tbe.common.register")
        register.register_operator("Mine")(lambda: None)
        assert register.get_operator("Mine") is not None
    with shim():
        assert importlib.import_module("tbe.common.register").get_operator("Mine") is None


def test_it_never_hides_the_modules_of_cann(monkeypatch):
    monkeypatch.setattr(_engine.current, "name", "cann")
    with pytest.raises(RuntimeError, match="the engine is CANN"), shim():
        pass


def test_impl_is_open_for_packages_of_operators(tmp_path, monkeypatch):
    (tmp_path / "impl/dynamic").mkdir(parents=True)
    (tmp_path / "impl/util").mkdir()
    everything = "raise ImportError('all operators at once')\n"
    for package in ("impl", "impl/dynamic", "impl/util"):
        (tmp_path / package / "__init__.py").write_text(everything)
    (tmp_path / "impl/util/platform_adapter.py").write_text(everything)
    (tmp_path / "impl/util/util_common.py").write_text(
        "from impl.util.platform_adapter import tbe_platform, something_else\nOWN = True\n"
    )
    (tmp_path / "impl/shared.py").write_text("VALUE = 1\n")
    (tmp_path / "impl/dynamic/own.py").write_text(
        "from impl.shared import VALUE\n"
        "from impl.util.platform_adapter import tbe\n"
        "from impl.util.util_common import OWN, something_else\n"
        "from impl.util.util_compute import sign\n"
        "from tbe.dsl.compute.conv_compute import ConvParam\n"
    )
    with shim():
        import impl  # noqa: F401

        monkeypatch.syspath_prepend(str(tmp_path))  # later, as a compile finds a store
        own = importlib.import_module("impl.dynamic.own")
        assert own.VALUE == 1
        assert own.tbe is sys.modules["tbe.dsl"]
        assert own.OWN
        with pytest.raises(RuntimeError, match=r"\[platform_adapter.something_else\]"):
            own.something_else()
        with pytest.raises(RuntimeError, match=r"\[tbe.dsl.compute.conv_compute.ConvParam\]"):
            own.ConvParam()
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("tbe.dls")
    assert ours() == []


def test_an_unknown_soc_is_named():
    with pytest.raises(RuntimeError, match=r"SoC \[Ascend1\] is not known"), shim("Ascend1"):
        pass
    assert ours() == []


def test_the_package_ge_imports_none_of_it():
    code = "import ge, ge.pyatc, sys; print([m for m in sys.modules if 'shim' in m])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"
