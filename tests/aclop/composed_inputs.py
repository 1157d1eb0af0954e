"""Inputs of the operators that are computed by others, and functions that their oracles share."""

import numpy as np

RANDOM = np.random.default_rng(5)
SMALL, LARGE = (3, 4), (2, 3, 4)


def x(*shape, least=-3.0, most=3.0, dtype="float32"):
    """Random numbers, of few bits, so that they are the same in float16."""
    values = RANDOM.uniform(least, most, shape or SMALL)
    return (np.round(values * 64) / 64).astype(dtype)


def positive(*shape):
    return x(*shape, least=0.5)


def some(*shape):
    """Some zeros among random numbers."""
    values = x(*shape)
    values[RANDOM.random(values.shape) < 0.4] = 0
    return values


def ints(*values, dtype="int32"):
    return np.array(values, dtype)


def flags(*shape):
    return RANDOM.random(shape or SMALL) < 0.5


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def softmax(v):
    powers = np.exp(v - v.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def softplus(v):
    return np.log1p(np.exp(v))
