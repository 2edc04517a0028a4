"""The analogies asked of vectors that were trained on the news, and how often a word must be seen there."""

from components.core.corpora import Question

NEWS_MIN_COUNT = 3  # a word seen less often has learned next to nothing
NEWS_QUESTIONS = (
    Question("king", "man", "woman", "queen"),
    Question("paris", "france", "italy", "rome"),
    Question("he", "man", "woman", "she"),
    Question("his", "he", "she", "her"),
    Question("father", "man", "woman", "mother"),
    Question("sydney", "australia", "england", "london"),
    Question("going", "go", "say", "saying"),
    Question("killed", "kill", "attack", "attacked"),
)
