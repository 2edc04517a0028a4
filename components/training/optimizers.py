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


def optimizer_step(name: str, parameters: Sequence[Tensor], rate: float, decay: float = 0.0) -> Update:
    """Return a function that takes the gradients of `parameters` and updates the parameters in place.

    "sgd", "momentum" (SGD with momentum 0.9), "adam" or "adamw" with the weight decay `decay`, which the others do not
    use. The function stores the state of the optimizer. Raises KeyError for another name.
    """
    momentum = {"sgd": 0.0, "momentum": 0.9}
    if name in momentum:
        return _sgd(parameters, rate, momentum[name])
    return _adam(parameters, rate, {"adam": 0.0, "adamw": decay}[name])


def _sgd(parameters: Sequence[Tensor], rate: float, momentum: float) -> Update:
    velocities: list[Tensor | None] = [None] * len(parameters)
    options = {"weight_decay": 0.0, "momentum": momentum, "lr": rate, "dampening": 0.0}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        sgd([*parameters], [*gradients], velocities, foreach=False, nesterov=False, maximize=False, **options)

    return step


def _adam(parameters: Sequence[Tensor], rate: float, decay: float) -> Update:
    means, squares = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    counts = [torch.tensor(0.0) for _ in parameters]
    options = {"beta1": 0.9, "beta2": 0.999, "lr": rate, "weight_decay": decay, "eps": 1e-8}
    flags = {"foreach": False, "amsgrad": False, "maximize": False, "decoupled_weight_decay": True}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        adam([*parameters], [*gradients], means, squares, [], counts, **flags, **options)

    return step
