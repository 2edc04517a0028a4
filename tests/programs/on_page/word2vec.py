import re
from itertools import combinations

from components.base.link import AppState
from components.vectors.news import NEWS_QUESTIONS
from tests.app_driver import AppDriver
from tests.figures.drawn import names
from tests.programs.labels import matches, tensors_of
from tests.states import app_state
from tests.varied_states import GRAMMAR

ANALOGY = r"\S+ - \S+ \+ \S+ = \S+"
FARTHEST = r"one out:\*\* (\S+?)(?: is farthest)?, cosine similarity (\S+) with the mean of all, and (\S+) to (\S+) for"
CATS = "A red cat sleeps. A blue cat sleeps. A red dog barks. A blue dog barks. The dog and the cat play. Why?"
NEWS = {"vectors": "news", "epochs": 2, "vector_size": 8, "window": 2}
ANALOGY_SCENE = {"scene": "analogy"}
STATES: dict[str, AppState] = {
    "analogy": app_state(**ANALOGY_SCENE),
    "mul": app_state(**ANALOGY_SCENE, method="mul", word_a="paris", word_b="france", word_c="italy", expected="king"),
    "expected input": app_state(**ANALOGY_SCENE, expected=" woman ", vector_size=2, train_seed=3, negative=4, epochs=4),
    "tie": app_state(**ANALOGY_SCENE, vector_size=2, train_seed=5, epochs=30),  # by less than float32 can tell
    "unknown expected": app_state(**ANALOGY_SCENE, word_a="king", word_b="king", expected="xyz", exclude=False),
    "film": app_state(scene="film", window=2, epochs=3),
    "film of equal words": app_state(scene="film", word_b="king"),
    "neighbors": app_state(view="neighbors", near=" paris", vector_size=5),
    "similarity": app_state(view="similarity", words="king, queen; xyz paris king"),
    "two similar": app_state(**ANALOGY_SCENE, view="similarity", words="king queen"),
    "map": app_state(view="map", words="rome paris italy france xyz", vector_size=2),
    "map of two": app_state(scene="film", view="map", words="rome paris"),
    "no words": app_state(view="similarity", words=""),
    "unknown near": app_state(view="neighbors", near="zzz"),
    "no map": app_state(view="map", words="xyz king"),
    "gallery": app_state(view="gallery", window=2),
    "empty gallery": app_state(
        **ANALOGY_SCENE, view="gallery", grammar="a b c d e", word_a="a", word_b="b", word_c="c", sentences=60
    ),
    "questions": app_state(view="questions", sentences=3_000),
    "grammar": app_state(grammar=GRAMMAR, sentences=300, vector_size=3, word_a="King", word_b="man"),
    "unreadable grammar": app_state(grammar="the [loyal] one"),
    "text": app_state(vectors="text", text=CATS, window=2, word_a="cat", rate=1.0),
    "analogy of a text": app_state(**ANALOGY_SCENE, vectors="text", text=CATS, word_a="cat", word_b="dog", word_c="a"),
    "long sentence": app_state(vectors="text", text=CATS.replace(".", ""), window=3, word_a="dog", sentence=5),
    "alone": app_state(vectors="text", text="cat. dog. a cat. dog.", word_a="dog"),
    "once alone": app_state(vectors="text", text="cat. dog. a cat. dog.", word_a="cat"),
    "short text": app_state(**ANALOGY_SCENE, vectors="text", vector_size=3),
    "news": app_state(**NEWS, **ANALOGY_SCENE, expected="she"),
    "news steps": app_state(**NEWS),
    "film of news": app_state(**NEWS, scene="film"),
    "news gallery": app_state(**NEWS, view="gallery"),
    "news questions": app_state(**NEWS, view="questions"),
}


def shown(app: AppDriver) -> dict:
    choices = app.open_sections().state.choices
    found = {"words and D": " ".join(map(str, tensors_of(app)["vectors"].shape))} | SCENES[choices.shown](app)
    return found | (VIEWS[choices.view](app) if choices.view != "analogy" or choices.shown == "analogy" else {})


def film(app: AppDriver) -> dict[str, str]:
    found = (re.fullmatch(r"Epoch (\d+) of \d+: (.*)", about) for about in names(app.learner.outputs.figure).values())
    return {f"epoch {each[1]}": each[2] for each in found if each}


def analogy(app: AppDriver) -> dict[str, str]:
    reading = app.learner.outputs.figure.reading
    inputs = re.search(r"Nearest to (\S+) − (\S+) \+ (\S+), ", reading).groups()
    ranking = re.findall(r" [\d–]+ (\S+): cosine similarity ([^,]+),", reading)
    found = {
        "nearest with input words included": " ".join(ranking[0]),
        "nearest with input words excluded": next(f"{word} {score}" for word, score in ranking if word not in inputs),
    }
    distances = re.search(r"Distances from the sum: (.*?)\.(?: |$)", reading)[1].split(", ")
    found |= {f"distance of {word} from the sum": far for word, far in (each.rsplit(" ", 1) for each in distances)}
    return found | ranks(app)


