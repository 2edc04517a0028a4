"""The pictures of README and docs, taken from the running app, and docs/lessons.md: `python -m bench.pictures`."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from components.entry import LESSONS as ALL
from tests.e2e.page_actions import LESSONS, LessonPage
from tests.e2e.server_processes import ROOT, running_browser, running_server

FOLDER = ROOT / "docs" / "pictures"
HEAD = """# The lessons in pictures

Taken from the running app, with the answers shown, by `.venv/bin/python -m bench.pictures`.
"""
SIZE = {"width": 1280, "height": 720}
SECONDS_A_STEP = 1.2


def picture(page: LessonPage) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def save(images: list[Image.Image], path: Path) -> None:
    """Save a picture, or several as an endless animation."""
    images[0].save(
        path, save_all=True, append_images=images[1:], duration=round(SECONDS_A_STEP * 1_000), loop=0, quality=80
    )
    print(f"{path.relative_to(ROOT)}: {len(images)} pictures, {path.stat().st_size:,} bytes")


def write_page() -> None:
    """Write docs/lessons.md: the purpose and the picture of every lesson."""
    parts = [
        f"## {each.title}\n\n{each.purpose}\n\n![{each.title}](pictures/{each.name}.webp)\n" for each in ALL.values()
    ]
    FOLDER.with_name("lessons.md").write_text("\n".join([HEAD, *parts]), "utf-8")


def main() -> None:
    """Take a picture of every lesson, and an animation of the path of each token on Home."""
    FOLDER.mkdir(exist_ok=True)
    write_page()
    with running_server() as server, running_browser() as browser:
        page = LessonPage(browser.new_page(viewport=SIZE))
        for lesson in LESSONS:
            page.visit(server.address, lesson)
            for answer in map(page.button, ("Show me", "Run")):
                if answer.is_visible():
                    answer.click()
                    page.wait_for_timeout(3_000)  # Attention trains a second head, Training 200 steps
                    page.at_rest()
                page.main.evaluate("main => { main.scrollTop = 0 }")
            save([picture(page)], FOLDER / f"{lesson}.webp")
            if lesson == "home":
                stops = page.figure.locator(".chip[data-stop]")
                frames = []
                for number in range(stops.count()):
                    stops.nth(number).hover()
                    frames.append(picture(page))
                save(frames, FOLDER / "path.webp")


if __name__ == "__main__":
    main()
