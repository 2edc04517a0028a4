"""The journey as a marimo app, for the bench."""

import marimo

app = marimo.App()


@app.cell
def imports():
    import marimo as mo
    from journey_steps import D_STEPS, SHOWN, V_STEPS, journey

    from components.base.presets import SAMPLE_TEXT
    from components.base.settings import Settings

    return D_STEPS, SAMPLE_TEXT, SHOWN, Settings, V_STEPS, journey, mo


@app.cell
def controls(D_STEPS, SAMPLE_TEXT, SHOWN, V_STEPS, mo):
    text = mo.ui.text_area(SAMPLE_TEXT, label="Text", full_width=True)
    vocab_size = mo.ui.slider(steps=V_STEPS, value=50_257, label="V", show_value=True)
    dim = mo.ui.slider(steps=D_STEPS, value=16, label="D", show_value=True)
    seed = mo.ui.slider(0, 200, value=123, label="Seed", show_value=True)
    context_length = mo.ui.number(1, 64, value=4, label="T")
    stride = mo.ui.number(1, 64, value=4, label="Stride")
    batch_size = mo.ui.number(1, 64, value=2, label="B")
    shown = mo.ui.dropdown(SHOWN, value="combined", label="Show")
    mo.vstack([text, vocab_size, dim, seed, mo.hstack([context_length, stride, batch_size, shown])])
    return batch_size, context_length, dim, seed, shown, stride, text, vocab_size


@app.cell
def steps(Settings, batch_size, context_length, dim, journey, mo, seed, shown, stride, text, vocab_size):
    sizes = {"context_length": context_length.value, "stride": stride.value, "batch_size": batch_size.value}
    settings = Settings(vocab_size.value, dim.value, seed.value, **sizes)
    words, charts = journey(text.value, settings, shown.value)
    mo.vstack([mo.md(words), *charts])
    return


if __name__ == "__main__":
    app.run()
