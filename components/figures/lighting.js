// Which part and which column are lit: under the pointer, by a click or a key; `kept` is what stays lit.
// A part with `data-follow` is chosen as by a click when the arrow keys rest on it.
const PAUSE = 400;  // milliseconds
const ALL = '[data-part], [data-column]';
const named = (element, name, value) => (element.dataset[name] ?? '').split(' ').includes(value);
const step = (list, at, by) => list[Math.max(0, Math.min(list.length - 1, at + by))];

function lighting(root, box, live, { lit, columns, column }, { choose, onLight, onGo }) {
    const stops = [...box.querySelectorAll('[data-stop]')], names = columns.map(String);

    const light = (part, column) => {
        root.lit = { part, column };
        for (const element of box.querySelectorAll(ALL)) {
            element.classList.toggle('lit', named(element, 'part', part));
            element.classList.toggle('column', named(element, 'column', column));
        }
        const current = stops.find(stop => stop === root.stop && named(stop, 'part', part))
            ?? stops.find(stop => named(stop, 'part', part)) ?? stops[0];
        stops.forEach(stop => { stop.tabIndex = stop === current ? 0 : -1; });
        onLight(stops.indexOf(current), part);
        return root.stop = current;
    };
    const keep = (part, column) => { root.kept = { part, column }; return light(part, column); };
    const lightKept = () => light(root.kept.part, root.kept.column);
    const point = (element, how) => {
        const parts = (element.dataset.point ?? element.dataset.part ?? root.lit.part).split(' ');
        root.stop = element.closest('[data-stop]') ?? root.stop;
        how(parts.includes(root.lit.part) ? root.lit.part : parts[0], element.dataset.column ?? root.lit.column);
    };
    const go = (stop) => {
        const { point, part, column, first } = stop.dataset;
        root.stop = stop;
        keep(point ?? part, column ?? first ?? root.lit.column);
        onGo(stop);
    };

    if (root.first !== lit || !stops.some(stop => named(stop, 'part', root.kept.part))) {
        root.first = lit;
        root.kept = { part: lit, column: String(column) };
    }
    if (root.column !== column) root.kept.column = String(root.column = column);
    if (names.length && !names.includes(root.kept.column)) root.kept.column = String(column);

    // Not `pointerover`: a figure that comes to be under a pointer at rest shows its own part, as the answer.
    box.onpointermove = event => {
        const found = event.target.closest(ALL);
        if (found && found !== root.pointed) point(found, light);
        root.pointed = found;
    };
    box.onpointerleave = () => { root.pointed = null; lightKept(); };
    box.onclick = event => {
        const [choice, found] = ['[data-choose]', ALL].map(name => event.target.closest(name));
        if (found) point(found, keep);
        if (choice) choose(JSON.parse(choice.dataset.choose));
    };
    box.onkeydown = event => {
        const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key], down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const at = stops.indexOf(root.activeElement), ends = { Home: stops[0], End: stops.at(-1) }[event.key];
        if (['Enter', ' '].includes(event.key)) event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        else if (at < 0 || !(across || down || ends)) return;
        else if (across && names.length) {
            keep(root.lit.part, step(names, names.indexOf(root.lit.column), across));
            live.textContent = [...box.querySelectorAll('text.readout, .readout text')].filter(e => e.getClientRects().length)
                .map(e => e.textContent.replace(/\s+/g, ' ')).join(' ');
        } else {
            go(ends ?? step(stops, at, across ?? down));
            root.stop.focus();
            clearTimeout(root.following);
            const follows = root.stop.closest('[data-follow]')?.dataset.choose;
            if (follows) root.following = setTimeout(() => choose(JSON.parse(follows)), PAUSE);
        }
        event.preventDefault();
    };
    return { stops, go, lightKept };
}
