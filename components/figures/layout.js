// The panels of a drawing: side by side, or below each other where they would be too small.
const NARROW = 640;  // pixels

function layOut(root, box, drawing, { size, narrow }) {
    const fit = () => {
        const stacked = narrow && box.clientWidth < NARROW, [width, height] = stacked ? narrow : size;
        drawing.classList.toggle('narrow', stacked);
        for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
            drawing.setAttribute(name, value);
    };
    root.observer?.disconnect();
    root.observer = new ResizeObserver(fit);
    root.observer.observe(box);
    fit();
}
