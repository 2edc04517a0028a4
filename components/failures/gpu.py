"""What differs on a GPU, by the kind of failure; the sources are PyTorch's documentation and its reports."""

ISSUES = "https://github.com/pytorch/pytorch/issues"
ON_GPU = {
    "lookup": (
        "The lookup is started, and a check in the GPU's own code stops it: a *device-side assert*. GPU work runs "
        "asynchronously, so the exception may be raised at a later, unrelated line; with the environment variable "
        "`CUDA_LAUNCH_BLOCKING=1` every line waits, and the traceback points to the lookup again. The message does not "
        "name the ID either, and the process cannot use the GPU any more until it is restarted. The quickest way to "
        "the cause is the same batch on the CPU. This could not be run here. Sources: "
        "[CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution) in PyTorch's "
        f"documentation, [a report of such a lookup]({ISSUES}/29966), and [why only a restart helps]({ISSUES}/17425)."
    ),
    "checked": (
        "The same: dtypes and shapes are checked before any work is sent to the GPU, so the exception is raised "
        "immediately and by the same line; the message may name another device. This could not be run here. Source: "
        "[CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution) in PyTorch's "
        "documentation, which describes the errors that are raised later."
    ),
    "silent": (
        "The same numbers, and no exception either: [broadcasting]"
        "(https://docs.pytorch.org/docs/stable/notes/broadcasting.html) follows one rule everywhere. This could not be "
        "run here."
    ),
    "none": "No GPU is involved: this happens in Python before there is a tensor.",
}