def steps(app: AppDriver) -> dict[str, str]:
    found = {}
    for step, about in names(app.learner.outputs.figure).items():
        center, row, others, after = re.fullmatch(
            r"Step \d+: (\S+) \[(.*?)\] with (.*)\. After .* \[(.*)\]\.", about
        ).groups()
        found[f"step {step}, the row of {center}"] = f"{row} becomes {after}"
        for word, product, error in re.findall(
            r"(\S+) (?:sampled|as neighbor) \(dot product (\S+), .*?, error (\S+)\)", others
        ):
            found.setdefault(f"step {step}, {word}", []).append(f"product {product}, error {error}")
    return found


def ranks(app: AppDriver) -> dict[str, str]:
    """Return the rank of each answer of the corpus that has one: the page names those that are not nearest."""
    questions = [str(question) for question in NEWS_QUESTIONS] if app.state.choices.vectors == "news" else []
    if app.state.choices.vectors == "grammar":
        lines = app.widget("grammar").value.lower().splitlines()
        questions = [line.strip() for line in lines if re.fullmatch(ANALOGY, line.strip())]
    named = "".join(text for (text,) in matches(r"Not solved: (.*)", app))
    unsolved = dict(re.findall(rf"({ANALOGY}) \((.*?)\)", named))
    for solved, of in matches(r"Analogies solved at the end: (\d+) of (\d+)", app):
        assert (int(solved), int(of)) == (len(questions) - len(unsolved), len(questions))
    found = {}
    for question in questions:
        analogy, _, answer = question.partition(" = ")
        if (rank := unsolved.get(question, "rank 1")).startswith("rank "):
            found[f"rank of {answer} in {analogy}"] = rank.removeprefix("rank ")
    return found


def listed(rows: list[dict]) -> str:
    return ", ".join(f"{row['word']} {row['score']:.4f}" for row in rows)


def methods(app: AppDriver) -> dict[str, str]:
    included, excluded = map(listed, app.drawn("score"))
    found = {"input words included": included, "input words excluded": excluded}
    pattern = r"\*\*(\S+)\*\* among .*? words: .*? \*\*(.*?)\*\*, rank \*\*(.*?)\*\* with input words included(.*)"
    for word, score, rank, rest in matches(pattern, app):
        found[f"{word} with input words included"] = f"rank {rank}, score {score}"
        for without in re.findall(r"rank \*\*(.*?)\*\* with them excluded", rest):
            found[f"{word} with input words excluded"] = f"rank {without}, score {score}"
    return found


def neighbors(app: AppDriver) -> dict[str, str]:
    near, charts = app.state.choices.near.strip(), app.drawn("score")  # no chart if the word is unknown
    return {f"cosine similarity of {near} and {row['word']}": f"{row['score']:.4f}" for rows in charts for row in rows}


def similarity(app: AppDriver) -> dict[str, str]:
    cells = {row["cell"]: row["value"] for rows in app.drawn("cell") for row in rows}
    words = list(dict.fromkeys(pair.split(", ")[0] for pair in cells))
    found = {f"{one}, {other}": f"{cells[f'{one}, {other}']:.4f}" for one, other in combinations(words, 2)}
    for odd, cosine, low, high in matches(FARTHEST, app):
        found["farthest from the mean"] = f"{odd} {cosine}, the others {low} to {high}"
    return found


def map_of_words(app: AppDriver) -> dict[str, str]:
    points = (app.drawn("x") or [[]])[0]
    found = {f"{point['word']} on the map": f"{point['x']:.4f}, {point['y']:.4f}" for point in points}
    for shares in matches(r"(\d+%) of the variance \(horizontal\) and (\d+%) \(vertical\)", app):
        found["explained variance"] = ", ".join(shares)
    return found


def gallery(app: AppDriver) -> dict[str, str]:
    rows = [row for table in app.tables() for row in table]
    return {row["question"]: f"{row['inputs included']}, {row['inputs excluded']}" for row in rows}


def questions(app: AppDriver) -> dict[str, str]:
    (rows,) = app.press("Run all questions").tables()
    found = {row["section"]: row for row in rows if not row["section"].startswith("about ")}
    found["Total accuracy"] = found.pop("all")
    correct, covered = ({name: row[key].split(" (")[0] for name, row in found.items()} for key in (CORRECT, "covered"))
    return {name: f"{correct[name]} of {covered[name]} correct" for name in found}


CORRECT = "correct, inputs excluded"
SCENES = {"step": steps, "film": film, "analogy": analogy}
VIEWS = {
    "analogy": methods,
    "neighbors": neighbors,
    "similarity": similarity,
    "map": map_of_words,
    "gallery": gallery,
    "questions": questions,
}
