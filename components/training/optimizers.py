"""Optimizers as functions that apply one update: torch's own functional SGD and Adam.

The classes of torch.optim call the same functions, but their first step imports torch's compiler: 77 MB and over a
second. Follows https://docs.pytorch.org/docs/stable/optim.html
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.optim.adam import adam
from torch.optim.sgd import sgd

MOMENTUM = 0.9
BETAS = (0.9, 0.999)
EPS = 1e-8

USUAL_RATES = {"sgd": 0.3, "momentum": 0.1, "adam": 0.03, "adamw": 0.03}  # learning rates that suit a toy model

Update = Callable[[Sequence[Tensor]], None]


def optimizer_step(name: str, parameters: Sequence[Tensor], rate: float, decay: float = 0.0) -> Update:
    """Return a function that takes the gradients of `parameters` and updates the parameters in place.

    "sgd", "momentum" (SGD with momentum 0.9), "adam" or "adamw" with the weight decay `decay`, which the others do not
    use. The function stores the state of the optimizer. Raises KeyError for another name.

    >>> weight = torch.tensor([1.0, 2.0])
    >>> step = optimizer_step("sgd", [weight], rate=0.5)
    >>> step([torch.tensor([1.0, 0.0])])
    >>> weight
    tensor([0.5000, 2.0000])
    """
    optimizers = {
        "sgd": lambda: _sgd(parameters, rate, 0.0),
        "momentum": lambda: _sgd(parameters, rate, MOMENTUM),
        "adam": lambda: _adam(parameters, rate, 0.0),
        "adamw": lambda: _adam(parameters, rate, decay),
    }
    return optimizers[name]()


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
    options = {"beta1": BETAS[0], "beta2": BETAS[1], "lr": rate, "weight_decay": decay, "eps": EPS}
    flags = {"foreach": False, "amsgrad": False, "maximize": False, "decoupled_weight_decay": True}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        adam([*parameters], [*gradients], means, squares, [], counts, **flags, **options)

    return step
