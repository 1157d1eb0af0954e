"""What a broken pass does to a compile: one error that names it, and no file."""

import errno
import os
import pathlib
import sys

import numpy as np
import pytest
from onnx import helper

import ge.errors
from graph_passes.conftest import counts, model_of

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "passes"
HEAD = """
from ge.passes import *
from ge.es import GraphBuilder
from ge.es.all import *
from ge.graph import *
STAGE = PassStage.AFTER_INFER_SHAPE
"""
RUN = (
    HEAD
    + """
@register_fusion_pass(name="Broken", stage=STAGE)
class Broken(FusionBasePass):
    def run(self, graph, context):
        nodes = {node.type: node for node in graph.get_direct_nodes()}
        relu, add = nodes["Relu"], nodes["Add"]
"""
)
PATTERN = (
    HEAD
    + """
@register_fusion_pass(name="Broken", stage=STAGE)
class Broken(PatternFusionPass):
    @pattern
    def relu(self, inputs):
        return Relu(inputs[0])
"""
)


def model():
    return model_of(
        helper.make_node("Relu", ["x"], ["a"], name="relu"),
        helper.make_node("Add", ["a", "c"], ["y"], name="add"),
        constants=[("c", np.ones((2, 3), np.float32))],
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("        return False", "Broken.run() returned False"),
        ("        context.set_error_message('no way'); return False", "False: no way"),
        ("        return 7", "status 7"),
        ("        return 'done'", "returned str; it returns None, a bool or an int"),
        ("        1 / 0", "ZeroDivisionError"),
        ("        raise SystemExit(0)", "must not end the program"),
        ("        graph.remove_node(relu)", "input 0 (x1) of [add] of type Add is not connected"),
        ("        graph.remove_node(nodes['Data'])", "is an input or the output"),
        ("        graph.remove_edge(add, 0, nodes['NetOutput'], 0)", "output 0 of the graph"),
        (
            "        graph.remove_edge(nodes['Data'], 0, relu, 0)\n"
            "        graph.add_data_edge(add, 0, relu, 0)",
            "nodes form a cycle: [relu] of type Relu, [add] of type Add",
        ),
        ("        graph.add_data_edge(relu, 3, add, 2)", "[relu] has no output 3"),
        (
            "        one = Tensor([[1] * 3] * 2, None, DataType.DT_INT32)\n"
            "        nodes['Const'].set_attr('value', one)",
            "Node [add] of type [Add]",
        ),
        ("        relu.get_attr('no')", "has no attribute [no]"),
    ],
)
def test_broken_run(compile_with, write_pass, body, said):
    with pytest.raises(ge.errors.CompileError) as raised:
        compile_with(model(), write_pass(RUN + body + "\n"))
    assert raised.value.code == "E40024"
    assert "Broken" in raised.value.text and "my_pass.py" in raised.value.text
    assert said in raised.value.text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "has no replacement()"),
        ("    def replacement(self, match): return None", "returned NoneType; it returns a Graph"),
        ("    def replacement(self, inputs): return None", "returned NoneType"),
        ("    def replacement(self, match): raise KeyError('k')", "KeyError: 'k'"),
        ("    def replacement(self, inputs): return [inputs[0], inputs[0]]", "it has 2 outputs"),
        ("    def replacement(self, inputs): return Relu(inputs[1])", "it reads input 1"),
        (
            "    def replacement(self, inputs): return Cast(inputs[0], dst_type=1)",
            "output 0 is float16[2,3], but it takes the place of [relu:0], which is float32[2,3]",
        ),
        ("    def replacement(self, inputs): return list(inputs)", "cannot be iterated"),
        ("    def replacement(self, inputs): return inputs[-1]", "not negative"),
        ("    def replacement(self, inputs): return inputs[10**9]", "at most 10000 inputs"),
        ("    def replacement(self, inputs): return Acts(inputs[0])", "NameError"),
        ("    def replacement(self, inputs): return AddN([inputs[0]], N=1)", "[AddN]"),
    ],
)
def test_broken_replacement(compile_with, write_pass, body, said):
    with pytest.raises(ge.errors.CompileError) as raised:
        compile_with(model(), write_pass(PATTERN + body + "\n"))
    assert raised.value.code == "E40024" and said in raised.value.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_like_this", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("def (", "SyntaxError"),
        ("raise SystemExit(3)", "must not end the program"),
        (
            HEAD + "@register_fusion_pass(name='a', stage='now')\nclass A(FusionBasePass): pass",
            "now",
        ),
        (
            HEAD + "class A(PatternFusionPass):\n    def run(self, graph, context): pass",
            "must not override run()",
        ),
        (
            HEAD + "class A(PatternFusionPass):\n    @pattern\n    def p(self, inputs): pass\n"
            "    def patterns(self): pass",
            "patterns() and @pattern",
        ),
        (
            HEAD + "class A(DecomposePass):\n    def replacement(self, node, *, more): pass",
            "keyword-only",
        ),
        (
            HEAD + "for _ in 'ab':\n    @register_fusion_pass(name='twice', stage=STAGE)\n"
            "    class A(FusionBasePass): pass",
            "twice is registered already",
        ),
        (HEAD + "register_decompose_pass(name='a', stage=STAGE, op_types='Add')", "not a str"),
    ],
)
def test_broken_file(compile_with, write_pass, text, said):
    with pytest.raises(ge.errors.CompileError) as raised:
        compile_with(model(), write_pass(text))
    message = raised.value.text
    assert raised.value.code == "E40020" and said in message
    assert "my_pass.py" in message and sys.executable in message


