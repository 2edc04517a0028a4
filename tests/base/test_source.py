import ast
import gc
import inspect
import sys
from concurrent.futures import ThreadPoolExecutor

from components.base.source import parse, without_examples

BEFORE = """class A:
    '''One.

    Two.

    >>> A()
    '''

    def f(self):
        '''Three.

        >>> 1
        1
        '''

    def g(self):
        '''Four.'''"""


def test_without_examples_keeps_the_text_before_them():
    after = BEFORE.replace("\n\n    >>> A()", "").replace("\n\n        >>> 1\n        1\n        ", "")
    assert without_examples(BEFORE) == after


class Cycle:
    """Garbage whose end takes a while, so that another thread may begin in the middle of a collection."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        sum(range(300))


def test_parse_in_several_threads_gives_each_its_tree():
    code = inspect.getsource(ast)

    def use(_: int) -> int:
        for _ in range(30):
            Cycle()
        return len(parse(code).body)

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(6) as threads:
            assert set(threads.map(use, range(72))) == {len(parse(code).body)}
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
