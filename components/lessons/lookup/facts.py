"""Facts for the questions on the embedding lookup."""

import math

import numpy as np

from components.base.limits import BYTES_PER_FLOAT, table_bytes
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import gpt2_token
from components.caches.trained import batch_rows, mapped, table_norms
from components.downloads.gpt2 import TOKENS
from components.downloads.gpt2_offers import WholeTable
from components.embedding.gpt2 import cosines_to, nearest_rows
from components.figures.cells import number
from components.questions.own_ids import batch_shape_or_default, own_ids, question_rng, sample_ids, token_name
from components.questions.quiz import Facts, Ids
from components.text.token_ids import parse_ids, repeated_ids

SAME = 1.1  # times the norm
SIMILAR = "neither: the norms are about the same"
OF_BANK = (3_331, 7_850, 1_637, 17_796)  # " bank", and " river", " money" and "bank", which might be near it


def shape(state: State, token_ids: Ids) -> Facts:
    V, D, T = state.settings.vocab_size, state.settings.dim, state.settings.context_length
    ids = _shown_shape(state, token_ids)
    wrong = {"with_V": [*ids, V], "with_T": [*ids, T], "with_1": [1, *ids, D]}
    return wrong | {"V": V, "D": D, "T": T, "shape": ids, "result": [*ids, D], "numbers": pluralize(D, "number")}


def _shown_shape(state: State, token_ids: Ids) -> list[int]:
    """Return the shape of the IDs that are looked up on the page."""
    B, T = batch_shape_or_default(state, token_ids)
    return {"batch": [B, T], "sequence": [T], "single": []}[state.choices.input]


def rows(state: State, token_ids: Ids) -> Facts:
    V, n = state.settings.vocab_size, math.prod(_shown_shape(state, token_ids))
    facts = {"V": V, "D": state.settings.dim, "n": n, "V_plus_n": V + n, "V_minus_n": max(0, V - n)}
    return facts | {"tokens": pluralize(n, "token")}


def same_row(state: State, token_ids: Ids) -> Facts:
    """Return the facts on a repeated ID of the learner, or on any if none occurs twice."""
    V = state.settings.vocab_size
    found = [each for each in repeated_ids(own_ids(state, token_ids)) if 0 <= each[0] < V]
    single = (sample_ids(state, token_ids, 1)[0], 0, 1)
    token_id, first, second = question_rng(state, "same_row").choice(found or [single])
    name, whole = f"ID {token_id}", "your IDs" if state.settings.typed else "your text"
    if found and state.settings.typed and len(parse_ids(state.settings.ids)) > 1:
        whole += ", one sequence after another"
    if found and not state.settings.typed:
        name = f"The token {token_name(state, token_ids, first)}"
    facts = {"id": token_id, "first": first, "second": second, "name": name, "whole": whole, "occurs": bool(found)}
    return facts | {"trained": state.settings.trained}


def longer(state: State, token_ids: Ids) -> Facts | None:
    settings = state.settings
    if not settings.trained:
        return None
    rows = [i for i in batch_rows(settings, np.array(token_ids)) if 0 <= i < settings.vocab_size]
    if not rows:
        return None
    token_id = question_rng(state, "longer").choice(rows)
    norm, root = mapped(TOKENS)[token_id].norm().item(), math.sqrt(settings.dim)
    facts = {"id": token_id, "name": gpt2_token(token_id), "D": settings.dim, "norm": norm, "root": root}
    answer = "the trained row" if norm > SAME * root else "the random row" if root > SAME * norm else SIMILAR
    return facts | {"answer": answer, "similar": SIMILAR}


def nearest(state: State, token_ids: Ids) -> Facts | None:
    if not state.settings.trained or not WholeTable().ready or state.settings.vocab_size <= max(OF_BANK):
        return None
    bank, *others = OF_BANK
    cosines = cosines_to(mapped(TOKENS)[bank], mapped(TOKENS), table_norms())
    (found,) = nearest_rows(cosines, 1, [bank])
    facts = {"bank": gpt2_token(bank), "nearest": gpt2_token(found.row), "cosine": number(found.cosine, 3)}
    for name, token_id in zip(("river", "money", "no_space"), others, strict=True):
        facts |= {name: gpt2_token(token_id), f"{name}_cosine": number(cosines[token_id], 3)}
    return facts


def memory(state: State, token_ids: Ids) -> Facts | None:
    """Return None for a trained table, which is mapped."""
    if state.settings.trained:
        return None
    V, D, n = state.settings.vocab_size, state.settings.dim, math.prod(_shown_shape(state, token_ids))
    facts = {"V": V, "D": D, "ids": pluralize(n, "ID"), "n_bytes": table_bytes(V, D), "per_number": BYTES_PER_FLOAT}
    facts |= {"numbers": pluralize(V * D, "number"), "single": V * D == 1, "n_numbers": V * D}
    return facts | {"n_bytes_used": table_bytes(min(n, V), D), "n_bytes_float64": 2 * table_bytes(V, D)}
