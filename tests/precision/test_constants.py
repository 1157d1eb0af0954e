"""Constants that are narrowed: values, clipping, what is said about them."""

import numpy as np
import pytest
from passes.models import model, node


def passed_through(values, flags=(), build=None):
    """What a constant of these values is in the model, as float16."""
    net = model([node("Mul", "x,w", "y")], {"x": list(values.shape)}, ["y"], {"w": values})
    built = build(net, "--output_type=FP16", *flags)
    ones = np.ones(values.shape, np.float32)
    return built, next(iter(built.run({"x": ones}).values()))


def samples(count):
    """Floats of all magnitudes that float16 has, and around."""
    rng = np.random.default_rng(count)
    exponents = rng.integers(-26, 16, count)
    return (rng.uniform(1, 2, count) * 2.0**exponents * rng.choice([-1, 1], count)).astype(
        np.float32
    )


@pytest.mark.parametrize("count", [7, 5000, 300_001])  # at once, and while it is written
def test_constants_are_rounded_to_nearest_even(build, count):
    values = samples(count)
    values = values[np.abs(values) < 65504]
    _, got = passed_through(values, build=build)
    np.testing.assert_array_equal(got, values.astype(np.float16))


@pytest.mark.parametrize("count", [40, 100_000])
def test_constants_beyond_the_range_are_clipped_and_named(build, count):
    net = model(
        [node("MatMul", "x,w", "y")],
        {"x": [1, 1]},
        ["y"],
        {"w": np.resize(np.float32([1e6, -1e6, 1, -np.inf]), (1, count))},
    )
    built = build(net, "--output_type=FP16")
    one = {"x": np.ones((1, 1), np.float32)}
    wanted = np.resize(np.float16([65504, -65504, 1, -np.inf]), (1, count))
    np.testing.assert_array_equal(next(iter(built.run(one).values())), wanted)
    assert "W10006" in built.text
    assert f"[w] ({count // 2} too large of {count})" in built.text
    infinite = build(net, "--output_type=FP16", "--is_weight_clip=0")
    wanted = np.resize(np.float16([np.inf, -np.inf, 1, -np.inf]), (1, count))
    np.testing.assert_array_equal(next(iter(infinite.run(one).values())), wanted)


def test_constants_that_vanish_are_named(build):
    tiny = np.full((1, 50), 1e-9, np.float32)
    net = model([node("MatMul", "x,w", "y")], {"x": [1, 1]}, ["y"], {"w": tiny})
    assert "[w] (50 became 0 of 50)" in build(net).text
    tiny[0, 1:] = 1
    net = model([node("MatMul", "x,w", "y")], {"x": [1, 1]}, ["y"], {"w": np.tile(tiny, 5)})
    assert "became 0" in build(net).text  # one in fifty
    few = np.ones((1, 5000), np.float32)
    few[0, 0] = 1e-9
    net = model([node("MatMul", "x,w", "y")], {"x": [1, 1]}, ["y"], {"w": few})
    assert "W10006" not in build(net).text


def test_nothing_is_said_where_nothing_is_narrowed(build):
    net = model(
        [node("MatMul", "x,w", "y")], {"x": [1, 1]}, ["y"], {"w": np.float32([[1e6, 1e-12]])}
    )
    assert "W1000" not in build(net, "--precision_mode_v2=origin").text


def test_a_constant_with_several_readers_is_converted_once(build):
    square = (np.arange(9).reshape(1, 3, 3) / 7).astype(np.float32)
    nodes = [node("Add", "x,w", "a"), node("Concat", "w,x", "j", axis=0), node("Det", "j", "c")]
    net = model(nodes, {"x": [1, 3, 3]}, ["a", "c"], {"w": square})
    built = build(net)
    feeds = {"x": np.eye(3, dtype=np.float32)[None]}
    wanted = square.astype(np.float16).astype(np.float32) + feeds["x"]
    np.testing.assert_array_equal(built.run(feeds)["a"], wanted.astype(np.float16))
    assert built.dtypes()["c"] == "float32"


def test_lowered_weights_take_half_the_file(build):
    net = model(
        [node("MatMul", "x,w", "y")], {"x": [1, 512]}, ["y"], {"w": np.ones((512, 512), np.float32)}
    )
    sizes = [
        build(net, f"--precision_mode_v2={mode}").path.stat().st_size for mode in ("origin", "fp16")
    ]
    assert abs(sizes[0] - sizes[1] - 512 * 512 * 2) < 4096
