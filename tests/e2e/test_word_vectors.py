"""Word vectors in the browser: by keyboard alone, trained, uploaded, and restored by a link."""

from playwright.sync_api import expect

from .page_actions import drawn, in_address, main_of, no_traceback, upload_words, visit, watch_console
from .test_keyboard import tab_to


def test_analogy_is_entered_with_the_keyboard_alone(page, server):
    errors = watch_console(page, server)
    visit(page, server, "word2vec", "sentences=2000")
    expect(main_of(page)).to_contain_text("Input words included")
    tab_to(page, "Link to heading")
    tab_to(page, "Analogy")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("paris")
    page.keyboard.press("Enter")
    in_address(page, word_a="paris")
    for word in ("france", "italy"):
        tab_to(page, "− b" if word == "france" else "+ c", most=8)
        page.keyboard.press("Control+a")
        page.keyboard.type(word)
        page.keyboard.press("Enter")
    in_address(page, word_b="france", word_c="italy")
    expect(main_of(page)).to_contain_text("1. rome")
    no_traceback(page)
    assert errors == []


def test_uploaded_file_is_used_in_its_session_only(page, server, new_learner):
    visit(page, server, "word2vec", "vectors=upload")
    upload_words(page)
    expect(main_of(page)).to_contain_text("1. queen")
    other = new_learner()
    visit(other, server, "word2vec", "vectors=upload")
    expect(main_of(other)).not_to_contain_text("mine.txt")


def test_invalid_file_has_a_message_and_the_next_one_works(page, server):
    visit(page, server, "word2vec", "vectors=upload")
    wrong = {"name": "wrong.txt", "mimeType": "text/plain", "buffer": b"king 1 2\nqueen 1\n"}
    page.locator("input[type=file]").set_input_files(wrong)
    expect(main_of(page)).to_contain_text("line 2")
    upload_words(page)
    no_traceback(page)


def test_the_browser_deletes_a_replaced_file_from_the_server(page, server):
    sent = []
    page.on("request", lambda request: sent.append(request.method) if "/upload_file/" in request.url else None)
    visit(page, server, "word2vec", "vectors=upload")
    upload_words(page)
    second = {"name": "second.txt", "mimeType": "text/plain", "buffer": b"king 1 2\nqueen 1 1\nman 2 1\n"}
    page.locator("input[type=file]").set_input_files(second)
    expect(main_of(page)).to_contain_text("3 words of your file second.txt")
    assert sent == ["PUT", "DELETE", "PUT"]


def test_link_restores_training_and_question(page, server, new_learner):
    query = "sentences=3000&vector_size=16&train_seed=5&word_a=paris&word_b=france&word_c=italy&view=analogy"
    visit(page, server, "word2vec", query)
    expect(main_of(page)).to_contain_text("1. rome")
    shown = main_of(page).get_by_text("1. rome").first.text_content()
    other = new_learner()
    other.goto(page.url)
    drawn(other, "word2vec")
    expect(main_of(other).get_by_text("1. rome").first).to_have_text(shown)


def test_own_grammar_survives_a_reload(page, server):
    visit(page, server, "word2vec", "grammar=king%3A+royal%0Aqueen%3A+royal%0Athe+%5Broyal%5D+rules&view=neighbours")
    for _ in range(2):
        expect(main_of(page)).to_contain_text("4 words, each a vector of 32 numbers.")
        page.reload()
        drawn(page, "word2vec")
