"""The examples of the documentation."""

import re
from pathlib import Path

from ge import aclop
from ge.aclop import acl

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_page_work(capsys):
    page = (ROOT / "docs" / "aclop-python.md").read_text()
    first, second, script = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {}
    exec(first, names)
    np, y, sums = names["np"], names["y"], names["sums"]
    assert y.shape == (5, 3)
    np.testing.assert_allclose(sums, names["x"].sum(axis=1), rtol=1e-5)
    names["aclop"].compile("Add", [names["x"]] * 2, [names["x"]])
    exec(second, names)
    assert "input 0: data type is float16, compiled: float32" in capsys.readouterr().out
    exec(script, names)
    assert names["acl"].op.create_attr() > 0


def test_every_public_name_has_documentation():
    for module in (aclop, acl):
        for name in module.__all__:
            value = getattr(module, name)
            assert (value.__doc__ or "").strip(), name
    for kind in (aclop.TensorDesc, aclop.Attrs, aclop.CompiledOp):
        for name, value in vars(kind).items():
            if not name.startswith("_"):
                assert (value.__doc__ or "").strip(), f"{kind.__name__}.{name}"


def test_every_exception_has_its_code_in_its_documentation():
    kinds = {name: getattr(aclop, name) for name in aclop.__all__ if name.endswith("Error")}
    without = {n for n, kind in kinds.items() if not re.search(r"\(\d{6}\)", kind.__doc__)}
    assert without == {"AclError"}
