"""Where msgfold meets other packages, by value: nothing is shared across."""
