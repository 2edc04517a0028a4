"""Signatures of file formats other than word vectors; files with one of them are not opened any further."""

import re

# Only bytes that cannot be the first word of a text file.
SIGNATURES = (
    (rb"\x80[\x02-\x05]", "a Python pickle"),
    (rb"\(?c(copy_?reg|builtins|__builtin__|os|posix|nt|sys|subprocess|numpy[\w.]*|gensim[\w.]*)\n", "a Python pickle"),
    (rb"\([dl]p[0-9]+\n", "a Python pickle"),
    (rb"\x93NUMPY", "a NumPy array (.npy)"),
    (rb"PK\x03\x04.{22}[^\n]{4}[\w/.-]+\.npy", "a NumPy archive (.npz)"),
    (rb"PK(\x03\x04|\x05\x06|\x07\x08)", "a zip archive"),
    (rb"%PDF-", "a PDF"),
    (rb"\s*<(!doctype|html|head|body|script|\?xml|svg)[\s>]", "a page of HTML or XML"),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|BM.{4}\0\0\0\0|II\*\0|MM\0\*", "an image"),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16 instead of UTF-8"),
    (rb"\xba\x16\x4f\x2f", "a fastText model"),
    (rb"\x89HDF\r\n", "an HDF5 file"),
    (rb"BZh[1-9]1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c|Rar!\x1a", "an archive other than gzip"),
    (rb".{257}ustar", "a tar archive"),
    (rb"\x7fELF|MZ[\x90\x00]\0", "a program"),
)


def reject_other_formats(head: bytes) -> None:
    """Raise ValueError if the first bytes of a file are the signature of another format.

    >>> reject_other_formats(b"king 0.1 -0.2")
    >>> reject_other_formats(b"%PDF-1.7 ...")
    Traceback (most recent call last):
    ValueError: By its first bytes this is a PDF, and nothing in it was opened or executed: upload word vectors as text
    or binary of word2vec, or text of GloVe, plain or gzip.
    """
    for pattern, name in SIGNATURES:
        if re.match(pattern, head, re.DOTALL | re.IGNORECASE if b"<" in pattern else re.DOTALL):
            raise ValueError(
                f"By its first bytes this is {name}, and nothing in it was opened or executed: upload word vectors as "
                f"text or binary of word2vec, or text of GloVe, plain or gzip."
            )
