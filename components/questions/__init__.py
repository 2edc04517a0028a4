"""The engine of the questions: options, grades, the summary of answers, and the learner's own IDs."""
