"""The error lab: programs that fail in ways that learners meet, what the libraries raise, and the fixes.

Importing the package loads neither torch nor gensim: the programs import them when they run.
"""

from components.failures.catalogue import FAILURES, run_failure

__all__ = ["FAILURES", "run_failure"]