def test_all_paths_that_cannot_be_used_are_named(compile_with, tmp_path):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(ge.errors.CompileError) as raised:
        compile_with(model(), tmp_path / "none", tmp_path / "notes.txt")
    assert [problem.code for problem in raised.value.problems] == ["E40023", "E40023"]


def test_folder_that_cannot_be_listed_is_named(compile_with, tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "listdir", refuse)  # root may list all folders
    with pytest.raises(ge.errors.CompileError, match="Permission denied") as raised:
        compile_with(model(), tmp_path)
    assert [problem.code for problem in raised.value.problems] == ["E40023"]
    assert str(tmp_path) in str(raised.value)


def test_paths_may_hold_any_bytes(compile_with, write_pass):
    file = write_pass(RUN + "        return 7\n")
    folder = os.fsdecode(os.fsencode(file.parent) + b"\xff\xc3\xa4")
    file.parent.rename(folder)
    with pytest.raises(ge.errors.CompileError, match="returned status 7"):
        compile_with(model(), folder)
    with pytest.raises(ge.errors.CompileError, match="returned status 7"):
        compile_with(model(), os.path.join(folder, file.name))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("        context.set_error_message('\\ud800'); return False", r"False: \ud800"),
        ("        raise ValueError('\\ud800')", r"ValueError: \ud800"),
    ],
)
def test_text_that_is_no_unicode_is_shown(compile_with, write_pass, body, said):
    with pytest.raises(ge.errors.CompileError, match="E40024") as raised:
        compile_with(model(), write_pass(RUN + body + "\n"))
    assert said in str(raised.value)


def test_warning_that_is_no_unicode_is_shown(compile_with, write_pass):
    text = PATTERN + "    def meet_requirements(self, match): raise ValueError('\\udcff')\n"
    text += "    def replacement(self, inputs): return inputs[0]\n"
    assert r"ValueError: \udcff" in compile_with(model(), write_pass(text)).warnings[0].text


@pytest.mark.parametrize("name", ["\\ud800", "two\\nlines"])
def test_name_that_cannot_be_printed_is_refused(compile_with, write_pass, name):
    text = RUN.replace("Broken", name, 1) + "        return None\n"
    with pytest.raises(ge.errors.CompileError, match=r"E40020.*cannot be printed"):
        compile_with(model(), write_pass(text))


def test_module_of_onnx_plugins_says_what_there_is_instead(compile_with, write_pass):
    with pytest.raises(ge.errors.CompileError, match=r"ge\.hooks\.onnx_operator"):
        compile_with(model(), write_pass("import ge.onnx_plugin\n"))


