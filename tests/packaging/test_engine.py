"""GE_ENGINE: which engine serves a process, and what of the other one is in it."""

import pytest

MODULE = ("-P", "-m", "ge.pyatc")
ENGINE = "from ge import _engine; print(_engine.current.name)"


@pytest.fixture
def engine(run, environment):
    """Name of the engine that a process with these variables takes."""

    def chosen(**variables):
        done = run(environment / "bin" / "python3", "-P", "-c", ENGINE, env=variables)
        assert (done.status, done.stderr) == (0, "")
        return done.stdout.strip()

    return chosen


@pytest.fixture
def in_cann(run, environment, fake_cann):
    """Run the environment's Python with the made-up CANN as the engine."""

    def called(*words, **variables):
        env = {"ASCEND_HOME_PATH": fake_cann, **variables}
        return run(environment / "bin" / "python3", *words, env=env)

    return called


def test_without_cann_the_built_in_engine_is_taken(engine, tmp_path):
    assert engine() == "builtin"
    assert engine(GE_ENGINE="", ASCEND_HOME_PATH="") == "builtin"
    assert engine(GE_ENGINE="auto", ASCEND_HOME_PATH=tmp_path) == "builtin"


@pytest.mark.parametrize("variable", ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"])
def test_cann_is_taken_where_it_is_installed(engine, fake_cann, variable):
    assert engine(**{variable: fake_cann}) == "cann"
    assert engine(**{variable: fake_cann, "GE_ENGINE": "cann"}) == "cann"
    assert engine(**{variable: fake_cann, "GE_ENGINE": "builtin"}) == "builtin"


def test_toolkit_home_is_looked_at_when_home_path_has_no_wrapper(engine, fake_cann, tmp_path):
    assert engine(ASCEND_HOME_PATH=tmp_path, ASCEND_TOOLKIT_HOME=fake_cann) == "cann"


@pytest.mark.parametrize("place", ["ge", "ge/_capi"])
def test_wrapper_library_in_the_package_of_cann_is_found(engine, fake_cann, tmp_path, place):
    folder = tmp_path / "python" / "site-packages" / place
    folder.mkdir(parents=True)
    (folder / "libpyatc_wrapper.so").symlink_to(fake_cann / "lib64" / "libpyatc_wrapper.so")
    assert engine(ASCEND_HOME_PATH=tmp_path) == "cann"


def test_installed_tree_of_this_project_is_not_taken_for_cann(run, tree, python):
    env = {"ASCEND_HOME_PATH": tree, "PYTHONPATH": tree / "python" / "site-packages"}
    assert run(python, "-P", "-c", ENGINE, env=env).stdout == "builtin\n"


def test_cann_gets_the_command_line_and_gives_the_status(in_cann, environment):
    done = in_cann(*MODULE, "--model=a", "b c", FAKE_STATUS="-1")
    python = environment / "bin" / "python3"
    words = [line for line in done.stdout.splitlines() if line.startswith("argv ")]
    assert words == [f"argv {python} -m ge.pyatc", "argv --model=a", "argv b c"]
    assert (done.status, done.stderr) == (255, "")


def test_no_library_of_this_project_is_loaded_with_cann(in_cann, fake_cann):
    done = in_cann(*MODULE)
    loaded = {line for line in done.stdout.splitlines() if line.startswith("loaded ")}
    assert loaded == {f"loaded {fake_cann}/lib64/libpyatc_wrapper.so"}


def test_only_the_engine_in_use_adds_to_the_package(in_cann, environment, fake_cann):
    show = "import ge; print(*ge.__path__, sep='\\n')"
    with_cann = in_cann("-P", "-c", show).stdout.splitlines()
    assert with_cann == [with_cann[0], f"{fake_cann}/python/site-packages/ge"]
    built_in = in_cann("-P", "-c", show, GE_ENGINE="builtin").stdout.splitlines()
    assert built_in == [with_cann[0], f"{with_cann[0]}/_builtin"]
    assert with_cann[0].startswith(str(environment))


def test_module_that_only_cann_has_is_imported_from_it(in_cann):
    command = ("-P", "-c", "import ge.only_in_cann; print(ge.only_in_cann.answer)")
    assert in_cann(*command).stdout == "42\n"
    assert "No module named" in in_cann(*command, GE_ENGINE="builtin").stderr


def test_unknown_engine_is_refused_in_one_line(run, environment):
    env = {"GE_ENGINE": "npu"}
    says = "GE_ENGINE=npu names no engine; it can be auto, builtin or cann"
    for command in ([environment / "bin/pyatc"], [environment / "bin/python3", *MODULE]):
        done = run(*command, "--help", env=env)
        assert (done.status, done.stdout) == (1, "")
        assert says in done.stderr
        assert done.stderr.count("\n") == 1


def test_missing_cann_is_reported_with_where_it_was_looked_for(run, environment, tmp_path):
    python = environment / "bin" / "python3"
    nowhere = run(python, *MODULE, env={"GE_ENGINE": "cann"})
    assert "ASCEND_HOME_PATH or ASCEND_TOOLKIT_HOME" in nowhere.stderr
    elsewhere = run(python, *MODULE, env={"GE_ENGINE": "cann", "ASCEND_HOME_PATH": tmp_path})
    assert f"ASCEND_HOME_PATH={tmp_path}" in elsewhere.stderr
    for done in (nowhere, elsewhere):
        assert (done.status, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("source", "reason"),
    [("", "has no function GeApiWrapper_Atc_Main"), (None, "cannot open")],
)
def test_unusable_wrapper_library_is_reported_in_one_line(
    run, environment, tmp_path, source, reason
):
    library = tmp_path / "lib64" / "libpyatc_wrapper.so"
    library.parent.mkdir()
    if source is None:
        library.write_text("not a library")
    else:
        (tmp_path / "empty.c").write_text(source)
        assert run("cc", "-shared", tmp_path / "empty.c", "-o", library).status == 0
    done = run(environment / "bin" / "pyatc", env={"ASCEND_HOME_PATH": tmp_path})
    assert (done.status, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert reason in done.stderr
    assert str(library) in done.stderr
