"""Lists of analogies: those tested on the news corpus, well-known ones, and some about people."""

from components.vectors.corpora import AnalogyQuestion

NEWS_MIN_COUNT = 3  # a word that occurs less often learns next to nothing
NEWS_QUESTIONS = (
    AnalogyQuestion("king", "man", "woman", "queen"),
    AnalogyQuestion("paris", "france", "italy", "rome"),
    AnalogyQuestion("he", "man", "woman", "she"),
    AnalogyQuestion("his", "he", "she", "her"),
    AnalogyQuestion("father", "man", "woman", "mother"),
    AnalogyQuestion("going", "go", "say", "saying"),
    AnalogyQuestion("killed", "kill", "attack", "attacked"),
)
POPULAR_ANALOGIES = [
    AnalogyQuestion("king", "man", "woman", "queen"),
    AnalogyQuestion("paris", "france", "italy", "rome"),
    AnalogyQuestion("berlin", "germany", "spain", "madrid"),
    AnalogyQuestion("bigger", "big", "small", "smaller"),
    AnalogyQuestion("walking", "walk", "swim", "swimming"),
    AnalogyQuestion("father", "man", "woman", "mother"),
    AnalogyQuestion("uncle", "man", "woman", "aunt"),
    AnalogyQuestion("cats", "cat", "dog", "dogs"),
    AnalogyQuestion("good", "better", "worse", "bad"),
    AnalogyQuestion("japanese", "japan", "france", "french"),
    AnalogyQuestion("hand", "arm", "leg", "foot"),
    AnalogyQuestion("moon", "night", "day", "sun"),
]
# There is no correct answer here: the vectors reproduce what their texts say about people.
PEOPLE = [
    AnalogyQuestion("doctor", "man", "woman"),
    AnalogyQuestion("doctor", "woman", "man"),
    AnalogyQuestion("programmer", "man", "woman"),
    AnalogyQuestion("boss", "man", "woman"),
    AnalogyQuestion("nurse", "woman", "man"),
    AnalogyQuestion("captain", "he", "she"),
]
