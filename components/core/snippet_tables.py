"""The lines with which most programs begin: the tables of the learner's settings, drawn as PyTorch draws them."""

from components.core.settings import Settings

PRINT = "torch.set_printoptions(linewidth=160, sci_mode=False)\n"


def token_table(settings: Settings, positions: bool = False, imports: str = "") -> str:
    """Return the lines that draw the token table, and with `positions` the position table of the same settings.

    >>> print(token_table(Settings(vocab_size=6, dim=3)))
    import torch
    from torch import nn
    <BLANKLINE>
    torch.set_printoptions(linewidth=160, sci_mode=False)
    V, D = 6, 3
    torch.manual_seed(123)
    token_table = nn.Embedding(V, D)  # [V, D]
    <BLANKLINE>
    """
    V, D, T = settings.vocab_size, settings.dim, settings.context_length
    sizes = f"V, D, T = {V}, {D}, {T}" if positions else f"V, D = {V}, {D}"
    code = f"{imports}import torch\nfrom torch import nn\n\n{PRINT}{sizes}\n"
    code += f"torch.manual_seed({settings.seed})\ntoken_table = nn.Embedding(V, D)  # [V, D]\n"
    return code + (position_table(settings) if positions else "")


def position_table(settings: Settings) -> str:
    """Return the lines that make the position table [T, D] under the name `position`; nothing where it is off.

    >>> print(position_table(Settings(position="learned")), end="")
    position_table = nn.Embedding(T, D)  # [T, D], the next numbers of the same stream
    """
    if settings.position == "none":
        return ""
    if settings.position == "learned":
        return "position_table = nn.Embedding(T, D)  # [T, D], the next numbers of the same stream\n"
    return sinusoidal("position_table", "T", settings.layout)


def sinusoidal(name: str, length: str, layout: str) -> str:
    """Return the lines that make a sinusoidal table [length, D] in one of the two layouts.

    >>> print(sinusoidal("table", "T", "halves"))
    places = torch.arange(T, dtype=torch.float64)[:, None]  # [T, 1]
    rates = 10_000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [ceil(D / 2)]
    angles = places * rates  # [T, ceil(D / 2)]
    table = torch.cat([angles.sin(), angles.cos()[:, : D // 2]], dim=1).float()  # [T, D]
    <BLANKLINE>
    """
    code = (
        f"places = torch.arange({length}, dtype=torch.float64)[:, None]  # [{length}, 1]\n"
        "rates = 10_000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [ceil(D / 2)]\n"
        f"angles = places * rates  # [{length}, ceil(D / 2)]\n"
    )
    if layout == "halves":
        return code + f"{name} = torch.cat([angles.sin(), angles.cos()[:, : D // 2]], dim=1).float()  # [{length}, D]\n"
    return code + (
        f"{name} = torch.empty({length}, D)  # [{length}, D]\n"
        f"{name}[:, 0::2] = angles.sin()\n"
        f"{name}[:, 1::2] = angles.cos()[:, : D // 2]\n"
    )


def columns_shown(dim: int, first: int, most: int = 16) -> tuple[int, int]:
    """Return the first column that a heatmap shows, and the one after its last.

    >>> columns_shown(20, first=99), columns_shown(3, first=2)
    ((4, 20), (0, 3))
    """
    start = min(first, max(0, dim - most))
    return start, min(start + most, dim)
