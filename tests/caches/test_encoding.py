import tracemalloc

from components.caches.encoding import vocabulary
from components.text.vocabulary import Vocabulary


def test_vocabulary_is_counted_with_all_its_memory():
    text = " ".join(f"w{number}" for number in range(5_000))
    tracemalloc.start()
    made = Vocabulary(text.split())
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= vocabulary.cache.getsizeof(made)
