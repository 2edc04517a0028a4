"""Facts for the questions on the combined embedding."""

import math

import torch

from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize, true_minus
from components.embedding.norm_ratio import expected_norm
from components.embedding.walkthrough import init_tables, walk
from components.lessons.combine.choices import INIT_STDS
from components.questions.own_ids import batch_shape_or_default, sample_ids
from components.questions.quiz import Facts, Ids

SMALLEST_DIM = 4  # below, √D and its absence look alike
TYPICAL_DIM = 64  # from here on the cosine of two random vectors is near the expected one
MAX_ELEMENTS = 4_096  # of both tables, which are initialized for a question


def shape(state: State, token_ids: Ids) -> Facts:
    (B, T), D = batch_shape_or_default(state, token_ids), state.settings.dim
    return {"B": B, "T": T, "D": D, "T_twice": 2 * T, "D_twice": 2 * D, "off": state.settings.position == "none"}


def same_block(state: State, token_ids: Ids) -> Facts | None:
    """Return None without positions, or if all sequences have the only token in common."""
    if state.settings.position == "none" or state.settings.vocab_size == 1:
        return None
    T = batch_shape_or_default(state, token_ids)[1]
    return {"T": T, "D": state.settings.dim, "tokens": pluralize(T, "token")}


def element(state: State, token_ids: Ids) -> Facts | None:
    """Return None unless there are positions and the tables are small."""
    settings = state.settings
    if not _has_small_tables(settings):
        return None
    ids = sample_ids(state, token_ids, settings.context_length)
    t, d = min(state.choices.t, len(ids) - 1), min(state.choices.d, settings.dim - 1)
    tables = init_tables(settings)
    W, P = tables.token.weight[ids[t], d].item(), tables.position[t, d].item()
    out = walk(torch.tensor([ids]), settings, tables)["combined"][0, t, d].item()
    root = math.sqrt(settings.dim) if settings.scale else 1.0
    numbers = {"W": W, "P": P, "out": out, "token": W * root, "product": W * root * P, "mean": out / 2}
    # With "z" a number that is rounded to zero has no minus.
    texts = {name: true_minus(f"{value:z.4f}") for name, value in (numbers | {"divided": W / root + P}).items()}
    texts["added"] = f"({texts['P']})" if texts["P"].startswith("−") else texts["P"]
    return texts | {"t": t, "d": d, "id": ids[t], "root": root, "scaled": settings.scale}


def ratio(state: State, token_ids: Ids) -> Facts | None:
    """Return None if there is a question on one element instead."""
    if _has_small_tables(state.settings):
        return None
    D = max(SMALLEST_DIM, state.settings.dim + state.settings.dim % 2)  # sinusoidal norms are exact for even D
    position, init_std = _position(state.settings), state.choices.init_std
    (std, position_std), root, learned = INIT_STDS[init_std](D), math.sqrt(D), position == "learned"
    position_norm = expected_norm(D, position) * (position_std if learned else 1)
    without = std * expected_norm(D, "learned") / position_norm
    numbers = {"ratio": without * root, "without": without, "divided": without / root, "times_D": without * D}
    numbers |= {"token_norm": std * expected_norm(D, "learned") * root, "position_norm": position_norm}
    texts = {name: _format_ratio(value) for name, value in numbers.items()}
    texts |= {"D": D, "root": root, "token_normal": _normal(std), "position_normal": _normal(position_std)}
    return texts | {"learned": learned, "as_gpt2": learned and init_std == "0.02"}


def scale(state: State, token_ids: Ids) -> Facts:
    return {"D": state.settings.dim, "root": math.sqrt(state.settings.dim)}


def cosine(state: State, token_ids: Ids) -> Facts:
    D, position = max(TYPICAL_DIM, state.settings.dim), _position(state.settings)
    norms = expected_norm(D, "learned") / expected_norm(D, position)
    facts = {"D": D, "position": position, "ratio": norms}
    return facts | {"cosine": norms / math.hypot(1, norms), "share": norms / (1 + norms)}


def _has_small_tables(settings: Settings) -> bool:
    elements = (settings.vocab_size + settings.context_length) * settings.dim
    return settings.position != "none" and elements <= MAX_ELEMENTS


def _position(settings: Settings) -> str:
    return "learned" if settings.position == "learned" else "sinusoidal"


def _normal(std: float) -> str:
    return "N(0, 1)" if std == 1 else f"N(0, 1) times {std:.4g}"


def _format_ratio(ratio: float) -> str:
    """Return a ratio to three digits or more, never with an exponent as 1.45e+03."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
