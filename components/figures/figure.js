// The component: mounts the drawing, and after a rerun gives the focus back to the part that had it.
const LEAST = 1.25;  // pixels for each unit of a wider drawing: text of 14.6 units has 18 pixels or more
const labelOf = element => element?.ariaLabel ?? element?.textContent;

export default function mount(sent) {
    const { data, parentElement: root, setTriggerValue } = sent;
    const figure = JSON.parse(new TextDecoder().decode(data)), { slider, play } = figure;
    const fitting = () => figure.wider.find(({ size }) => root.width >= LEAST * size[0]) ?? figure;
    const drawn = fitting(), { svg, reading } = drawn;
    const [box, button, live, slide] = ['.figure', 'button', '.live', 'label'].map(name => root.querySelector(name));
    const focused = box.contains(root.activeElement), label = labelOf(root.activeElement);
    if (root.shown !== svg) box.innerHTML = root.shown = svg;
    containerOf(root)?.style.setProperty('animation', 'none');
    const drawing = box.firstElementChild;
    drawing.setAttribute('role', 'group');
    drawing.setAttribute('preserveAspectRatio', 'xMinYMin');
    drawing.setAttribute('aria-label', reading);
    layOut(root, box, drawing, drawn, () => fitting() !== drawn && mount(sent));

    const choose = choices => setTriggerValue('chosen', choices);
    const onLight = (at, part) => { if (slider?.choice === '') showFrame(box, slide, at, part); };
    const onGo = ({ dataset: { slide: value } }) => {
        if (value) slide.lastElementChild.textContent = slide.children[1].value = value;
    };
    const parts = lighting(root, box, live, drawn, { choose, onLight, onGo });
    const current = parts.lightKept();
    const chosen = [...box.querySelectorAll('[data-choose][tabindex]')].find(each => labelOf(each) === label);
    if (focused) (chosen ?? current)?.focus();
    showSlider(root, slide, slider, parts, choose);
    showPlay(root, button, play, parts);
    return () => { clearInterval(root.timer); root.observer.disconnect(); };
}
