"""Attention in all its forms, and what stands beside it: rotary embedding, caches."""

import dataclasses

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from ops.oracle import (
    Call,
    assert_close,
    check_folds,
    check_refused,
    check_shapes,
    folded,
    import_call,
    run,
)

F32 = np.float32
BATCH, HEADS, QUERIES, KEYS, SIZE = 2, 4, 3, 5, 8


def values(*shape, seed=0, dtype=F32):
    return np.random.default_rng(seed + len(shape)).uniform(-1, 1, shape).astype(dtype)


def heads(query=HEADS, keys=HEADS, past=0):
    """Q, K, V of four dims; with ``past`` also what stands before K and V."""
    inputs = [
        values(BATCH, query, QUERIES, SIZE, seed=1),
        values(BATCH, keys, KEYS, SIZE, seed=2),
        values(BATCH, keys, KEYS, SIZE + 2, seed=3),
    ]
    if past:
        inputs += [None, values(BATCH, keys, past, SIZE, seed=4)]
        inputs += [values(BATCH, keys, past, SIZE + 2, seed=5)]
    return inputs


@pytest.mark.parametrize(
    "attrs",
    [
        {},
        {"scale": 0.3},
        {"is_causal": 1},
        {"softcap": 0.5},
        {"is_causal": 1, "softcap": 2.0},
        {"softmax_precision": TensorProto.DOUBLE},
    ],
)
@pytest.mark.parametrize("keys", [HEADS, 2, 1])
def test_attention_of_four_dims(attrs, keys):
    check_folds(Call("Attention", heads(keys=keys), attrs, 23), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("keys", [4, 2])
def test_attention_of_three_dims(keys):
    inputs = [
        values(BATCH, QUERIES, 4 * SIZE),
        values(BATCH, KEYS, keys * SIZE),
        values(BATCH, KEYS, keys * SIZE),
    ]
    attrs = {"q_num_heads": 4, "kv_num_heads": keys}
    call = Call("Attention", inputs, attrs, 23)
    check_folds(call, rtol=1e-4, atol=1e-5)
    check_shapes(call, hidden={0: (0, 1), 1: (0, 1), 2: (0, 1)})


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_past_and_every_stage_of_the_scores(mode):
    inputs = heads(past=2)
    inputs[3] = values(QUERIES, KEYS + 2, seed=6)
    attrs = {"qk_matmul_output_mode": mode}
    check_folds(Call("Attention", inputs, attrs, 23, outputs=4), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "shape", [(QUERIES, KEYS), (HEADS, QUERIES, KEYS), (BATCH, 1, QUERIES, KEYS)]
)
@pytest.mark.parametrize("dtype", [np.bool_, F32])
def test_masks_broadcast(shape, dtype):
    mask = values(*shape) > -0.5 if dtype == np.bool_ else values(*shape)
    if dtype == np.bool_:
        mask[..., 0] = True
    check_folds(Call("Attention", [*heads(), mask], {}, 23), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("dtype", [np.bool_, F32])
def test_keys_behind_a_short_mask_are_hidden(causal, dtype):
    mask = values(QUERIES, KEYS - 2)
    hidden = np.full((QUERIES, 2), -np.inf, F32)
    if dtype == np.bool_:
        mask, hidden = mask > -2, np.zeros((QUERIES, 2), np.bool_)
    call = Call("Attention", [*heads(), mask], {"is_causal": causal}, 24)
    whole = dataclasses.replace(call, inputs=[*heads(), np.concatenate([mask, hidden], axis=1)])
    assert_close(folded(call)[0], run(whole)[0], 1e-4, 1e-5)
    assert import_call(call, hidden={3: (1,)})["outputs"][0]["shape"][:2] == [BATCH, HEADS]


def test_a_query_that_sees_no_key_gives_zeros():
    mask = np.ones((QUERIES, KEYS), np.bool_)
    mask[1] = False
    imported = import_call(Call("Attention", [*heads(), mask], {}, 23), constant=range(4))
    result = np.array(imported["outputs"][0]["value"]).reshape(imported["outputs"][0]["shape"])
    assert (result[:, :, 1] == 0).all()
    assert (result[:, :, 0] != 0).all()


@pytest.mark.parametrize(
    "attrs", [{}, {"is_causal": 1}, {"left_window_size": 1}, {"right_window_size": 0}]
)
def test_a_cache_with_free_places_at_its_end(attrs):
    """The positions of queries are those behind the keys that count."""
    lengths = np.array([4, 3], np.int64)
    inputs = [*heads(), None, None, None, lengths]
    imported = import_call(Call("Attention", inputs, attrs, 25), constant=range(7))
    got = np.array(imported["outputs"][0]["value"]).reshape(imported["outputs"][0]["shape"])
    query, key, value = (x.astype(np.float64) for x in inputs[:3])
    scores = query @ np.swapaxes(key, 2, 3) / np.sqrt(SIZE)
    column = np.arange(KEYS)
    position = np.arange(QUERIES)[:, None] + lengths[:, None, None, None] - QUERIES
    seen = np.broadcast_to(column < lengths[:, None, None, None], scores.shape).copy()
    right = 0 if attrs.get("is_causal") else attrs.get("right_window_size")
    if right is not None:
        seen &= column <= position + right
    if "left_window_size" in attrs:
        seen &= column >= position - attrs["left_window_size"]
    weights = np.exp(scores) * seen
    weights /= weights.sum(-1, keepdims=True)
    np.testing.assert_allclose(got, weights @ value, 1e-5, 1e-6)


def test_attention_of_unknown_lengths_stays_a_graph():
    hidden = {0: (0, 2), 1: (0, 2), 2: (0, 2), 4: (2,), 5: (2,)}
    call = Call("Attention", heads(keys=2, past=3), {"is_causal": 1}, 23, outputs=3)
    check_shapes(call, hidden=hidden)


@pytest.mark.parametrize(
    ("inputs", "attrs", "words"),
    [
        (heads(query=3, keys=2), {}, ("3 heads", "2")),
        ([values(2, 3, 8)] * 3, {}, ("q_num_heads",)),
        ([values(2, 3, 8)] * 3, {"q_num_heads": 3, "kv_num_heads": 3}, ("3 heads",)),
        (heads(), {"qk_matmul_output_mode": 4}, ("qk_matmul_output_mode", "4")),
        ([*heads(), None, values(2, 4, 1, 8)], {}, ("past_key", "past_value")),
        ([*heads(), values(QUERIES, KEYS + 1)], {}, ("attn_mask", "beyond")),
    ],
)
def test_attention_that_does_not_fit(inputs, attrs, words):
    check_refused(Call("Attention", inputs, attrs, 23), *words)


def flex_model(score_mod=None, prob_mod=None, keys=HEADS):
    def graph(name, op_type, constant):
        types = [
            helper.make_tensor_value_info(n, TensorProto.FLOAT, [None] * 4) for n in (name, "out")
        ]
        value = helper.make_tensor("c", TensorProto.FLOAT, [], [constant])
        return helper.make_graph(
            [helper.make_node(op_type, [name, "c"], ["out"])], name, types[:1], types[1:], [value]
        )

    attrs = {}
    if score_mod:
        attrs["score_mod"] = graph("s", *score_mod)
    if prob_mod:
        attrs["prob_mod"] = graph("p", *prob_mod)
    inputs = heads(keys=keys)
    node = helper.make_node(
        "FlexAttention", ["q", "k", "v"], ["y"], domain="ai.onnx.preview", **attrs
    )
    model = helper.make_model(
        helper.make_graph(
            [node],
            "g",
            [],
            [onnx.ValueInfoProto(name="y")],
            [onnx.numpy_helper.from_array(x, n) for n, x in zip("qkv", inputs, strict=True)],
        ),
        opset_imports=[helper.make_opsetid("", 25), helper.make_opsetid("ai.onnx.preview", 1)],
    )
    return model, inputs


@pytest.mark.parametrize("keys", [HEADS, 2])
def test_flex_attention_applies_both_graphs(keys):
    from ge import _testing

    model, (query, key, value) = flex_model(("Mul", 0.5), ("Add", 1.0), keys)
    result = _testing.import_onnx(model.SerializeToString())["outputs"][0]
    key, value = (np.repeat(x, HEADS // keys, axis=1) for x in (key, value))
    weights = np.exp(0.5 * (query @ np.swapaxes(key, 2, 3)) / np.sqrt(SIZE))
    weights = weights / weights.sum(-1, keepdims=True) + 1
    got = np.array(result["value"]).reshape(result["shape"])
    np.testing.assert_allclose(got, weights @ value, 1e-5, 1e-6)


STEPS, KEY_SIZE, VALUE_SIZE = 4, 3, 2


def linear(rule, query_heads=2, key_heads=2, per_head_decay=False, past=False):
    inputs = [
        values(BATCH, STEPS, query_heads * KEY_SIZE),
        values(BATCH, STEPS, key_heads * KEY_SIZE, seed=1),
        values(BATCH, STEPS, key_heads * VALUE_SIZE, seed=2),
        values(BATCH, key_heads, KEY_SIZE, VALUE_SIZE, seed=3) if past else None,
        None,
        None,
    ]
    if "gated" in rule:
        width = key_heads if per_head_decay else key_heads * KEY_SIZE
        inputs[4] = values(BATCH, STEPS, width, seed=4)
    if "delta" in rule:
        inputs[5] = values(BATCH, STEPS, key_heads, seed=5)
    attrs = {"update_rule": rule, "q_num_heads": query_heads, "kv_num_heads": key_heads}
    return Call("LinearAttention", inputs, attrs, 27, outputs=2)


@pytest.mark.parametrize("rule", ["linear", "gated", "delta", "gated_delta"])
@pytest.mark.parametrize("past", [False, True])
def test_linear_attention(rule, past):
    call = linear(rule, past=past)
    expected = linear_attention(call)
    imported = import_call(call, constant=range(6))
    for got, want in zip(imported["outputs"], expected, strict=True):
        assert got["shape"] == list(want.shape)
        np.testing.assert_allclose(np.array(got["value"]), want.ravel(), 1e-5, 1e-6)


@pytest.mark.parametrize("per_head", [False, True])
def test_linear_attention_of_shared_heads(per_head):
    call = linear("gated_delta", query_heads=6, key_heads=2, per_head_decay=per_head)
    imported = import_call(call, constant=range(6))
    want = linear_attention(call)[0]
    np.testing.assert_allclose(np.array(imported["outputs"][0]["value"]), want.ravel(), 1e-5, 1e-6)


def linear_attention(call):
    """Step by step, as the operator is defined."""
    query, key, value, past, decay, beta = (
        None if x is None else x.astype(np.float64) for x in call.inputs
    )
    q_heads, kv_heads = call.attrs["q_num_heads"], call.attrs["kv_num_heads"]

    def split(x, count):
        return x.reshape(BATCH, STEPS, count, -1)

    query, key, value = split(query, q_heads), split(key, kv_heads), split(value, kv_heads)
    state = np.zeros((BATCH, kv_heads, KEY_SIZE, VALUE_SIZE)) if past is None else past
    results = np.zeros((BATCH, STEPS, q_heads, VALUE_SIZE))
    for t in range(STEPS):
        if decay is not None:
            state = state * np.exp(split(decay, kv_heads)[:, t])[..., None]
        added = value[:, t]
        if beta is not None:
            stored = np.einsum("bhk,bhkv->bhv", key[:, t], state)
            added = split(beta, kv_heads)[:, t] * (added - stored)
        state = state + np.einsum("bhk,bhv->bhkv", key[:, t], added)
        shared = np.repeat(state, q_heads // kv_heads, axis=1)
        results[:, t] = np.einsum("bhk,bhkv->bhv", query[:, t], shared) / np.sqrt(KEY_SIZE)
    return results.reshape(BATCH, STEPS, -1), state


def test_linear_attention_needs_known_steps():
    check_refused(linear("linear"), "input 0", hidden={0: (1,), 1: (1,), 2: (1,)})


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("turned", [0, 4])
@pytest.mark.parametrize("rank", [3, 4])
def test_rotary_embedding(interleaved, turned, rank):
    half = (turned or SIZE) // 2
    x = values(BATCH, HEADS, QUERIES, SIZE) if rank == 4 else values(BATCH, QUERIES, HEADS * SIZE)
    attrs = {"interleaved": interleaved, "rotary_embedding_dim": turned}
    if rank == 3:
        attrs["num_heads"] = HEADS
    caches = [values(10, half, seed=1), values(10, half, seed=2)]
    places = np.array([[0, 3, 9], [1, 1, 5]], np.int64)
    call = Call("RotaryEmbedding", [x, *caches, places], attrs, 23)
    check_folds(call)
    check_shapes(call, hidden={0: (0, 2 if rank == 4 else 1), 3: (0, 1)})
    gathered = [cache[places] for cache in caches]
    check_folds(Call("RotaryEmbedding", [x, *gathered], attrs, 23))


@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("axis", [-2, 1])
def test_tensor_scatter(mode, axis):
    cache, update = values(2, 5, 5, 3), values(2, 5, 2, 3, seed=1)
    if axis == 1:
        cache, update = np.swapaxes(cache, 1, 2), np.swapaxes(update, 1, 2)
    starts = np.array([3, 1] if mode == "linear" else [4, 8], np.int64)
    call = Call("TensorScatter", [cache, update, starts], {"mode": mode, "axis": axis}, 24)
    check_folds(call)
    check_shapes(call, hidden={0: (0,), 1: (0,), 2: (0,)})


@pytest.mark.parametrize("length", [1, 4])
@pytest.mark.parametrize("activation", ["none", "silu"])
@pytest.mark.parametrize("past", [False, True])
def test_causal_conv_with_state(length, activation, past):
    x, weight, bias = values(2, 3, length), values(3, 1, 3), values(3, seed=1)
    before = values(2, 3, 2, seed=2)
    inputs = [x, weight, bias, before if past else None]
    call = Call("CausalConvWithState", inputs, {"activation": activation}, 27, outputs=2)
    imported = import_call(call, constant=range(4))
    whole = np.concatenate([before if past else np.zeros_like(before), x], axis=2)
    want = sum(whole[:, :, i : i + length] * weight[:, 0, i, None] for i in range(3))
    want = want + bias[:, None]
    if activation == "silu":
        want = want / (1 + np.exp(-want))
    for got, array in zip(imported["outputs"], [want, whole[:, :, -2:]], strict=True):
        assert got["shape"] == list(array.shape)
        np.testing.assert_allclose(np.array(got["value"]), array.ravel(), 1e-5, 1e-6)
