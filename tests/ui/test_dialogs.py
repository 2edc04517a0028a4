import io
import re
from html import unescape
from urllib.parse import parse_qsl, urlencode

import jupytext
import numpy as np
import pytest
import streamlit as st
from PIL import ImageColor

from components.base.link import to_query
from components.charts import svg_file
from components.entry import LESSONS
from components.glossary.terms import mentions, named
from components.ui import help_dialog, room_dialog, share_dialog
from tests.app_driver import AppDriver, torch_tables, words_of
from tests.base.test_qr import decoded
from tests.states import LONG_TEXT, WITH_PROGRAMS
from tests.ui.class_members import received


def prepare(app, label):
    """Press a button of the download dialog, which AppTest would close."""
    app.learner.dialog = "download"
    return app.press(f"Prepare {label}")


def test_download_dialog_gives_text_and_lesson_or_journey_code(files):
    app = AppDriver().open("lookup", seed=9).open_section("The table").press("Download")
    code, others = {"lookup.ipynb", "lookup.py"}, {"lookup-ids.csv", "lookup-ids.npy", "lookup.svg", "text.txt"}
    assert files.keys() == code | others
    app.at.session_state.take_offline = True
    app.press("Download")
    assert files.keys() == code | others | {"lookup-offline.ipynb", "lookup-offline.py"}
    script, offline = files["lookup.py"].decode(), files["lookup-offline.py"].decode()
    assert "\nseed = 9\n" in script
    assert "# %% A part of the table" in script  # of the open section
    assert ("tiktoken." in script, "tiktoken." in offline) == (True, False)
    for name, program in (("lookup", script), ("lookup-offline", offline)):
        code = [cell.source for cell in jupytext.reads(files[f"{name}.ipynb"].decode(), "ipynb").cells]
        assert all(line in program for line in code[-1].splitlines())
    assert files["text.txt"].decode() == app.state.text
    app.at.session_state.take_code_lookup, app.at.session_state.take_offline = "All lessons", False
    app.press("Download")
    assert "Download all-lessons.py" in prepare(app, "script").labels()
    journey = files["all-lessons.py"].decode()
    assert script.partition("# %% Your values")[2] in journey
    assert journey.count("# %% [markdown]") == len(WITH_PROGRAMS)
    links = re.findall(r"# - From Embedding Lab: .*/(.+)\?.*seed=9", journey)
    assert links == [LESSONS[each].url_path for each in WITH_PROGRAMS]
    assert "# %% Scaling by √D" not in journey  # of a closed one
    app.at.session_state.take_code_lookup, app.at.session_state.take_offline = "All lessons", True
    app.press("Download")
    prepare(app, "script")
    assert "tiktoken.get_encoding" not in files["all-lessons-offline.py"].decode()
    assert not app.run().dialogs()


@pytest.mark.parametrize(
    ("lesson", "tokenizer", "offers"),
    [
        *[("lookup", "gpt2", 1), ("lookup", "words", 0), ("reproduce", "gpt2", 1)],
        *[("errors", "gpt2", 0), ("word2vec", "gpt2", 0)],
    ],
)
def test_ids_instead_of_a_tokenizer_are_offered_if_there_is_one(lesson, tokenizer, offers):
    app = AppDriver().open(lesson, tokenizer=tokenizer).press("Download")
    assert [each.key for each in app.at.toggle if each.key == "take_offline"] == ["take_offline"] * offers


def test_offline_program_without_its_tokenizer_has_ids_of_gpt2(files, cache):
    app = AppDriver().open("tokens", tokenizer="cl100k_base", text="a b a")
    app.at.session_state.take_offline, app.learner.dialog = True, "download"
    app.run()
    assert "\ntoken_ids = [64, 275, 257]  # of your text\n" in files["tokens-offline.py"].decode()


def test_program_of_all_lessons_names_those_that_are_left_out(files):
    app = AppDriver().open("lookup", V=100)  # too few rows for the IDs of the text
    app.at.session_state.take_code_lookup = "All lessons"
    prepare(app.press("Download"), "script")
    left_out = "# %% [markdown]\n# Left out: Lookup, One-hot, Positions, Combine. Their pages show"
    assert files["all-lessons.py"].decode().startswith(left_out)


