"""A head that is trained here on a task: what its last word reads, the words of the task, and every word's weight."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import show_hidden
from components.base.link import State
from components.figures.cells import number, signed
from components.lessons.attention.choices import FRUITS, PAIRS, STARTS, Choices
from components.lessons.attention.trained import head_of, prompt_of, task_of
from components.lessons.attention.trained_figure import trained_figure
from components.training.attention_training import DIM, RECORDED, TrainedHead
from components.training.reading_tasks import Order
from components.ui.blocks import notice, option_buttons, option_list, show_error, show_table
from components.ui.download_registry import Table, register
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.presentation import enlarged
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice, change_choices, register_widget
from components.ui.waiting import shown_waits

LOOKED_AT = 0.5  # a weight from here on: the word is read


def trained_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    choices = state.choices
    task, _ = task_of(choices)
    values = {"task": choices.head, "use_positions": choices.head_positions, "std": STARTS[choices.start]}
    values |= {"prompt": " ".join(prompt_of(choices, task)[0]), "steps": RECORDED[-1], "fruits": FRUITS, "pairs": PAIRS}
    if isinstance(task, Order):
        return values | {"fruits": " ".join(task.fruits)}
    return values | {"pairs": ", ".join(map(" ".join, task.pairs))}


def trained_controls(choices: Choices) -> None:
    st.toggle("Positions", width="content", **bind_choice("head_positions"))
    st.toggle("Causal mask", width="content", **bind_choice("causal"))
    task, _ = task_of(choices)
    prompt, _ = prompt_of(choices, task)
    prompts = task.prompts(prompt)
    shown = next((word for word, text in prompts.items() if text == " ".join(prompt)), None)
    field = prompt_field(choices)

    def choose(word: str | None) -> None:
        if word:
            change_choices(**{field: prompts[word]})

    words = list(prompts)
    if isinstance(task, Order):
        bound = register_widget("tried_order", shown, choose, "default")
        look = {"required": True, "label_visibility": "collapsed"}
        st.segmented_control("What the prompt asks for", words, **look, **bound)
    else:
        bound = register_widget("tried_meaning", shown, choose)
        how = {"format_func": show_hidden, "width": enlarged(130), "label_visibility": "collapsed"}
        option_list("The noun of the prompt", words, bound, **how)


def prompt_field(choices: Choices) -> str:
    return f"{choices.head}_prompt"


def show_trained(state: State) -> None:
    choices, seed = state.choices, state.settings.seed
    task, problem = task_of(choices)
    prompt, problem_of_prompt = prompt_of(choices, task)
    question = first_question(choices.head)
    masked = is_masked(question, choices.head, about=[choices.head])
    with shown_waits():
        head = head_of(choices, seed)
        with_positions = head_of(choices, seed, True).tests.right
        without = None if masked else head_of(choices, seed, False).tests.right
    hidden = masked and not choices.head_positions
    show_figure(trained_figure(head, tuple(prompt), with_positions, without, hidden))
    predict(question, case=choices.head)
    notice(observations(head, prompt, choices.causal, masked, without))
    other = "choose “Your text” or “GPT-2” for that"
    st.caption(f"This head reads sentences of its own, with D = {DIM}, not your text: {other}.")
    register(lambda: export(head, prompt, choices.causal))
    with st.container():  # always rendered, so that an error, which is beside the field, does not move what is below
        for each in filter(None, (problem, problem_of_prompt)):
            show_error(each)
    section("**Your own words**, another prompt, another start", words_fields, choices)
    section("**Every word**: how much of the weight it gets", show_every_word, head, masked=hidden)


def observations(head: TrainedHead, prompt: list[str], causal: bool, masked: bool, without: int | None) -> list[str]:
    if masked and not head.config.positions:
        if len(prompt) == 1:
            return ["With a single word its weight is 1.00 before and after training."]
        before, after = (
            [f"{each.item():.2f}" for each in head.read([prompt], frame).weights[0, -1].aminmax()] for frame in (0, -1)
        )
        had = f"the weights of the {len(prompt)} words were between {before[0]} and {before[1]}"
        if before[0] == before[1]:
            had = f"each of the {len(prompt)} words had a weight of {before[0]}"
        return [f"Before training {had}; after it the weights are between {after[0]} and {after[1]}."]
    mask = (
        f"The mask is {'on' if causal else 'off'}, and makes no difference: only what follows the last "
        "word is predicted, and the last word may read every word of the prompt."
    )
    return [what_is_read(head, prompt), right_answers(head, without), mask]


def what_is_read(head: TrainedHead, prompt: list[str]) -> str:
    """Return which word is read most, its weight before and after, and whether its word or its position decides.

    It is compared with the next of the words that might have been read, in Order with the next fruit.
    """
    before, after = (head.read([prompt], frame).weights[0, -1] for frame in (0, -1))
    scores, by_position = head.read([prompt]).scores[0, -1], head.scores_by_position(prompt)
    most, task = int(after.argmax()), head.config.task
    copies = [at for at, word in enumerate(prompt) if word == prompt[most]]
    others = [at for at in range(len(prompt)) if at not in copies]
    if isinstance(task, Order):
        others = [at for at in others if prompt[at] in task.fruits] or others
    names = [f"“{word}”" + f" at position {at}" * (prompt.count(word) > 1) for at, word in enumerate(prompt)]
    weight, at_first = after[copies].sum(), before[copies].sum()
    word = names[most] if len(copies) == 1 else f"“{prompt[most]}”, which occurs {len(copies)} times,"
    text = f"{names[-1]} reads {word} with a weight of {weight:.2f} ({at_first:.2f} before training)"
    if not others:
        return f"{text}: there is no other word."
    if weight < LOOKED_AT:
        return f"{text}: less than half of all."
    second = max(others, key=scores.tolist().__getitem__)
    ahead = (scores[most] - scores[second]).item()
    through_position = (by_position[most] - by_position[second]).item()
    by_word = ahead - through_position
    read = f"“{prompt[most]}”"
    reason = f"the position of {read}" if through_position > by_word else f"the word {read} itself"
    return (
        f"{text}, because of {reason}: its score is {number(ahead)} above that of {names[second]}, of which "
        f"{signed(by_word)} comes from the word and {signed(through_position)} from the position."
    )


def right_answers(head: TrainedHead, without: int | None) -> str:
    tests, task = head.tests, head.config.task
    unread = [word for word, weight in tests.looked_at.items() if weight < LOOKED_AT]
    alone = f"; without them, {without:,}" if without is not None else ""
    if isinstance(task, Order):
        if not head.config.positions:
            in_two = "which is right in two" if 3 * tests.right == tests.total else "right in two of them at most"
            return (
                f"Without positions it completes {tests.right:,} of {tests.total:,}: three fruits have six orders, the "
                f"head reads the same set of words in all of them and gives one answer, {in_two}."
            )
        text = f"With positions it completes {tests.right:,} of {tests.total:,}{alone}"
        return text + ("." if tests.right == tests.total else f": {fails(head)}")
    text = f"It completes {tests.right:,} of {tests.total:,}"
    fallback = [noun for noun in unread if task.answer(noun) == tests.fallback]
    if tests.right < tests.total:
        least = f" It reads {', '.join(unread)} with a mean weight of less than {LOOKED_AT}." if unread else ""
        return f"{text}: {fails(head)}{least}"
    if fallback:
        return (
            f"{text}, though it reads {fallback[0]} with a mean weight of only {tests.looked_at[fallback[0]]:.2f}: "
            f"{tests.fallback} is the word it falls back on if it finds no other noun."
        )
    text += f", with positions{alone}" if head.config.positions else ", without positions"
    return f"{text}: positions are not needed." if without == tests.total else f"{text}."


def fails(head: TrainedHead) -> str:
    start = " or a standard deviation of 0.1" * (head.config.std == 1)
    seed = f"from the random numbers of seed {head.config.seed}"
    return f"{seed} it has not learned all of them. Try another seed{start}."


def words_fields(choices: Choices) -> None:
    task, _ = task_of(choices)
    if choices.head == "order":
        st.text_input("Fruits: 3 to 12 words", **bind_choice("fruits"))
    else:
        st.text_input("Pairs: 2 to 10 nouns, each with the word that follows", **bind_choice("pairs"))
    st.text_input(
        f"Prompt: 1 to {task.longest()} of these words",
        placeholder=task.first_prompt(),
        **bind_choice(prompt_field(choices)),
    )
    starts = {"0.1": "0.1: even weights", "1": "1: uneven weights"}
    option_buttons("Standard deviation of the embeddings before training", "start", starts)
    vocabulary = escape_markdown(", ".join(task.vocabulary()))
    tried = "with three of these fruits" if isinstance(task, Order) else "that these words allow"
    st.caption(
        f"1,000 sentences are sampled from these words, and the model is trained for {RECORDED[-1]} steps to predict "
        f"the last word of each. It is then tried on all prompts {tried}, including those of the training: the count "
        f"is not one of new prompts alone. The model has token {'and position ' * choices.head_positions}"
        f"embeddings with D = {DIM}, one head, and a linear layer to the {len(task.vocabulary())} words: {vocabulary}. "
        "With a standard deviation of 0.1 the attention weights are nearly equal at first; with 1, the default of "
        "nn.Embedding, training with some seeds learns only some of the answers."
    )


def show_every_word(head: TrainedHead) -> None:
    tests, task = head.tests, head.config.task
    show_table(
        {"word": word, "answer": task.answer(word), "mean weight": f"{weight:.2f}"}
        for word, weight in sorted(tests.looked_at.items())
    )
    text = (
        f"The mean over the prompts whose answer depends on the word; {tests.right:,} of {tests.total:,} are completed."
    )
    if tests.fallback:
        word = escape_markdown(tests.fallback)
        text += f" Without a noun the head answers “{word}” most often: a guess without evidence."
    st.caption(text)


def export(head: TrainedHead, prompt: list[str], causal: bool) -> dict[str, NamedArray | Table]:
    found, weights = head.read([prompt], causal=causal), head.frames[-1]
    return {
        "scores": NamedArray(found.scores[0].numpy(), ("query", "key")),
        "weights": NamedArray(found.weights[0].numpy(), ("query", "key")),
        "values": NamedArray(found.values[0].numpy(), ("t", "d")),
        "mixed": NamedArray(found.mixed[0].numpy(), ("t", "d")),
        "by_position": NamedArray(head.scores_by_position(prompt).numpy(), ("key",)),
        "token_table": NamedArray(weights.token.numpy(), ("id", "d")),
        "position_table": NamedArray(weights.position.numpy(), ("t", "d")),
        "words": [{"id": n, "word": word} for n, word in enumerate(head.vocabulary)],
    }
