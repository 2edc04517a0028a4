"""What a snippet has to print, computed by the core: numbers in their order, or the very text.

A function takes a state and the IDs of its text, and returns by the name of the snippet a list of numbers, which are
compared to 4 decimals, or a str, which is compared as it is.
"""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby

import torch
from snippet_runs import numbers

from components.core.analogies import analogy, neighbours, odd_one_out, place_of, similarities
from components.core.analogy_gallery import PEOPLE, TOLD, try_out
from components.core.analogy_questions import score, sections, totals
from components.core.balance import balance, lengths, order_effect, shuffled_order
from components.core.batches import make_batch, text_batch
from components.core.corpora import GRAMMAR, Question, read_grammar, write_sentences
from components.core.embeddings import seeded
from components.core.failures import FAILURES, run_failure
from components.core.ids import out_of_range
from components.core.kinds import Whole
from components.core.limits import MAX_LAB_CELLS, MAX_ONE_HOT_CELLS
from components.core.news import lee_sentences
from components.core.one_hot import both_ways, costs, gradients
from components.core.positions import row_past_the_end, sinusoidal_table
from components.core.published import all_checks
from components.core.shapes import batches_of, window_count
from components.core.snippet_encoding import part_shown
from components.core.snippets import MAX_INLINE
from components.core.tokenizers import get_tokenizer
from components.core.training import Training
from components.core.training_recipe import recipe_for
from components.core.training_text import training_text
from components.core.training_views import moved, next_token
from components.core.vocabulary import Vocabulary
from components.core.walkthrough import draw_tables, walk
from components.core.windows import batch_order, coverage, lost_tokens
from components.core.word2vec import train_word2vec
from components.core.word_map import word_map

tables = lru_cache(2)(draw_tables)
Expected = dict[str, list[float] | str]


class Within(str):
    """A text that stands somewhere in what a program prints."""


class Beginning(list):
    """Numbers with which a program begins; the page shows no more, and what comes then is not compared."""


def flat(*parts) -> list[float]:
    """Return tensors and numbers in one row."""
    row = []
    for part in parts:
        row += (
            part.flatten().tolist()
            if isinstance(part, torch.Tensor)
            else [part]
            if isinstance(part, int | float)
            else [*part]
        )
    return [float(number) for number in row]


def batch_of(state, ids):
    try:
        batch = make_batch(ids, state.settings, state.choices)
    except ValueError:
        return None
    return None if out_of_range(batch.flatten().tolist(), state.settings.vocab_size) else batch


def window(size, first, most):
    start = min(first, max(0, size - most))
    return slice(start, min(size, start + most))


def tokens(state, ids) -> Expected:
    found, words = {}, Vocabulary.from_text(state.text)
    own, text = words.encode(state.text), state.text
    if own and len(text) <= 2_000:
        place = min(state.choices.word, len(own) - 1)
        shown = slice(place - place % 120, place - place % 120 + 120)
        chips = "".join(f"{i} {word}  " for i, word in zip(own[shown], text.split()[shown], strict=True))
        found["words"] = (
            f"{len(own)} tokens, {len(set(own))} distinct\n{chips}\n"
            f"place {place}: ID {own[place]}, {own.count(own[place])} times, "
            f"{words.token_bytes(own[place]).hex(' ').upper()}\n"
        )
    elif own and len(text.split(maxsplit=1)[0]) < 2_000:
        place = min(state.choices.word, len(own) - 1)
        shown = slice(place - place % 120, place - place % 120 + 120)
        chips = zip(own[shown], text.split()[shown], strict=True)
        found["words"] = Within("".join(f"{i} {word}  " for i, word in chips))
    gpt2 = get_tokenizer("gpt2")
    pieces = gpt2.encode(text)
    if len(pieces) > 120:
        part, start, _, _ = part_shown("gpt2", text, state.choices.piece)
        held = gpt2.encode(part)
        found["byte_pairs"] = Within("".join(f"{i} {gpt2.token_bytes(i)}  " for i in held))
        assert pieces[start : start + len(held)] == held or len(part) == 2_000
    elif pieces:
        place = min(state.choices.piece, len(pieces) - 1)
        chips = "".join(f"{i} {gpt2.token_bytes(i)}  " for i in pieces)
        token = gpt2.token_bytes(pieces[place])
        found["byte_pairs"] = (
            f"{len(pieces)} tokens, {len(set(pieces))} distinct\n{chips}\nplace {place}: ID {pieces[place]}, "
            f"{pieces.count(pieces[place])} times, {token.hex(' ').upper()} {[token.decode('utf-8', 'replace')]}\n"
        )
    probe = state.choices.probe
    if probe.strip():
        asked = words.encode(probe)
        pairs = "".join(f"{word} {i}\n" for word, i in zip(probe.split(), asked, strict=True))
        found["unknown"] = f"{pairs}{asked.count(1)} of {len(asked)} words are unknown\n"
    return found


