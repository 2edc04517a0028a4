"""The controls on a page, and entries that they accept."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from google.protobuf.message import Message

from tests.e2e.websocket_client import Answer, Change


@dataclass(frozen=True)
class Control:
    """A control that can be changed, with its fragment: a shared setting, or one of the lesson's own."""

    kind: str
    widget: Message
    fragment_id: str

    @property
    def own(self) -> bool:
        return bool(self.fragment_id) and "-row_" not in self.widget.id

    def entries(self) -> list[Change]:
        """Return a few valid entries; of a number, others than its initial value."""
        widget = self.widget
        if self.kind == "slider":
            return [(widget.id, "string_array_value", [each]) for each in widget.options]
        if self.kind == "button_group":
            return [(widget.id, "string_array_value", [each.content]) for each in widget.options]
        if self.kind == "checkbox":
            return [(widget.id, "bool_value", not widget.default), (widget.id, "bool_value", widget.default)]
        high = min(widget.max, widget.default + 3 * widget.step) if widget.has_max else widget.default + 3 * widget.step
        low = max(widget.min, widget.default - 3 * widget.step) if widget.has_min else widget.default - 3 * widget.step
        near = {low, high, widget.default} - {widget.default} or {widget.default}
        return [(widget.id, "double_value", float(each)) for each in sorted(near)]


def controls_in(answer: Answer) -> Iterator[Control]:
    """Yield the enabled sliders, number fields, single choices and switches on a page, but no answers."""
    for part in answer.parts:
        if part.WhichOneof("type") != "delta":
            continue
        element = part.delta.new_element
        kind = element.WhichOneof("type")
        if kind not in ("slider", "number_input", "button_group", "checkbox"):
            continue
        widget = getattr(element, kind)
        single = kind != "button_group" or widget.click_mode == widget.SINGLE_SELECT
        options = kind not in ("slider", "button_group") or len(widget.options) > 1
        integer = kind != "number_input" or widget.step.is_integer()
        if not widget.disabled and single and options and integer and "-check_" not in widget.id:
            yield Control(kind, widget, part.delta.fragment_id)


def entry(controls: list[Control], own: bool, draw: Random) -> tuple[Control, Change] | None:
    """Return an entry for one of the lesson's own controls or of the shared settings; None if the page has neither."""
    if not controls:
        return None
    control = draw.choice([each for each in controls if each.own == own] or controls)
    return control, draw.choice(control.entries())
