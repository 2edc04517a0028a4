"""The first scene of the lesson: one step of word2vec, and how gensim's own step differs."""

from pathlib import Path

import streamlit as st

from components.base.learner_text import visible_text
from components.base.link import State
from components.figures.cells import number
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.figure_step import step_figure
from components.lessons.word2vec.steps import SAMPLED, StepScene, step_scene
from components.questions.quiz import Question
from components.ui.blocks import notice, option_list, show_error
from components.ui.figure import show_figure
from components.ui.presentation import enlarged
from components.ui.quiz import is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice, change_choices
from components.vectors.word2vec import LEARNING_RATE

RATES = (0.025, 0.1, 0.5, 1.0, 2.0)
GENSIM = Path(__file__).with_name("gensim_step.md").read_text("utf-8").format(LEARNING_RATE=LEARNING_RATE)


def step_controls(choices: Choices) -> None:
    options = sorted({*RATES, choices.rate})
    option_list("Learning rate", options, bind_choice("rate"), format_func="rate {:g}".format, width=enlarged(113))
    st.button("Another sentence", on_click=change_choices, kwargs={"sentence": (choices.sentence + 1) % 10_001})


def show_step(state: State, word: str, question: Question | None) -> None:
    scene = step_scene(state, word)
    if scene is None:
        show_error(f"{word} is alone in each of its sentences, and has no neighbor to learn from: choose another word.")
        predict(question, case="step")
        return
    masked = is_masked(question, "step", about=["step"])
    show_figure(step_figure(scene, state.choices.rate, masked))
    predict(question, case="step")
    notice(observations(scene, masked))
    section("**gensim's own step**: what differs from this one", show_gensim)


def show_gensim() -> None:
    st.markdown(GENSIM)
    st.caption(
        f"The two tables of the figure have D = 2 and were trained by gensim with {SAMPLED} words sampled for each "
        "neighbor, otherwise with the settings of this page; the vectors of the film and the analogy are trained "
        "separately."
    )


def observations(scene: StepScene, masked: bool) -> list[str]:
    each = scene.steps[scene.first]
    center, true, *sampled = (
        f"“{visible_text(text)}”" for text in (scene.center(each), *(scene.names[row] for row in each.others))
    )
    pull, *push = map(number, each.step.errors.tolist())
    pushers = f"{sampled[0]} and {sampled[1]} push"
    if sampled[0] == sampled[1]:
        pushers = f"and {sampled[0]}, sampled twice, pushes"
    step = (
        f"{true} pulls {center} (error {pull}), {pushers} it (errors {push[0]} and "
        f"{push[1]}): each by the learning rate times its error times its own row."
    )
    rule = (
        "Each true neighbor pulls the row of the center word in the direction of its own row, and "
        f"{SAMPLED} words sampled at random, which may be its neighbors in other steps, push it away: the more often a "
        "word occurs, the more often it is sampled (by its frequency to the power 0.75)."
    )
    same, total = scene.own_pairs
    own = f"a word is hardly ever its own neighbor ({same:,} of {total:,} pairs)"
    if 10 * same > total:
        own = f"in most texts a word is hardly ever its own neighbor (here in {same:,} of {total:,} pairs)"
    of_them = {0: "can be negative, though it is for none of the", scene.n_words: "is negative for all"}
    negative = of_them.get(scene.n_negative, f"is negative for {scene.n_negative:,} of the")
    tables = (
        f"There are two tables because {own}: with one, the dot product of a word with itself would be the square of "
        f"its norm, never negative ({number(float(each.row @ each.row))} for {center}), while with two it {negative} "
        f"{scene.n_words:,} words."
    )
    return [rule, tables] if masked else [step, rule, tables]
