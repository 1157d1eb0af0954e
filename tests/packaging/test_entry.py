"""python3 -m ge.pyatc and ge.pyatc.__main__.main: what they load, pass on and give back."""

import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture
def script(run, environment, fake_cann):
    """Run Python code in the environment, on the made-up CANN unless `env` says otherwise."""

    def called(code, **variables):
        env = {"ASCEND_HOME_PATH": fake_cann, **variables}
        code = textwrap.dedent(code)
        return run(environment / "bin" / "python3", "-P", "-c", code, env=env)

    return called


def test_only_modules_of_the_standard_library_are_imported(script):
    done = script("""
        import sys
        before = set(sys.modules)
        import ge.pyatc.__main__
        print(*(set(sys.modules) - before), sep="\\n")
    """)
    imported = {name.split(".")[0] for name in done.stdout.split()}
    assert imported - sys.stdlib_module_names == {"ge", "cython_runtime"}
    # Each of these costs a good part of what starting Python costs.
    assert not imported & {"ast", "collections", "inspect", "pkgutil", "re", "typing"}


def test_package_loads_none_of_the_libraries_that_are_not_used(script):
    done = script("""
        import ge
        print(*(line for line in open("/proc/self/maps") if "libge_" in line or "libpyatc" in line))
    """)
    assert done.stdout.strip() == ""


def test_main_takes_program_and_words(script):
    done = script("""
        from ge.pyatc.__main__ import main
        main("/somewhere/bin/pyatc", ["--mode=0", "x"])
    """)
    words = [line for line in done.stdout.splitlines() if line.startswith("argv ")]
    assert words == ["argv /somewhere/bin/pyatc", "argv --mode=0", "argv x"]


@pytest.mark.parametrize(("status", "code"), [("0", 0), ("1", 1), ("-1", 255)])
def test_main_leaves_with_the_status(script, status, code):
    done = script(
        """
        from ge.pyatc.__main__ import main
        try:
            main(None, [])
        except SystemExit as exit:
            print("code", exit.code)
        """,
        FAKE_STATUS=status,
    )
    assert done.stdout.splitlines()[-1] == f"code {code}"


def test_interrupt_ends_without_traceback(script):
    done = script("from ge.pyatc.__main__ import main; main()", FAKE_INTERRUPT="1")
    assert (done.status, done.stderr) == (130, "")


def test_output_of_python_and_of_the_library_keeps_its_order(script):
    done = script("""
        import atexit
        atexit.register(print, "last")
        print("first")
        from ge.pyatc.__main__ import main
        main()
    """)
    lines = done.stdout.splitlines()
    assert (lines[0], lines[-1]) == ("first", "last")
    assert lines[1].startswith("executable ")


def test_closed_standard_output_is_no_fault(run, environment, fake_cann):
    command = f"'{environment}/bin/python3' -P -m ge.pyatc >&-"
    done = run("sh", "-c", command, env={"ASCEND_HOME_PATH": fake_cann})
    assert (done.status, done.stderr) == (0, "")


def test_word_with_a_nul_character_is_refused(script):
    done = script("""
        from ge import _pyatc
        try:
            _pyatc.run("/nowhere.so", ["pyatc", "a\\0b"])
        except ValueError as error:
            print(error)
    """)
    assert "a\\x00b" in done.stdout


def test_words_may_be_bytes_and_paths(script, fake_cann):
    done = script(f"""
        import pathlib
        from ge import _pyatc
        library = pathlib.Path({str(fake_cann)!r}, "lib64/libpyatc_wrapper.so")
        _pyatc.run(library, (w for w in ["pyatc", b"b", pathlib.Path("p")]))
    """)
    words = [line for line in done.stdout.splitlines() if line.startswith("argv ")]
    assert words == ["argv pyatc", "argv b", "argv p"]


def test_source_folder_that_shadows_the_package_explains_itself(run, python):
    source = Path(__file__).resolve().parents[2]
    env = {"PYTHONDONTWRITEBYTECODE": "1"}
    done = run(python, "-m", "ge.pyatc", "--help", cwd=source, env=env)
    assert (done.status, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "No module named 'ge._pyatc'" in done.stderr
    assert "-P" in done.stderr
