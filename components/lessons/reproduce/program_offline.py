# %% [markdown]
# # The token IDs instead of the tokenizer, which would need a network

# %% The first tokens of a story
# Edith Wharton, The Verdict (1908): "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow
# enough--so it was no great surprise to me to hear that, in".
story_ids = [
    *(40, 367, 2885, 1464, 1807, 3619, 402, 271, 10899, 2138, 257, 7026, 15632, 438, 2016, 257, 922),
    *(5891, 1576, 438, 568, 340, 373, 645, 1049, 5975, 284, 502, 284, 3285, 326, 11, 287),
]
