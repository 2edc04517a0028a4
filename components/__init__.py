"""The parts of the lab. Imported before torch and numpy, which read this setting once.

One thread for each sum: the tensors here are small, and every rerun is a thread of its own, for which torch would start
a team of helpers each time. With twenty learners those teams fight for two cores, and a move takes seconds.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
