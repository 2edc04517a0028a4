from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest
import tiktoken

from components.text import tokenizers
from components.text.tokenizers import DOWNLOADS, TokenizerUnavailable, get_tokenizer

NAME = "cl100k_base"


class Network:
    """Stands in for tiktoken's download: `arrive` lets it end, `failure` is what it then raises."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.arrive = Event()
        self.failure: Exception | None = None

    def get_encoding(self, name: str) -> tiktoken.Encoding:
        self.asked.append(name)
        self.arrive.wait(30)
        if self.failure:
            raise self.failure
        ranks = {bytes([b]): b for b in range(256)}
        return tiktoken.Encoding(name, pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={})


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=1_000.0)
    monkeypatch.setattr(tokenizers, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def network(monkeypatch, clock):
    network = Network()
    monkeypatch.setattr(tokenizers, "_loading", {})
    monkeypatch.setattr(tiktoken, "get_encoding", network.get_encoding)
    yield network
    network.arrive.set()


def refusal(timeout: float) -> str:
    with pytest.raises(TokenizerUnavailable) as caught:
        get_tokenizer(NAME, timeout)
    return str(caught.value)


def test_a_tokenizer_that_arrives_is_handed_out_and_kept(network):
    network.arrive.set()
    first = get_tokenizer(NAME, timeout=10.0)
    assert (first.name, first.n_vocab, first.encode("hi"), first.token_bytes(104)) == (NAME, 256, [104, 105], b"h")
    assert get_tokenizer(NAME, timeout=10.0) is first
    assert network.asked == [NAME]


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_download_that_fails_is_refused_with_its_size_and_the_way_out(network, name):
    network.failure = OSError("no route to host")
    network.arrive.set()
    with pytest.raises(TokenizerUnavailable) as caught:
        get_tokenizer(name, timeout=10.0)
    for part in (name, DOWNLOADS[name], "could not be downloaded (OSError)", "TIKTOKEN_CACHE_DIR", "choose gpt2"):
        assert part in str(caught.value)


def test_a_download_that_fails_by_a_timeout_of_its_own_is_a_failure(network):
    network.failure = TimeoutError("the read operation timed out")
    network.arrive.set()
    assert "could not be downloaded (TimeoutError)" in refusal(timeout=10.0)


def test_a_failed_download_is_asked_for_again_only_after_a_while(network, clock):
    network.failure = OSError()
    network.arrive.set()
    refusal(timeout=10.0)
    clock.now += tokenizers.RETRY_SECONDS - 1
    refusal(timeout=10.0)
    assert network.asked == [NAME]
    clock.now += 2
    network.failure = None
    assert get_tokenizer(NAME, timeout=10.0).name == NAME
    assert network.asked == [NAME, NAME]


def test_a_download_that_hangs_is_not_waited_for_and_is_handed_out_once_it_is_here(network):
    assert "is still being downloaded" in refusal(timeout=0.05)
    network.arrive.set()
    assert get_tokenizer(NAME, timeout=10.0).name == NAME
    assert network.asked == [NAME]


def test_a_download_that_hangs_for_long_costs_no_more_waiting(network, clock):
    refusal(timeout=0.05)
    clock.now += tokenizers.RETRY_SECONDS + 1
    assert "was not downloaded within 60 seconds" in refusal(timeout=30.0)
    network.arrive.set()
    tokenizers._loading[NAME][1].result(timeout=10.0)
    assert get_tokenizer(NAME, timeout=0.0).name == NAME
    assert network.asked == [NAME]


def test_many_learners_at_once_start_one_download(network):
    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(get_tokenizer, NAME, 10.0) for _ in range(8)]
        network.arrive.set()
        assert len({id(answer.result(timeout=20.0)) for answer in answers}) == 1
    assert network.asked == [NAME]


def test_gpt2_needs_no_download(network):
    assert get_tokenizer("gpt2").encode("Hello world") == [15496, 995]
    assert network.asked == []


@pytest.mark.parametrize("name", ["", "GPT2", "p50k_base"])
def test_an_unknown_tokenizer_is_refused_by_name(network, name):
    with pytest.raises(ValueError, match=f"There is no tokenizer '{name}': choose gpt2, cl100k_base or o200k_base"):
        get_tokenizer(name)
    assert network.asked == []
