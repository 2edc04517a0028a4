"""The error lab: programs that fail in ways that learners meet, what the libraries raise, and the fixes.

Importing the experiments loads neither torch nor gensim: the programs import them when they run.
"""
