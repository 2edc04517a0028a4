// The panels of a drawing: side by side, or below each other if they would be too small.
const NARROW = 640;  // pixels
const containerOf = root => root.getRootNode().host?.closest('[class*=st-key-figure_]');

function layOut(root, box, drawing, { size, narrow }, replaced) {
    // By the last observed width: if it were read here, the browser would lay the page out twice.
    const fit = () => {
        const stacked = root.width < NARROW, [width, height] = stacked ? narrow : size;
        drawing.classList.toggle('narrow', stacked);
        containerOf(root)?.toggleAttribute('data-narrow', stacked);  // for the page, whose styles do not reach in here
        for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
            drawing.setAttribute(name, value);
    };
    root.observer?.disconnect();
    root.observer = new ResizeObserver(([{ contentRect: { width } }]) => {
        if (root.width !== width) { root.width = width; if (!replaced()) fit(); }
    });
    root.observer.observe(box);
    fit();
}
