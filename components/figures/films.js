// The slider above the figure and the button Play; in a film they go through the frames, which are the stops.
const SECONDS_A_STEP = 1.2, SECONDS_IN_ALL = 12;

// A frame of a film: the slider, the paths up to here, and the dots at their ends.
function showFrame(box, slide, at, part) {
    const [, input, output] = slide.children, dots = box.querySelectorAll('[data-moved]');
    [input.value, input.ariaValueText, output.textContent] = [at, part, part];
    for (const [n, paths] of box.querySelectorAll('[data-moves]').entries()) {
        const moves = paths.dataset.moves.split(' ').slice(0, at + 1), end = moves.at(-1);
        [moves.join('L'), end].forEach((points, which) => paths.children[which].setAttribute('d', `M${points}`));
        dots[n].style.transform = `translate(${end.split('L').at(-1).replace(',', 'px,')}px)`;
    }
    // The text of a part, its share of the color and its classes at each frame; or its height.
    for (const each of box.querySelectorAll('[data-film]')) {
        const frames = JSON.parse(each.dataset.film), [text, share, look] = frames[at];
        if (each.lastElementChild.matches('text')) each.lastElementChild.textContent = text;
        if (share === undefined) continue;
        each.style.setProperty('--share', `${share}%`);
        each.classList.remove(...frames.flatMap(frame => frame[2].split(' ')));
        each.classList.add(...look.split(' '));
    }
    for (const each of box.querySelectorAll('[data-scales]'))
        each.setAttribute('transform', `scale(1 ${each.dataset.scales.split(' ')[at]})`);
}

function showSlider(root, slide, slider, { stops, go, lightKept }, choose) {
    slide.hidden = !slider;
    if (!slider) return;
    const [name, input, output] = slide.children;
    [name.textContent, input.min, input.max] = [slider.label, slider.low, slider.high];
    input.disabled = slider.low === slider.high;
    // While it has the focus, a run from before does not take back what has been entered since.
    root.entered &&= input === root.activeElement && Number(input.value) !== slider.value;
    if (!root.entered) output.textContent = input.value = slider.value;
    input.oninput = () => {
        root.entered = true;
        if (slider.choice) output.textContent = input.value; else go(stops[input.value]);
    };
    const play = slide.nextElementSibling;
    input.onkeydown = event => {  // a browser scrolls the page on Space
        if (event.key !== ' ') return;
        event.preventDefault();
        if (!play.hidden) play.click();
    };
    input.onchange = () => { if (slider.choice) choose({ [slider.choice]: Number(input.value) }); };
    lightKept();
}

function showPlay(root, button, play, { stops, go }) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    // A rerun replaces the stops: the timer calls the latest `next`.
    const end = () => { clearInterval(root.timer); root.timer = 0; button.textContent = still ? `${play}: next` : `▷ ${play}`; };
    root.next = () => (stops.indexOf(root.stop) < stops.length - 1 ? go(step(stops, stops.indexOf(root.stop), 1)) : end());
    button.hidden = !play;
    if (!root.timer) end();
    button.onclick = () => {
        if (root.timer) return end();
        go(step(stops, stops.indexOf(root.stop) === stops.length - 1 || !still ? 0 : stops.indexOf(root.stop) + 1, 0));
        if (!still) { button.textContent = '❚❚ Pause'; root.timer = setInterval(() => root.next(), 1000 * Math.min(SECONDS_A_STEP, SECONDS_IN_ALL / stops.length)); }
    };
}
