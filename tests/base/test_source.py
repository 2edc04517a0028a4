from components.base.source import without_examples

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
