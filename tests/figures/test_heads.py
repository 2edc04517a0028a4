"""The maps of GPT-2's heads show the weights and the shares of a reference by torch."""

import numpy as np
import torch

from components.embedding.gpt2 import shares
from components.figures.raster import raster
from components.lessons.attention.gpt2_figure import heads_figure
from tests.embedding.test_gpt2 import IDS, reference
from tests.figures.drawn import chosen, names, pixels, texts
from tests.figures.geometry import check_layout
from tests.gpt2_server import tables


def test_maps_of_the_heads_show_their_weights_and_shares():
    found = tables()
    layer = [each for name, each in found.items() if name.startswith("h.0.")]
    weights, _ = reference(found["wte.weight"][IDS] + found["wpe.weight"][: len(IDS)], layer)
    images = [raster(each, 1.0) for each in weights]
    figure = heads_figure(images, [shares(torch.from_numpy(each), torch.tensor(IDS)) for each in weights], 10)
    check_layout(figure)
    assert (figure.lit, chosen(figure)) == ("h10", [{"gpt2_head": head} for head in range(12)])
    assert {f"head {head}" for head in range(12)} <= {each.text for each in texts(figure)}
    for head, (each, drawn) in enumerate(zip(weights, pixels(figure).values(), strict=True)):
        np.testing.assert_allclose(drawn, each, atol=0.025)
        before, first = np.diag(each, -1).mean(), each[1:, 0].mean()
        assert names(figure)[f"h{head}"] == (
            f"Head {head}: mean weight on earlier copies of the same token {each[5, 2]:.2f}, on the token before "
            f"{before:.2f}, on the first token {first:.2f}"
        )
