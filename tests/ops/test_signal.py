"""DFT, STFT, windows, MelWeightMatrix, TfIdfVectorizer."""

import numpy as np
import pytest
from ops.oracle import Call, check_folds, check_refused, check_shapes, folded, import_call

F32 = np.float32


def signal(*shape, seed=0, dtype=F32):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def as_complex(x):
    x = x.astype(np.float64)
    return x[..., 0] + (1j * x[..., 1] if x.shape[-1] == 2 else 0)


def as_parts(y):
    return np.stack([y.real, y.imag], axis=-1)


@pytest.mark.parametrize("length", [1, 2, 3, 8, 12, 17, 30])
@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("inverse", [0, 1])
def test_dft_of_any_length(length, parts, inverse):
    x = signal(2, length, parts)
    transform = np.fft.ifft if inverse else np.fft.fft
    (got,) = folded(Call("DFT", [x], {"inverse": inverse, "axis": 1}, 17))
    np.testing.assert_allclose(got, as_parts(transform(as_complex(x), axis=1)), 1e-5, 1e-5)


@pytest.mark.parametrize("axis", [0, 1, -2, -3])
@pytest.mark.parametrize("wanted", [None, 3, 7])
@pytest.mark.parametrize("onesided", [0, 1])
def test_dft_along_an_axis_cut_or_filled_up(axis, wanted, onesided):
    x = signal(4, 5, 1)
    inputs = [x, None if wanted is None else np.array(wanted, np.int64), np.array(axis, np.int64)]
    call = Call("DFT", inputs, {"onesided": onesided}, 20)
    (got,) = folded(call)
    numpy_axis = axis if axis >= 0 else axis + 1
    transform = np.fft.rfft if onesided else np.fft.fft
    want = transform(x[..., 0].astype(np.float64), n=wanted, axis=numpy_axis)
    np.testing.assert_allclose(got, as_parts(want), 1e-5, 1e-5)
    check_shapes(call, constant=(1, 2))


@pytest.mark.parametrize("length", [5, 6])
def test_inverse_of_half_a_spectrum_is_real(length):
    x = signal(3, length)
    bins = as_parts(np.fft.rfft(x.astype(np.float64))).astype(F32)
    inputs = [bins, np.array(length, np.int64)]
    (got,) = folded(Call("DFT", inputs, {"onesided": 1, "inverse": 1}, 20))
    np.testing.assert_allclose(got[..., 0], x, 1e-4, 1e-5)


def test_dft_whose_axis_is_known_at_run_time_only():
    inputs = [signal(4, 5, 2), np.array(3, np.int64), np.array(1, np.int64)]
    assert import_call(Call("DFT", inputs, {}, 20))["outputs"][0]["shape"] == [-1, -1, -1]


def test_dft_that_does_not_fit():
    check_refused(Call("DFT", [signal(4, 5, 3)], {}, 17), "last dim")
    check_refused(Call("DFT", [signal(4, 5, 1)], {"axis": 2}, 17), "axis")


@pytest.mark.parametrize(("parts", "onesided"), [(1, 0), (1, 1), (2, 0)])
@pytest.mark.parametrize("windowed", [False, True])
def test_stft(parts, onesided, windowed):
    x, window = signal(2, 20, parts), signal(6, seed=1)
    step, length = np.array(3, np.int64), np.array(6, np.int64)
    inputs = [x, step, window if windowed else None, length]
    call = Call("STFT", inputs, {"onesided": onesided}, 17)
    (got,) = folded(call)
    whole = as_complex(x)
    frames = np.stack([whole[:, at : at + 6] for at in range(0, 15, 3)], axis=1)
    want = np.fft.fft(frames * (window if windowed else 1))
    want = want[..., :4] if onesided else want
    np.testing.assert_allclose(got, as_parts(want), 1e-5, 1e-5)
    check_shapes(call, data_dependent=True)


@pytest.mark.parametrize("op_type", ["HannWindow", "HammingWindow", "BlackmanWindow"])
@pytest.mark.parametrize("periodic", [0, 1])
@pytest.mark.parametrize("dtype", [1, 10, 11])
def test_windows(op_type, periodic, dtype):
    attrs = {"periodic": periodic, "output_datatype": dtype}
    call = Call(op_type, [np.array(9, np.int32)], attrs, 17)
    check_folds(call, rtol=2e-3 if dtype == 10 else 1e-5, atol=1e-3 if dtype == 10 else 1e-6)
    check_shapes(call, data_dependent=True)


@pytest.mark.parametrize("bins", [4, 8])
def test_mel_weight_matrix(bins):
    inputs = [np.array(n, np.int64) for n in (bins, 32, 8000)]
    inputs += [np.array(n, F32) for n in (10, 3000)]
    call = Call("MelWeightMatrix", inputs, {}, 17)
    check_folds(call, rtol=1e-5, atol=1e-6)
    check_shapes(call, data_dependent=True)


POOL = {
    "ngram_counts": [0, 2],
    "ngram_indexes": [0, 1, 3, 5],
    "pool_int64s": [2, 3, 5, 4, 7, 8],
    "min_gram_length": 1,
    "max_gram_length": 2,
}


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("skips", [0, 2])
@pytest.mark.parametrize("least", [1, 2])
def test_tfidf_of_integers(mode, skips, least):
    x = np.array([[1, 2, 3, 7, 8, 5, 4], [2, 7, 5, 8, 4, 2, 2]], np.int64)
    attrs = {**POOL, "mode": mode, "max_skip_count": skips, "min_gram_length": least}
    call = Call("TfIdfVectorizer", [x], attrs, 9)
    check_folds(call)
    check_folds(Call("TfIdfVectorizer", [x[0]], attrs, 9))
    check_folds(Call("TfIdfVectorizer", [x[0, :1]], attrs, 9))
    check_shapes(call, hidden={0: (0, 1)})


def test_tfidf_of_a_pool_that_does_not_fit():
    x = np.array([1, 2], np.int64)
    attrs = {**POOL, "mode": "TF", "max_skip_count": 0}
    wrong = {**attrs, "ngram_indexes": [0, 1]}
    check_refused(Call("TfIdfVectorizer", [x], wrong, 9), "ngram_indexes")
    check_refused(
        Call("TfIdfVectorizer", [x], {**attrs, "ngram_counts": [2, 0]}, 9), "ngram_counts"
    )
