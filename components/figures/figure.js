const ALL = '[data-part], [data-column]';
const SECONDS_A_STEP = 1.2, SECONDS_IN_ALL = 12;
const labelOf = element => element?.ariaLabel ?? element?.textContent;
const named = (element, name, value) => (element.dataset[name] ?? '').split(' ').includes(value);

export default function ({ data, parentElement: root, setTriggerValue }) {
    const { svg, reading, lit, columns, column, slider, play } = JSON.parse(new TextDecoder().decode(data));
    const [box, button, live, slide] = ['.figure', 'button', '.live', 'label'].map(name => root.querySelector(name));
    const focused = box.contains(root.activeElement), label = labelOf(root.activeElement);
    if (root.shown !== svg) box.innerHTML = root.shown = svg;
    const drawing = box.firstElementChild;
    drawing.setAttribute('role', 'group');
    drawing.setAttribute('preserveAspectRatio', 'xMinYMin');
    drawing.setAttribute('aria-label', reading);
    const stops = [...box.querySelectorAll('[data-stop]')];

    const move = (at, part) => {  // to a frame of a film: the slider, the paths up to here, and the dots at their ends
        const [, input, output] = slide.children, dots = box.querySelectorAll('[data-moved]');
        [input.value, input.ariaValueText, output.textContent] = [at, part, part];
        for (const [n, paths] of box.querySelectorAll('[data-moves]').entries()) {
            const moves = paths.dataset.moves.split(' ').slice(0, at + 1), end = moves.at(-1);
            [moves.join('L'), end].forEach((points, which) => paths.children[which].setAttribute('d', `M${points}`));
            dots[n].style.transform = `translate(${end.split('L').at(-1).replace(',', 'px,')}px)`;
        }
    };
    const light = (part, column) => {
        root.lit = { part, column };
        for (const element of box.querySelectorAll(ALL)) {
            element.classList.toggle('lit', named(element, 'part', part));
            element.classList.toggle('column', named(element, 'column', column));
        }
        const current = stops.find(stop => stop === root.stop && named(stop, 'part', part))
            ?? stops.find(stop => named(stop, 'part', part)) ?? stops[0];
        stops.forEach(stop => { stop.tabIndex = stop === current ? 0 : -1; });
        if (slider?.choice === '') move(stops.indexOf(current), part);
        return root.stop = current;
    };
    const keep = (part, column) => { root.kept = { part, column }; return light(part, column); };
    const point = (element, how) => {
        const parts = (element.dataset.point ?? element.dataset.part ?? root.lit.part).split(' ');
        root.stop = element.closest('[data-stop]') ?? root.stop;
        how(parts.includes(root.lit.part) ? root.lit.part : parts[0], element.dataset.column ?? root.lit.column);
    };
    const step = (list, at, by) => list[Math.max(0, Math.min(list.length - 1, at + by))];
    const go = (stop) => {
        const { point, part, column, first, slide: value } = stop.dataset;
        root.stop = stop;
        keep(point ?? part, column ?? first ?? root.lit.column);
        if (value) slide.lastElementChild.textContent = slide.children[1].value = value;
    };

    if (root.first !== lit || !stops.some(stop => named(stop, 'part', root.kept.part))) {
        root.first = lit;
        root.kept = { part: lit, column: String(column) };
    }
    if (root.column !== column) root.kept.column = String(root.column = column);
    if (columns.length && !columns.map(String).includes(root.kept.column)) root.kept.column = String(column);
    const current = light(root.kept.part, root.kept.column);
    const chosen = [...box.querySelectorAll('[data-choose][tabindex]')].find(each => labelOf(each) === label);
    if (focused) (chosen ?? current)?.focus();

    box.onpointerover = event => { const found = event.target.closest(ALL); if (found) point(found, light); };
    box.onpointerleave = () => light(root.kept.part, root.kept.column);
    box.onclick = event => {
        const [choice, found] = ['[data-choose]', ALL].map(name => event.target.closest(name));
        if (found) point(found, keep);
        if (choice) setTriggerValue('chosen', JSON.parse(choice.dataset.choose));
    };
    box.onkeydown = event => {
        const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key], down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const at = stops.indexOf(root.activeElement), ends = { Home: stops[0], End: stops.at(-1) }[event.key];
        if (['Enter', ' '].includes(event.key)) event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        else if (at < 0 || !(across || down || ends)) return;
        else if (across && columns.length) {
            const names = columns.map(String);
            keep(root.lit.part, step(names, names.indexOf(root.lit.column), across));
            live.textContent = [...box.querySelectorAll('.readout')].filter(e => e.getClientRects().length)
                .map(e => e.textContent.replace(/\s+/g, ' ')).join(' ');
        } else {
            go(ends ?? step(stops, at, across ?? down));
            root.stop.focus();
        }
        event.preventDefault();
    };

    slide.hidden = !slider;
    if (slider) {
        const [name, input, output] = slide.children;
        [name.textContent, input.min, input.max] = [slider.label, slider.low, slider.high];
        input.disabled = slider.low === slider.high;
        if (input !== root.activeElement) output.textContent = input.value = slider.value;
        input.oninput = () => { if (slider.choice) output.textContent = input.value; else go(stops[input.value]); };
        input.onchange = () => { if (slider.choice) setTriggerValue('chosen', { [slider.choice]: Number(input.value) }); };
        light(root.kept.part, root.kept.column);
    }

    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const end = () => { clearInterval(root.timer); root.timer = 0; button.textContent = still ? `${play}: next` : `▷ ${play}`; };
    const next = () => (stops.indexOf(root.stop) < stops.length - 1 ? go(step(stops, stops.indexOf(root.stop), 1)) : end());
    button.hidden = !play;
    if (!root.timer) end();
    button.onclick = () => {
        if (root.timer) return end();
        go(step(stops, stops.indexOf(root.stop) === stops.length - 1 || !still ? 0 : stops.indexOf(root.stop) + 1, 0));
        if (!still) { button.textContent = '❚❚ Pause'; root.timer = setInterval(next, 1000 * Math.min(SECONDS_A_STEP, SECONDS_IN_ALL / stops.length)); }
    };
    return () => clearInterval(root.timer);
}
