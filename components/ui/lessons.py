"""The lessons in the order of the journey: one entry for each page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """One page: its file, its name in the list, its icon, its section, and its purpose in one sentence."""

    path: str
    title: str
    icon: str
    section: str
    purpose: str


LESSONS: dict[str, Lesson] = {
    "home": Lesson(
        "app.py",
        "Home",
        ":material/home:",
        "",
        "Follow your own text on its way into a language model, with the real numbers at every step.",
    ),
    "tokens": Lesson(
        "pages/tokens.py",
        "Tokens",
        ":material/content_cut:",
        "Text to IDs",
        "A tokenizer cuts text into tokens and gives each one an ID: the number of a row in a table.",
    ),
    "windows": Lesson(
        "pages/windows.py",
        "Windows",
        ":material/view_week:",
        "Text to IDs",
        "A window of T tokens slides over the IDs; the targets are the same window moved by one.",
    ),
    "lookup": Lesson(
        "pages/lookup.py",
        "Lookup",
        ":material/table_rows:",
        "IDs to vectors",
        "An embedding layer is a table with one row for each ID; looking up means copying rows.",
    ),
    "one_hot": Lesson(
        "pages/one_hot.py",
        "One-hot",
        ":material/looks_one:",
        "IDs to vectors",
        "Multiplying a one-hot row by the table picks the same row as a lookup, at many times the cost.",
    ),
    "positions": Lesson(
        "pages/positions.py",
        "Positions",
        ":material/format_list_numbered:",
        "IDs to vectors",
        "A token's row does not know where the token stands; a second table says it.",
    ),
    "combine": Lesson(
        "pages/combine.py",
        "Combine",
        ":material/add_circle:",
        "IDs to vectors",
        "Token vector plus position vector, number by number: that sum is what the model reads.",
    ),
    "errors": Lesson(
        "pages/errors.py",
        "Errors",
        ":material/bug_report:",
        "Break it",
        "Break an embedding on purpose: see what is really raised, which table it was, and what repairs it.",
    ),
    "training": Lesson(
        "pages/training.py",
        "Training",
        ":material/trending_down:",
        "Let it learn",
        "Rows begin as random numbers; training moves those that were looked up, and that is how they come to mean "
        "something.",
    ),
    "word2vec": Lesson(
        "pages/word2vec.py",
        "Word2vec",
        ":material/hub:",
        "Let it learn",
        "Vectors that have learned from text: train them here, and see what an analogy says with nothing struck out.",
    ),
    "reproduce": Lesson(
        "pages/reproduce.py",
        "Reproduce",
        ":material/fact_check:",
        "Check it",
        "Published results beside the same results computed on this machine.",
    ),
    "glossary": Lesson(
        "pages/glossary.py",
        "Glossary",
        ":material/menu_book:",
        "Check it",
        "The words and letters of all lessons in a sentence or two, and where to read on.",
    ),
}


def neighbours(name: str) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after the one called `name`."""
    names = list(LESSONS)
    place = names.index(name)
    before = LESSONS[names[place - 1]] if place > 0 else None
    after = LESSONS[names[place + 1]] if place + 1 < len(names) else None
    return before, after
