"""SmallVector and NameMap, through a C++ program that compares them with the standard ones."""


def test_own_containers_do_what_the_standard_ones_do(cxx_program, run):
    done = run(cxx_program("tests/containers_test"))
    assert (done.status, done.stdout) == (0, "")
