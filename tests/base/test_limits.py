import torch

from components.base import limits

LIMITS = {
    "MAX_VOCAB_SIZE": 200_019,
    "MAX_DIM": 1_024,
    "MAX_SEED": 4_294_967_295,
    "MAX_CONTEXT_LENGTH": 1_024,
    "MAX_STRIDE": 1_024,
    "MAX_BATCH_SIZE": 64,
    "MAX_TABLE_CELLS": 16_777_216,
    "MAX_BATCH_CELLS": 1_048_576,
    "MAX_LAB_CELLS": 1_048_576,
    "MAX_TABLE_BYTES_CACHED": 68_000_000,
    "MAX_TABLE_BYTES": 100_000_000,
    "MAX_POSITION_BYTES_CACHED": 9_000_000,
    "MAX_ONE_HOT_CELLS": 2_097_152,
    "MAX_ONE_HOT_BYTES_CACHED": 2_000_000,
    "MAX_TIMING_BYTES": 32_000_000,
    "MAX_TRAINING_TOKENS": 10_000,
    "MAX_TRAINING_DIM": 64,
    "MAX_TRAINING_CELLS": 131_072,
    "MAX_LOGITS": 2_097_152,
    "MAX_TRAINING_STEPS": 2_000,
    "MAX_TRAINING_BYTES": 48_000_000,
    "MAX_UPLOADED_VECTOR_BYTES": 64_000_000,
    "MAX_TRAINED_BYTES_CACHED": 8_000_000,
    "MAX_TOKEN_BYTES_CACHED": 16_000_000,
    "MAX_TEXT_CHARS": 100_000,
    "MAX_LINK_TEXT_BYTES": 3_000,
    "MAX_LINK_PACKED_CHARS": 6_000,
    "MAX_LINE_CHARS": 1_000,
    "MAX_TYPED_IDS": 256,
    "MAX_WORDS_DRAWN": 40,
    "BYTES_PER_FLOAT": 4,
}


def test_limits_are_those_that_fit_a_small_server():
    assert limits.table_bytes(17, 5) == torch.empty(17, 5).nbytes
    assert {name: value for name, value in vars(limits).items() if name.isupper()} == LIMITS
