"""Embedding Lab. This module is imported before torch and numpy, which read the setting below once.

One thread per operation: the tensors are small, and every rerun is a thread of its own, for which torch would start a
team of threads each time. With twenty learners these teams would compete for the cores; a rerun would take seconds.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
