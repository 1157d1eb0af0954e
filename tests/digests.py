"""XXH64, written from its specification alone."""

import numpy as np

P1, P2, P3, P4, P5 = (
    11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
    2870177450012600261,
)  # fmt: skip


def rotl(x, r):
    x %= 2**64
    return (x << r | x >> (64 - r)) % 2**64


def step(acc, lane):
    return rotl(acc + lane * P2, 31) * P1 % 2**64


def xxh64(data):
    """Seed 0, as hexadecimal digits."""
    size, at = len(data), 0
    acc = P5
    if size >= 32:
        accs = [P1 + P2, P2, 0, -P1]
        while at + 32 <= size:
            lanes = np.frombuffer(data, "<u8", 4, at).tolist()
            accs = [step(a, lane) for a, lane in zip(accs, lanes, strict=True)]
            at += 32
        acc = sum(rotl(a, r) for a, r in zip(accs, (1, 7, 12, 18), strict=True))
        for a in accs:
            acc = (acc ^ step(0, a)) * P1 + P4
    acc = (acc + size) % 2**64
    while at + 8 <= size:
        acc = rotl(acc ^ step(0, int.from_bytes(data[at : at + 8], "little")), 27) * P1 + P4
        at += 8
    if at + 4 <= size:
        word = int.from_bytes(data[at : at + 4], "little")
        acc = rotl(acc ^ word * P1 % 2**64, 23) * P2 + P3
        at += 4
    for byte in data[at:]:
        acc = rotl(acc ^ byte * P5 % 2**64, 11) * P1
    acc %= 2**64
    acc = (acc ^ acc >> 33) * P2 % 2**64
    acc = (acc ^ acc >> 29) * P3 % 2**64
    return f"{acc ^ acc >> 32:016x}"