@pytest.mark.parametrize("hook", ["meet_requirements", "replacement"])
@pytest.mark.parametrize("kind", ["pattern", "decompose"])
def test_hook_cannot_change_the_graph_that_its_match_is_in(compile_with, write_pass, hook, kind):
    eat = """
def eat(node):
    builder = GraphBuilder("eaten")
    boundary = SubgraphBoundary()
    boundary.add_input(0, SubgraphInput([(node, 0)]))
    boundary.add_output(0, SubgraphOutput(node, 0))
    one = builder.build_and_reset([Abs(builder.create_input(0))])
    SubgraphRewriter.replace(boundary, one, context=PassContext("Eater", {}))
    return True
"""
    node = "it.get_matched_nodes()[0]" if kind == "pattern" else "it"
    head = PATTERN
    if kind == "decompose":
        head = HEAD + (
            "@register_decompose_pass(name='Broken', stage=STAGE, op_types=['Relu'])\n"
            "class Broken(DecomposePass):\n"
        )
    body = f"    def {hook}(self, it): return eat({node})\n"
    if hook == "meet_requirements":
        body += "    def replacement(self, it): raise AssertionError\n"
        result = compile_with(model(), write_pass(eat_first(head, eat) + body))
        said = result.warnings[0].text
    else:
        with pytest.raises(ge.errors.CompileError) as raised:
            compile_with(model(), write_pass(eat_first(head, eat) + body))
        said = raised.value.text
    assert "a hook changes no graph" in said


def eat_first(head, function):
    return head.replace("STAGE = ", function + "STAGE = ", 1)


def test_same_name_in_two_files_is_refused(compile_with, write_pass):
    copies = [write_pass(RUN + "        return None\n", name) for name in ("a.py", "b.py")]
    with pytest.raises(ge.errors.CompileError, match=r"Broken is registered by .*a\.py"):
        compile_with(model(), *copies)


def test_exception_in_meet_requirements_is_a_warning(compile_with, write_pass):
    text = PATTERN + "    def meet_requirements(self, match): raise ValueError('odd')\n"
    text += "    def replacement(self, inputs): return inputs[0]\n"
    result = compile_with(model(), write_pass(text))
    assert [warning.code for warning in result.warnings] == ["W40024"]
    assert "ValueError: odd" in result.warnings[0].text and counts(result) == {}


def test_folder_is_read_in_order_and_private_files_are_left_out(compile_with, write_pass):
    for name in ("b.py", "a.py", "_helper.py", "c.txt"):
        write_pass(
            HEAD
            + f"""
@register_fusion_pass(name="{name}", stage=STAGE)
class A(FusionBasePass):
    def run(self, graph, context):
        order.append(context.get_pass_name())
import builtins
order = builtins.__dict__.setdefault("_order_of_passes", [])
""",
            name,
        )
    import builtins

    folder = write_pass("", "d.py").parent
    compile_with(model(), folder, folder / "a.py")
    assert builtins.__dict__.pop("_order_of_passes") == ["a.py", "b.py"]


def test_kept_views_raise(compile_with, write_pass):
    import builtins

    body = "        import builtins; builtins._kept = (graph, relu, context)\n"
    compile_with(model(), write_pass(RUN + body))
    graph, node, context = builtins.__dict__.pop("_kept")
    for use in (graph.get_all_nodes, lambda: node.name, context.get_pass_name):
        with pytest.raises(RuntimeError, match="over"):
            use()
    assert "no longer valid" in repr(graph) and "no longer valid" in repr(node)


def test_keyboard_interrupt_ends_the_compile(pyatc, run, tmp_path, write_pass):
    import onnx

    onnx.save(model(), tmp_path / "m.onnx")
    done = run(
        pyatc,
        f"--model={tmp_path / 'm.onnx'}",
        "--framework=5",
        f"--output={tmp_path / 'out'}",
        "--soc_version=Ascend310P3",
        env={"ASCEND_GE_PY_PASS_PATH": str(write_pass(RUN + "        raise KeyboardInterrupt\n"))},
    )
    assert done.status == 130
    assert not os.path.exists(tmp_path / "out.om")
