"""AtomicFile, through a C++ program that makes its system calls fail one by one."""


def test_no_failed_call_leaves_anything_behind(cxx_program, run, tmp_path):
    names = ("tests/atomic_file_test", "base/atomic_file", "base/file", "base/status")
    done = run(cxx_program(*names, "base/syscalls"), tmp_path)
    assert (done.status, done.stdout) == (0, "")
