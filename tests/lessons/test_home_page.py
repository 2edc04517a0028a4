from tests.app_driver import PAGES, AppDriver

TEXT = "She left the bank for the riverbank."


def open_app(**query):
    return AppDriver().open(**{"text": TEXT, "position": "sinusoidal"} | query)


def test_what_to_notice_counts_characters_tokens_rows_and_numbers():
    assert "Your 36 characters became 9 tokens; this batch has 2 × 4 of them." in open_app().words
    assert "rows of the table, whose 50,257 × 16 numbers take 3.2 MB and are random until trained" in open_app().words
    assert "it reads 2 × 4 × 16 = 128 numbers." in open_app().words
    assert "4 IDs, typed or of a preset, are in use instead of your 36 characters." in open_app(ids="1 2; 3 4").words


def test_every_token_of_the_text_can_be_followed():
    app = open_app(home_token=8)
    assert ". at position 0 of sequence 2, ID 13," in app.learner.outputs.figure.reading
    (sentence,) = open_app(V=20_000, B=1, text="She left the bank for xylophone").errors()
    assert sentence.startswith("ID 38,656 at position 7 is out of range for V = 20,000")


def test_unavailable_tokenizer_is_offered(monkeypatch, tmp_path):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    app = open_app(tokenizer="o200k_base")
    assert any(label.startswith("Download") and "MB" in label for label in app.labels())
    assert app.learner.outputs.figure is None


def test_opened_lessons_are_counted():
    app = AppDriver().open("lookup").open("glossary").open("combine").open("home")
    (progress,) = (each.proto for each in app.at.get("progress"))
    n_lessons = len(PAGES) - 2  # Home and Glossary are none
    assert f"2 of {n_lessons} lessons" in progress.text
    assert progress.value == 200 // n_lessons
    assert "See a head being trained: Attention" in [link.proto.label for link in app.at.get("page_link")]
