"""ParallelFor, through a C++ program."""


def test_what_a_body_throws_arrives_at_the_caller(cxx_program, run):
    done = run(cxx_program("tests/parallel_test", "base/parallel"))
    assert (done.status, done.stdout) == (0, "")
