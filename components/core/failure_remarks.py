"""What to notice once an experiment has run: one remark for each group of experiments that go wrong alike."""

LOOKUPS = (
    "A token table and a position table complain in the same words, without a name; the line in the traceback tells "
    "which one it was."
)
SUMS = (
    "A sum compares sizes and knows no meaning. Sizes that do not fit raise an exception; sizes that fit in a way that "
    "nobody meant raise nothing, so check shapes and numbers where they are made."
)
TABLES = (
    "A table that is wrong from the start may be refused while it is built, fail at its first lookup, or raise nothing "
    "at all, so check V, D and padding_idx where they are set."
)
PRODUCTS = (
    "A product of two matrices stretches no axis and converts no dtype. A lookup of the same IDs gives the rows of the "
    "table without any product."
)
WORDS = (
    "No table of PyTorch takes part here. A dictionary and gensim's word vectors raise KeyError for a word that they "
    "do not have; a tokenizer may refuse a text or an ID, or decode part of a character and raise nothing."
)
REMARKS = {
    "id_equals_v": LOOKUPS,
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
    "unknown_word": WORDS,
    "unknown_vector": WORDS,
    "special_token": WORDS,
    "undecodable_id": WORDS,
    "half_character": WORDS,
    "own": LOOKUPS,
}
