"""Hand-written behaviour of the generated classes.

The classes in ``msgfold._generated.models`` are written by a generator.  What it cannot write, how
a Msg checks its role or folds an event, lives here and comes in as a base class.
"""
