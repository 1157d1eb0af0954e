"""The JSON file appears complete or not at all."""

import os
import resource
import subprocess

import pytest


@pytest.fixture
def model(samples, tmp_path):
    path = tmp_path / "in" / "model.om"
    path.parent.mkdir()
    path.write_bytes((samples / "gemm_singleop.om").read_bytes())
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_file_size_limit_leaves_nothing(atc, model, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    done = subprocess.run(
        [atc, "--mode=1", f"--om={model}", f"--json={out}/x.json"],
        capture_output=True,
        text=True,
        check=False,
        restore_signals=False,  # SIGXFSZ stays ignored: write() fails with EFBIG
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode > 0
    assert "E13004" in done.stdout + done.stderr
    assert "File too large" in done.stdout + done.stderr
    assert names(out) == []


def test_old_file_survives_a_failed_write(atc, model, tmp_path):
    out = tmp_path / "x.json"
    out.write_text("old")
    done = subprocess.run(
        [atc, "--mode=1", f"--om={model}", f"--json={out}"],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode != 0  # killed by SIGXFSZ in this one
    assert out.read_text() == "old"
    assert names(tmp_path) == ["in", "x.json"]


def test_old_file_is_replaced_and_links_are_followed(run, atc, model, tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    assert run(atc, "--mode=1", f"--om={model}", f"--json={link}").status == 0
    assert link.is_symlink()
    assert real.read_text().startswith("{\n")
    assert names(tmp_path) == ["in", "link.json", "real.json"]


def test_permissions_follow_the_umask(atc, model, tmp_path):
    out = tmp_path / "x.json"
    subprocess.run([atc, "--mode=1", f"--om={model}", f"--json={out}"], check=True, umask=0o027)
    assert out.stat().st_mode & 0o777 == 0o640


def test_model_is_not_overwritten_by_its_own_json(run, atc, model):
    before = model.read_bytes()
    done = run(atc, "--mode=1", f"--om={model}", f"--json={model}")
    assert done.status != 0
    assert "E10001" in done.stdout + done.stderr
    assert model.read_bytes() == before


def test_device_is_refused_and_stays(run, atc, model, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(atc, "--mode=1", f"--om={model}", f"--json={pipe}").status != 0
    assert pipe.is_fifo()
