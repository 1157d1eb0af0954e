"""Files that are cut off, changed or something else: one clear message, never a crash."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from om.om_files import build_om, message
from om.test_json_view import SAMPLE_NAMES


@pytest.fixture(scope="session")
def convert(run, atc, tmp_path_factory):
    """Run both views on bytes; returns how they ended, after the checks that hold for any file."""
    folder = tmp_path_factory.mktemp("damaged")

    def call(data, *flags):
        path, out = folder / "model.om", folder / "out.json"
        path.write_bytes(data)
        out.unlink(missing_ok=True)
        dumped = run(atc, "--mode=1", f"--om={path}", f"--json={out}", *flags)
        shown = run(atc, "--mode=6", f"--om={path}") if not flags else dumped
        for done in (dumped, shown):
            assert done.status >= 0, f"killed by signal {-done.status}"
            named = re.search(r"\bE\d{5}\b", done.stdout + done.stderr)
            assert (done.status == 0) == (named is None), done.stdout + done.stderr
        assert out.exists() == (dumped.status == 0)
        assert sorted(file.name for file in folder.iterdir()) == sorted(
            ["model.om", "out.json"][: 1 + out.exists()]
        )
        return dumped

    return call


@given(st.sampled_from(SAMPLE_NAMES), st.data())
def test_truncated_file_is_refused(convert, samples, name, data):
    whole = (samples / f"{name}.om").read_bytes()
    done = convert(whole[: data.draw(st.integers(1, len(whole) - 1))])
    assert done.status != 0
    assert "E10041" in done.stdout + done.stderr


@given(st.sampled_from(SAMPLE_NAMES), st.data())
def test_changed_bytes_never_crash(convert, samples, name, data):
    damaged = bytearray((samples / f"{name}.om").read_bytes())
    # Headers and tables are a small part of a file and most of what can go wrong.
    places = st.integers(0, 400) | st.integers(0, len(damaged) - 1)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(places)] = data.draw(st.sampled_from([0, 1, 127, 128, 255]))
    convert(bytes(damaged))


@given(st.binary(max_size=200))
def test_any_model_definition_never_crashes(convert, definition):
    convert(build_om([[(0, definition), (2, b"")]]))


@given(st.binary(max_size=200))
def test_any_onnx_graph_never_crashes(convert, graph):
    convert(b"\x3a" + bytes([len(graph) & 127]) + graph, "--framework=5")


def test_deep_nesting_needs_no_deep_stack(convert):
    body = b""
    while len(body) < 1 << 17:  # NamedAttrs.attr.value.func, each in the one before
        for tag in (0x52, 0x12, 0x12):
            body = bytes([tag]) + varint(len(body)) + body
    entry = b"\x0a\x01a\x12" + varint(len(body)) + body
    model = b"\x5a" + varint(len(entry)) + entry
    assert convert(build_om([[(0, model), (2, b"")]])).status == 0


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def refused(convert, data, code, text):
    done = convert(data)
    assert done.status != 0
    assert code in done.stdout + done.stderr
    assert text in done.stdout + done.stderr


def test_zip_archive_is_named(convert):
    refused(convert, b"PK\x03\x04" + bytes(300), "E10055", "OM2")


def test_other_file_is_named(convert):
    refused(convert, b"\x08\x07" + bytes(300), "E10041", "not an offline model")


def test_file_without_model_definition_is_named(convert):
    refused(convert, build_om([[(1, b"w"), (2, b"t")]]), "E10041", "no model definition")


def test_bytes_after_the_end_are_counted(convert):
    data = build_om([[(0, message("ModelDef").SerializeToString()), (2, b"")]])
    refused(convert, data + b"tail", "E10041", f"{len(data) - 256} bytes follow")


def test_encrypted_file_is_named(convert):
    data = bytearray(build_om([[(0, b""), (2, b"")]]))
    data[80] = 1
    refused(convert, bytes(data), "E10041", "encrypted")