def test_download_dialog_gives_tensors_and_tables_as_files(files):
    app = AppDriver().open("combine", V=60, D=3, seed=9, position="learned", ids="2 3 5 1").press("Download")
    shapes = {"ids": [1, 4], "token": [1, 4, 3], "combined": [1, 4, 3], "position_rows": [4, 3], "token_table": [60, 3]}
    assert app.widget("take_combine").options == [f"{name} {shape}" for name, shape in shapes.items()]
    token, position = torch_tables(60, 3, 9)
    rows = token[[2, 3, 5, 1]]
    expected = {"token": rows[None], "combined": (rows + position)[None], "position_rows": position}
    for name, tensor in (expected | {"token_table": token}).items():
        app.at.session_state.take_combine = name
        app.press("Download")
        assert np.array_equal(np.load(io.BytesIO(files[f"combine-{name}.npy"])), tensor.numpy())
    assert files["combine-combined.csv"].startswith(b"b,t,d0,d1,d2\r\n0,0,")
    assert files["combine-token_table.csv"].startswith(b"v,d0,d1,d2\r\n0,")
    app = AppDriver().open("tokens", text="a b a")
    app.at.session_state.take_tokens = "words"
    assert "words, 3 lines" in app.press("Download").widget("take_tokens").options
    assert files["tokens-words.csv"].startswith(b"position,ID,token\r\n0,4,a\r\n1,5,b\r\n2,4,a")


def test_download_dialog_gives_the_figure_and_each_chart_by_name(files, monkeypatch):
    app = AppDriver().open("positions", V=6, D=4).open_sections().press("Download")
    with monkeypatch.context() as hasty:
        hasty.setattr(svg_file, "TIMEOUT_SECONDS", 0)
        assert prepare(app, "SVG").errors()[-1].startswith("The picture could not be rendered")
    (dialog,) = app.dialogs()
    assert "**Figure and charts**" in words_of(dialog)
    (chart,) = [box for box in app.at.selectbox if box.label == "Chart"]
    assert chart.options == [f"{n}. {chart.alt[:90]}" for n, chart in enumerate(app.charts(), 1)]
    assert "For a PNG point at the chart" in words_of(dialog)
    prepare(app, "SVG")
    red, green, blue = ImageColor.getrgb(st.get_option("theme.light.chartDivergingColors")[-1])
    assert f"rgb({red}, {green}, {blue})" in files["positions-1.svg"].decode()  # of cos(0) = 1
    assert files["positions.svg"] == app.learner.outputs.figure.file("Positions")


def test_download_dialog_without_files_shows_the_reason(files):
    app = AppDriver().open("lookup", D=256)
    app.at.session_state.take_lookup = "token_table"
    app.press("Download")
    assert any("[50257, 256] has 12,865,792" in info.value for info in app.at.info)
    assert "lookup-token_table.npy" not in files
    captions = [caption.value for caption in AppDriver().open("combine", V=6, ids="9").press("Download").at.caption]
    assert "No code for this lesson with these settings: the page shows what it needs first." in captions
    assert "There are no tensors on this page." in captions


