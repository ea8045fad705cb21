"""``python -m msgfold`` is ``msgfold``."""

from msgfold.cli import main

if __name__ == "__main__":
    main()
