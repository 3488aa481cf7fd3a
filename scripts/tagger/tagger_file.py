"""Writes a trained network as tagger.bin, the file that src/language/tagger-model.ts reads.

Everything in it is an integer, so that the tagger computes the same tags on every platform. A fixed-point number with n
bits is an integer that counts steps of 2 ** -n.
"""

import struct

import numpy as np

from features import FEATURES, hash_of

MAGIC = b"NYMDEX-TAGGER-1\n"
LANES = 64
"""How many sums the tagger computes at once: matrices are stored in blocks of this many columns."""
SUM_BITS = 11
"""What the bits of two factors, less the 15 that a product drops, must give in all layers but the last."""
EMBEDDING_BITS = 12
SCALE_BITS = 7
INPUT_BITS = 14
RECURRENT_BITS = 11
OUTPUT_BITS = 14
SCORE_BITS = 10


def write_tagger(path, weights, words, tags):
    """`weights` are the float matrices of network.Tagger by name, `words` the known words from number 2 on."""
    sections = [(1, "\n".join(tags).encode()), (4, _word_hashes(words).tobytes())]
    for feature in FEATURES:
        numbers, scales = _quantised(weights[f"embeddings.{feature.name}.weight"])
        sections += [(feature.width, numbers.tobytes()), (2, scales.tobytes())]
    inputs, biases = _inputs(weights)
    sections += [_matrix(inputs, INPUT_BITS), _vector(biases, SUM_BITS)]
    sections += [_matrix(weights[f"reader.weight_hh_l0{way}"], RECURRENT_BITS) for way in WAYS]
    sections += [_matrix(weights["from_context.weight"], RECURRENT_BITS)]
    sections += [_matrix(weights["output.weight"], OUTPUT_BITS), _vector(weights["output.bias"], SCORE_BITS)]
    with open(path, "wb") as file:
        file.write(MAGIC)
        file.write(struct.pack("<I", len(sections)))
        for width, data in sections:
            file.write(struct.pack("<II", width, len(data)))
        for _, data in sections:
            file.write(b"\0" * (-file.tell() % 16))
            file.write(data)


WAYS = ("", "_reverse")


def _inputs(weights):
    """All that depends on the word alone: for each way through the sentence the sums of the reset gate, of the update
    gate, of what the state adds to the candidate (only its bias), and of the candidate; then those of the hidden layer."""
    matrices, biases = [], []
    for way in WAYS:
        reset, update, candidate = np.split(weights[f"reader.weight_ih_l0{way}"], 3)
        matrices += [reset, update, np.zeros_like(candidate), candidate]
        of_reset, of_update, of_candidate = np.split(weights[f"reader.bias_ih_l0{way}"], 3)
        state_reset, state_update, state_candidate = np.split(weights[f"reader.bias_hh_l0{way}"], 3)
        biases += [of_reset + state_reset, of_update + state_update, state_candidate, of_candidate]
    matrices.append(weights["from_word.weight"])
    biases.append(weights["from_context.bias"])
    return np.concatenate(matrices), np.concatenate(biases)


def _word_hashes(words):
    hashes = np.array([hash_of("w" + word) for word in words], dtype="<u4")
    if len(set(hashes.tolist()) | {0}) != len(words) + 1:
        raise ValueError("two words have the same hash, or one has the hash 0")
    return hashes


def _quantised(rows):
    """Each row as signed bytes, and the scale of the row. Scale times byte has EMBEDDING_BITS + SCALE_BITS bits."""
    largest = np.abs(rows).max(1)
    scales = np.maximum(1, np.ceil(largest / 127 * 2 ** (EMBEDDING_BITS + SCALE_BITS)))
    numbers = np.round(rows * 2 ** (EMBEDDING_BITS + SCALE_BITS) / scales[:, None])
    return numbers.astype(np.int8), scales.astype("<u2")


def _fixed(values, bits):
    numbers = np.round(values * 2**bits)
    if np.abs(numbers).max() > 32767:
        raise ValueError(f"weights up to {np.abs(values).max()} do not fit with {bits} bits after the point")
    return numbers.astype("<i2")


def _vector(values, bits):
    return 2, _fixed(np.pad(values, (0, -len(values) % LANES)), bits).tobytes()


def _matrix(values, bits):
    """From rows of outputs to blocks of LANES outputs; in a block, one line of weights for each input."""
    padded = np.pad(values, ((0, -values.shape[0] % LANES), (0, 0)))
    blocks = padded.reshape(-1, LANES, values.shape[1]).transpose(0, 2, 1)
    return values.shape[1], _fixed(blocks, bits).tobytes()
