"""The error lab: programs that fail in ways that learners meet, what the libraries raise, and the fixes.

An experiment is a function that returns its case, and the program of the same name in the folder `programs`. Importing
the experiments loads neither torch nor gensim: the programs import them when they run.
"""
