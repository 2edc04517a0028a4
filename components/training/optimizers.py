"""Optimizers as functions that apply one update: torch's own functional SGD and Adam.

The classes of torch.optim call the same functions, but their first step imports torch's compiler: 77 MB and over a
second. Follows https://docs.pytorch.org/docs/stable/optim.html
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.optim.adam import adam
from torch.optim.sgd import sgd

Update = Callable[[Sequence[Tensor]], None]


def optimizer_step(name: str, parameters: Sequence[Tensor], rate: float, decay: float) -> Update:
    """Return a function that takes the gradients of `parameters` and updates the parameters in place.

    "sgd", "momentum" (SGD with momentum 0.9), "adam" or "adamw" with the weight decay `decay`, which the others do not
    use. The function stores the state of the optimizer. Raises KeyError for another name.
    """
    momentum = {"sgd": 0.0, "momentum": 0.9}
    if name in momentum:
        apply, state = sgd, ([None] * len(parameters),)  # velocities
        options = {"weight_decay": 0.0, "momentum": momentum[name], "dampening": 0.0, "nesterov": False}
    else:
        means, squares = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
        apply, state = adam, (means, squares, [], [torch.tensor(0.0) for _ in parameters])  # the last are the steps
        options = {"weight_decay": {"adam": 0.0, "adamw": decay}[name], "beta1": 0.9, "beta2": 0.999, "eps": 1e-8}
        options |= {"amsgrad": False, "decoupled_weight_decay": True}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        # Otherwise torch would look in every step for a form that is faster on a GPU.
        apply([*parameters], [*gradients], *state, foreach=False, maximize=False, lr=rate, **options)

    return step