def windows(state, ids) -> Expected:
    settings, choices = state.settings, state.choices
    T, stride, n = settings.context_length, settings.stride, len(ids)
    N = window_count(n, T, stride)
    if not N:
        return {}
    found: Expected = {"count": f"{N}\n"}
    try:
        n_batches = batches_of(n, settings, choices.drop_last)
    except ValueError:
        return found
    inputs, targets = text_batch(ids, settings, choices)
    order = batch_order(N, settings.batch_size, choices.shuffle, choices.drop_last, settings.seed)
    if n <= MAX_INLINE:
        found["batch"] = f"{n_batches} torch.Size({list(inputs.shape)})\n{inputs}\n{targets}\n"
    else:
        number = min(choices.batch, n_batches - 1)
        fits = max(1, MAX_INLINE // (T + 1))
        found["batch"] = f"{n_batches} {order[number]}\n{inputs[:fits]}\n{targets[:fits]}\n"
    used = [*chain(*order)]
    as_input, as_target = coverage(n, T, stride, used)
    lost = lost_tokens(n, T, stride, used)
    part = slice(min(choices.start, n - 1), min(choices.start, n - 1) + 80)
    found["coverage"] = (
        f"input: {(as_input > 0).sum()}, target: {(as_target > 0).sum()}\n"
        f"lost at the tail {lost.tail}, skipped {lost.skipped}, dropped {lost.dropped}\n"
        f"{as_input[part].tolist()}\n{as_target[part].tolist()}\n"
    )
    return found


def lookup(state, ids) -> Expected:
    settings, choices = state.settings, state.choices
    V, D = settings.vocab_size, settings.dim
    W, batch = tables(settings).token.weight.detach(), batch_of(state, ids)
    columns = window(D, choices.column, 16)
    found, rows = {}, [*range(V)][window(V, choices.row, 12)]
    if batch is not None:
        given = {"batch": batch, "sequence": batch[0], "single": batch[0, 0]}[choices.input]
        row = given.flatten().tolist()
        if choices.rows_in_use and V > 12:
            rows = sorted(set(row))[:12]
        held = given[: MAX_INLINE // given.shape[1]] if choices.input == "batch" else given
        found["rows"] = flat(held.shape, held.shape, D, W[row[:12], columns])
        twice = [i for i in row[:12] if row[:12].count(i) > 1]
        if twice:
            found["same_id"] = [twice[0], *[place for place, i in enumerate(row) if i == twice[0]][:2]]
    return found | {"table": flat(V, D, W[rows, columns])}


def one_hot(state, ids) -> Expected:
    settings, batch = state.settings, batch_of(state, ids)
    if batch is None:
        return {}
    V, D = settings.vocab_size, settings.dim
    W = tables(settings).token.weight.detach()
    ids = batch.flatten()[: min(MAX_INLINE, max(1, MAX_ONE_HOT_CELLS // V))]
    ways, took = both_ways(ids, W), costs(len(ids), V, D)
    columns = max(1, min(16, D, MAX_LAB_CELLS // V))
    upstream = torch.empty(len(ids), columns).normal_(generator=seeded(settings.seed))
    both = gradients(ids, W[:, :columns], upstream)
    touched = int(both.lookup.abs().sum(dim=1).gt(0).sum())
    return {
        "product": flat(len(ids), D, ways.product[:8, :16], ways.looked_up[:8, :16], ways.largest_difference),
        "costs": flat(took.multiplications, 0, took.additions, 0, 32, 64, took.product_bytes, took.lookup_bytes)[:4]
        + flat(took.product_bytes, took.lookup_bytes),
        "gradients": flat(both.largest_difference, touched, V, both.lookup[sorted({*ids.tolist()})[:8]]),
    }


def positions(state, ids) -> Expected:
    settings, choices = state.settings, state.choices
    (token_table, P), D, T = tables(settings), settings.dim, settings.context_length
    found: Expected = {}
    if P is not None:
        start = min(choices.column, max(0, D - 48))
        found["table"] = flat(T, D, P[:12, start : min(D, start + 48)][:, :16])
        wave = P
        if settings.position == "sinusoidal" and T < 64:
            wave = sinusoidal_table(64, D, settings.layout)
        wave = wave[:256, min(choices.wave, D - 1)]
        found["wave"] = flat(wave.min(), wave.max(), wave[:64])
        rows, expected = lengths(P), math.sqrt(D / 2 if settings.position == "sinusoidal" else D)
        found["lengths"] = flat(rows.min(), rows.max(), expected, rows[:64])
    if settings.position == "learned":
        found["past"] = f"{row_past_the_end(P)}\n"
    if settings.position == "sinusoidal":
        both = (sinusoidal_table(T, D, layout)[:4, :8] for layout in ("interleaved", "halves"))
        found["layouts"] = flat(*both)
    if (batch := batch_of(state, ids)) is not None:
        sequence = batch[0]
        token = token_table(sequence).detach()
        order = shuffled_order(len(sequence), choices.shuffle_seed)
        effect = order_effect(token, None if P is None else P[: len(sequence)], order)
        changed = sum(place != i for place, i in enumerate(order))
        found["shuffle"] = flat(order, changed, effect.abs().max(), effect[:12, :16])
    return found


def combine(state, ids) -> Expected:
    settings, choices, batch = state.settings, state.choices, batch_of(state, ids)
    if batch is None:
        return {}
    steps, (B, T), D = walk(batch, settings, tables(settings)), batch.shape, settings.dim
    fits = max(1, MAX_INLINE // T)
    b, t, d = min(choices.b, B - 1), min(choices.t, T - 1), min(choices.d, D - 1)
    first = min(b, max(0, B - fits))
    held = batch[first : first + fits]
    part = (slice(t - t % 12, t - t % 12 + 12), slice(d - d % 16, d - d % 16 + 16))
    found: Expected = {"ids": f"torch.Size({list(held.shape)})\n{held}\n"}
    for step in steps.steps[1:]:
        sheet = step.tensor if step.tensor.dim() == 2 else step.tensor[min(b, len(step.tensor) - 1)]
        shape = step.shape if step.name.startswith("position") else (len(held), T, D)
        found[step.name] = flat(shape, sheet[part])
    token = steps["scaled" if settings.scale else "token"].tensor[b, t, d]
    out = steps["combined"].tensor[b, t, d]
    found["cell"] = flat(token) if settings.position == "none" else flat(token, steps["position"].tensor[t, d], out)
    rows, raw = [], steps["token"].tensor[first : first + fits]
    for kind in ("learned", "sinusoidal"):
        position = tables(replace(settings, position=kind)).position[:T]
        for scale in (False, True):
            rows += balance(raw, position, choices.spread, scale, kind == "learned")
    return found | {"laboratory": flat(rows)}


def errors(state, ids) -> Expected:
    failure, values = FAILURES[state.choices.experiment], {}
    for name, parameter in failure.parameters.items():
        value = state.settings.seed if name == "seed" else getattr(state.choices, f"lab_{name}")
        kind = parameter.kind
        values[name] = min(max(value, kind.low), kind.high) if isinstance(kind, Whole) else value
    try:
        outcome = run_failure(failure.name, **values)
    except ValueError:
        return {}
    raised = outcome.run.raised or str(outcome.result)
    return {"experiment": f"{raised}\n", "repair": f"{outcome.repaired.result}\n"}


def training(state, ids) -> Expected:
    settings, choices = state.settings, state.choices
    name = settings.tokenizer
    kind = Vocabulary.from_text(state.text) if name == "words" else get_tokenizer(name)
    inlined = name == "words" and len(repr(state.text)) <= 20_000
    try:
        text = training_text(ids if inlined else ids[:MAX_INLINE], settings, kind.n_vocab)
        recipe, _ = recipe_for(settings, choices, text.vocab_size)
    except ValueError:
        return {}
    trained = Training(text, recipe)
    for _ in range(choices.train_steps):
        trained.step()
    V, losses = text.vocab_size, trained.losses
    found: Expected = {"windows": f"{V} torch.Size({list(text.inputs.shape)})\n{text.inputs[:8]}\n{text.targets[:8]}\n"}
    found["train"] = flat(V, round(math.log(V), 2), len(losses))
    if losses:
        found["train"] += flat(losses[0], losses[-1])
    if trained.exploded or not trained.finite:
        found["train"], found["next_token"] = Beginning(found["train"]), Beginning()  # the page draws the losses alone
        return found
    if losses:
        seen = moved(trained)
        counts = (seen.gradient == 0).sum(), 0, (seen.distance == 0).sum()
        found["train"] += flat(trained.text_loss(), *counts, seen.gradient[:24], seen.distance[:24])
    prompt = kind.encode(choices.prompt or kind.decode([text.token_ids[row] for row in text.inputs[0, :2].tolist()]))
    if prompt and (row := text.row(prompt[-1])) is not None:
        place = min(len(prompt), settings.context_length) - 1
        before, after = (next_token(model, row, place) for model in (trained.start, trained.model))
        found["next_token"] = ""
        for best in after.argsort(descending=True, stable=True)[:5].tolist():
            name = text.token_ids[best]
            name = kind.tokens[name] if inlined and name >= 0 else "<pad>" if inlined else name
            found["next_token"] += f"{best} {name} before {before[best]:.4f}, after {after[best]:.4f}\n"
    return found


@lru_cache(64)
def vectors_of(vectors, text, count, *recipe):
    if vectors == "grammar":
        grammar = read_grammar(text or GRAMMAR)
        return train_word2vec(write_sentences(grammar, count, recipe[-1]), grammar.questions, *recipe)
    questions = [
        Question(*line.split())
        for line in (
            "king man woman queen",
            "paris france italy rome",
            "he man woman she",
            "his he she her",
            "father man woman mother",
            "sydney australia england london",
            "going go say saying",
            "killed kill attack attacked",
        )
    ]
    return train_word2vec(lee_sentences(), questions, *recipe, min_count=3)


def word2vec(state, ids) -> Expected:
    c = state.choices
    recipe = (c.vector_size, c.window, c.epochs, c.negative, c.train_seed)
    trained = vectors_of(c.vectors, c.grammar, c.sentences, *recipe)
    vectors, epochs = trained.vectors, trained.epochs
    found: Expected = {
        "train": f"{len(vectors)} words of {c.vector_size} numbers\n"
        f"loss {epochs[-1].loss:,.0f}, in the first epoch {epochs[0].loss:,.0f}\n"
        f"{epochs[-1].solved} of {len(trained.questions)} analogies solved\n"
    }
    words = [word for word in dict.fromkeys(c.words.replace(",", " ").replace(";", " ").split()) if word in vectors]
    a, b, c_ = c.word_a, c.word_b, c.word_c
    if c.view == "analogy" and all(word in vectors for word in (a, b, c_)):
        out = ""
        for name, keep in (("inputs kept", True), ("inputs struck out", False)):
            ranked = analogy(vectors, [a, c_], [b], 8, keep, c.method)
            out += f"{name}\n" + "".join(f"    {word} {score:.4f}\n" for word, score in ranked)
        if c.expected in vectors:
            place = place_of(vectors, [a, c_], [b], c.expected, c.method)
            kind = "cosine" if c.method == "add" else "score"
            out += f"{c.expected}: {kind} {place.score:.4f}, rank {place.kept} with the inputs kept\n"
        found["analogy"] = out
    elif c.view == "neighbours" and c.near.strip() in vectors:
        ranked = neighbours(vectors, c.near.strip(), 12)
        found["neighbours"] = "".join(f"{word} {cosine:.4f}\n" for word, cosine in ranked)
    elif c.view == "similarity" and len(words) > 1:
        values = similarities(vectors, words)
        pairs = sorted(values[r, k] for r in range(len(words)) for k in range(r))
        found["similarity"] = flat(values.flatten().tolist(), pairs[-1], pairs[0])
        if len(words) > 2:
            unit = torch.stack([torch.tensor(vectors.get_vector(word, norm=True)) for word in words])
            near = sorted(torch.cosine_similarity(unit, unit.mean(dim=0, keepdim=True)).tolist())
            found["similarity"] += near
            found["odd"] = odd_one_out(vectors, words)
    elif c.view == "map" and len(words) > 1:
        flat_map = word_map(torch.stack([torch.tensor(vectors.get_vector(w, norm=True)) for w in words]).numpy())
        lines = [f"{word} {x:.4f} {y:.4f}\n" for word, (x, y) in zip(words, flat_map.points, strict=True)]
        found["map"] = "".join(lines) + f"{sum(flat_map.shares):.0%} of the variance\n"
    elif c.view == "gallery":
        out = ""
        for tried in [*try_out(vectors, TOLD), *try_out(vectors, PEOPLE)]:
            question = tried.question.partition(" = ")[0]
            out += (
                f"{question} = {[tried.expected] if tried.expected else []}: kept {tried.kept[0]} {tried.kept[1]:.2f}, "
            )
            out += f"struck out {tried.struck[0]} {tried.struck[1]:.2f}\n"
        found["gallery"] = out
    elif c.view == "questions":
        scores = [score(vectors, name, asked) for name, asked in sections().items()]
        found["questions"] = "".join(f"{one.section} {one.solved} of {one.covered}\n" for one in scores)
        every = totals(scores)[-1]
        found["questions"] += f"Total accuracy {every.solved} of {every.covered}\n"
    return found


def reproduce(state, ids) -> Expected:
    checks = {topic: [*group] for topic, group in groupby(all_checks(), lambda check: check.topic)}
    rows = {topic: [numbers(check.computed) for check in group] for topic, group in checks.items()}
    given = [numbers(check.what.split("IDs ")[1].split("]")[0]) for check in checks["Input shapes"]]
    return {
        "toy_table": flat(*rows["Toy table"]),
        "story_batch": flat(*rows["Story batch"]),
        "small_vocabulary": flat(*rows["Small vocabulary"]),
        "text_vocabulary": flat(*rows["Text vocabulary"]),
        "input_shapes": flat(*(part for pair in zip(given, rows["Input shapes"], strict=True) for part in pair)),
        "combined_batch": flat(*rows["Combined batch"]),
        "error": f"{checks['Error'][0].computed}\n",
        "row_lengths": f"{checks['Row lengths'][0].computed}\nsqrt(D/2) 16.0000, sqrt(D/3) 13.0639\n",
    }


EXPECTED = {
    "tokens": tokens,
    "windows": windows,
    "lookup": lookup,
    "one_hot": one_hot,
    "positions": positions,
    "combine": combine,
    "errors": errors,
    "training": training,
    "word2vec": word2vec,
    "reproduce": reproduce,
}
