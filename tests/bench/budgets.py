"""Messages and CPU of a rerun of every page, beside a blank app in the same run, with the load average:

python -m tests.bench.budgets [page ...]
"""

import asyncio
import os
import statistics
import sys
import tempfile
from itertools import count
from pathlib import Path

from google.protobuf.message import Message

from tests.bench.servers import PAGES, blank_app
from tests.e2e.server_processes import Server, running_server, streamlit_run
from tests.e2e.websocket_client import Answer, Visitor, visitor

RERUNS, WARM_UP = 40, 8
SECONDS_TO_IMPORT = 6
Change = tuple[str, str, object]


def shared_control(answer: Answer) -> Message | None:
    """Return a slider outside the fragment: the seed's, or the first one."""
    main = [part.delta for part in answer.parts if part.WhichOneof("type") == "delta" and not part.delta.fragment_id]
    sliders = [delta.new_element.slider for delta in main if delta.new_element.HasField("slider")]
    return next((slider for slider in sliders if slider.label == "Seed"), sliders[0] if sliders else None)


def own_control(answer: Answer) -> tuple[str, Change, Change] | None:
    """Return a fragment's ID and two values of one of its number fields or choices, the present one last."""
    for part in answer.parts:
        element = part.delta.new_element
        if part.WhichOneof("type") != "delta" or not part.delta.fragment_id:
            continue
        if element.HasField("button_group") and len(element.button_group.options) > 1:
            group = element.button_group
            now = group.default[0] if group.default else 0
            texts = [option.content for option in group.options]
            values = [[texts[(now + 1) % len(texts)]], [texts[now]]]
            return part.delta.fragment_id, *((group.id, "string_array_value", value) for value in values)
        if element.HasField("number_input") and not element.number_input.disabled and element.number_input.max > 0:
            field = element.number_input
            values = [int(field.default) + (1 if field.default < field.max else -1), int(field.default)]
            return part.delta.fragment_id, *((field.id, "int_value", value) for value in values)
    return None


async def rerun(who: Visitor, change: Change | None, fragment_id: str = "") -> Answer:
    """Send a change, or none, and return the answer."""
    message = who.changing(*([change] if change else []))
    message.rerun_script.fragment_id = fragment_id
    return await who.say(message)


async def measure(server: Server, page: str) -> tuple[str, str]:
    """Return messages and CPU in ms of a full rerun, and of a rerun of the lesson's own control."""
    async with visitor(server) as who:
        first = await who.open(page)
        shared, own = shared_control(first), own_control(first)
        numbers = count()

        def shared_change() -> Change | None:
            if shared is None:
                return None
            return shared.id, "string_array_value", [shared.options[next(numbers) % len(shared.options)]]

        full = await batch(server, lambda: rerun(who, shared_change()))
        if own is None:
            return full, "-"
        fragment_id, *changes = own
        return full, await batch(server, lambda: rerun(who, changes[next(numbers) % 2], fragment_id))


async def batch(server: Server, run) -> str:
    """Return the median messages and the mean CPU in ms of RERUNS reruns."""
    for _ in range(WARM_UP):
        await run()
    before, messages = server.cpu_seconds, []
    for _ in range(RERUNS):
        messages.append(len((await run()).parts))
    cpu = (server.cpu_seconds - before) / RERUNS * 1000
    return f"{statistics.median(messages):.0f} | {cpu:.1f}"


async def table(server: Server, blank: Server, pages: list[str]) -> None:
    """Print a line for each page."""
    for page in pages:  # every lesson imported, every cache filled
        async with visitor(server) as who:
            await who.open(page)
    await asyncio.sleep(SECONDS_TO_IMPORT)
    print("| page | messages | CPU, ms | own control: messages | CPU, ms |\n| --- | --- | --- | --- | --- |")
    print(f"| blank app | {(await measure(blank, ''))[0]} | - | - |")
    for page in pages:
        full, own = await measure(server, page)
        print(f"| {page or 'home'} | {full} | {own if own != '-' else '- | -'} |", flush=True)


def main() -> None:
    """Measure and print one table."""
    print(f"Load average before: {', '.join(f'{load:.2f}' for load in os.getloadavg())}\n")
    with tempfile.TemporaryDirectory() as folder:
        script = blank_app(Path(folder))
        with running_server(streamlit_run(script), folder=folder) as blank, running_server() as server:
            asyncio.run(table(server, blank, sys.argv[1:] or PAGES))
    print(f"\nLoad average after: {', '.join(f'{load:.2f}' for load in os.getloadavg())}")


if __name__ == "__main__":
    main()
