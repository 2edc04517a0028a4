"""What to notice once an experiment has run: one remark for each group of experiments with the same cause."""

LOOKUPS = (
    "The message names neither the ID nor the table. A model has two tables, for tokens and for positions, and both "
    "raise this message: the line in the traceback shows which one failed."
)
SUMS = (
    "Addition checks shapes, not meaning. Shapes that do not fit raise an exception; shapes that fit by accident raise "
    "nothing, so check shapes and values where tensors are created."
)
TABLES = (
    "A table that is wrong from the start may raise an error when it is built, fail at its first lookup, or raise "
    "nothing at all, so check V, D and padding_idx where they are set."
)
PRODUCTS = (
    "A matrix product does not broadcast these axes and converts no dtype. A lookup of the same IDs returns the rows "
    "of the table without any product."
)
TRAINING = (
    "No exception shows that a row is not trained, is changed by a lookup, or wins every prediction: compare the table "
    "with a copy from before."
)
WORDS = (
    "No PyTorch table is involved here. A dictionary and gensim's word vectors raise KeyError for an unknown word; a "
    "tokenizer may raise an error for a text or an ID, or decode an incomplete character and raise nothing."
)
REMARKS = {
    "id_equals_v": LOOKUPS,
    "added_token": LOOKUPS,
    "id_far_above": LOOKUPS,
    "negative_id": LOOKUPS,
    "float_ids": LOOKUPS,
    "list_not_tensor": LOOKUPS,
    "past_position_table": LOOKUPS,
    "cannot_broadcast": SUMS,
    "dim_mismatch": SUMS,
    "silent_pairs": SUMS,
    "silent_batch": SUMS,
    "no_rows": TABLES,
    "no_columns": TABLES,
    "padding_idx_outside": TABLES,
    "padding_idx_negative": TABLES,
    "one_hot_without_num_classes": PRODUCTS,
    "one_hot_integers": PRODUCTS,
    "frozen_table": TRAINING,
    "max_norm_writes": TRAINING,
    "new_random_row": TRAINING,
    "unknown_word": WORDS,
    "unknown_vector": WORDS,
    "special_token": WORDS,
    "undecodable_id": WORDS,
    "half_character": WORDS,
    "own": LOOKUPS,
}