def test_share_dialog_of_local_address_explains_missing_qr_code(monkeypatch):
    app = AppDriver().open("tokens")
    for host in ("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "lab.localhost.", "[::ffff:127.0.0.1]"):
        monkeypatch.setattr(share_dialog, "address_of", lambda _, host=host: f"https://{host}:8600/?v=1")
        (sentence,) = app.press("Share").warnings()
        name = host.strip("[]")
        assert sentence.startswith(
            f"Nobody else can open the address of this page: {name} is always the reader's own device."
        )
        assert "such as `https://192.168.1.20:8600`" in sentence
        assert not app.at.get("image")
    monkeypatch.setattr(room_dialog, "base_address", lambda _: "http://localhost:8600")
    (sentence,) = app.press("Class").warnings()  # before a room is opened
    assert sentence.startswith("Nobody else can open the address of this page: localhost is")


def test_share_dialog_with_long_text_gives_no_qr_code_or_a_file(monkeypatch, files):
    def address(learner):
        return f"http://10.0.0.7/?{urlencode(to_query(learner.state))}"

    monkeypatch.setattr(share_dialog, "address_of", address)
    app = AppDriver().open("tokens").press("Share")
    (image,) = app.at.get("image")
    assert image.proto.imgs[0].alt == "QR code of the first link"
    assert app.code() == [address(app.learner)]
    assert not app.warnings()
    words = " ".join(f"word{n**3}" for n in range(300))  # which hardly compress
    app = AppDriver().open("tokens", text=words).press("Share")
    assert any("QR code" in info.value for info in app.at.info)
    (link,) = app.code()
    assert f"{len(link):,} characters; use the copy button" in words_of(app.dialogs()[0])
    assert len(link) >= 1_000
    assert not app.at.get("image")
    app.set(text=LONG_TEXT)
    assert "This text (9,000 characters) is too long for a link" in app.words
    (sentence,) = app.press("Share").warnings()
    assert sentence.startswith("The text has 9,000 characters")
    assert "the link opens without it" in sentence
    assert "your settings but without your text:" in words_of(app.dialogs()[0])
    assert "Opens the page on a phone, without the text" in received(app)
    assert files["text.txt"] == LONG_TEXT
    assert "text" not in app.at.query_params
    assert app.open("lookup").state.text == LONG_TEXT


def test_help_dialog_leads_to_the_whole_glossary():
    app = AppDriver().open("lookup", term="BPE").press("Help")
    app.learner.dialog = "help"
    assert app.follow("Full glossary and further reading", "glossary").state.choices.term == ""
    (dialog,) = app.press("Help").dialogs()
    assert "Terms of" not in words_of(dialog)  # a heading without a term below it


def test_worksheet_links_open_their_lessons_without_a_message(files, monkeypatch):
    app = AppDriver().open()
    app.at.session_state["class_guide"] = True
    monkeypatch.setattr(help_dialog, "base_address", lambda _: "http://localhost:8600")
    assert app.press("Help").warnings()[0].startswith("Nobody else can open the address of this page: localhost is")
    assert "<svg" not in files["worksheet.html"]
    monkeypatch.setattr(help_dialog, "base_address", lambda _: "http://10.0.0.7:8600")
    assert app.press("Help").warnings() == []
    found = re.findall(r"(<svg.*?</svg>)<small>([^<]+)</small>", files["worksheet.html"], re.DOTALL)
    links = [unescape(link) for _, link in found if link]
    assert len(links) == 6
    assert [decoded(picture) for picture, link in found if link] == links
    paths = {lesson.url_path: name for name, lesson in LESSONS.items()}
    for path, _, query in (link.rpartition("/")[2].partition("?") for link in links):
        page = AppDriver().open(paths[path], **dict(parse_qsl(query)))
        assert (page.warnings(), page.errors()) == ([], [])


LEARNED = [("positions", "learned")]  # on the other lessons it adds no term


@pytest.mark.parametrize(
    ("lesson", "position"), [*((each, "sinusoidal") for each in LESSONS if each != "glossary"), *LEARNED]
)
def test_help_explains_every_term_of_its_page(lesson, position):
    app = AppDriver().open(lesson, position=position).open_sections().open_section("Check your understanding")
    labels = [str(getattr(each.proto, "label", "")) for each in app.elements()]
    figure = app.learner.outputs.figure
    drawn = re.findall(">([^<>]+)<", figure.svg()) if figure else []
    used = {term.name for _, term in mentions(unescape("\n".join([app.words, *labels, *drawn])), lesson)}
    (dialog,) = app.press("Help").dialogs()
    missing = {name for name in used if f"<strong>{name}</strong>: " not in words_of(dialog)}
    assert not missing, f"add them to `uses` in components/lessons/{lesson}/__init__.py"
    assert {term.name for term in named(LESSONS[lesson].uses.split("; "))} == {*LESSONS[lesson].uses.split("; ")}, (
        "no terms of the glossary"
    )
