"""One run: discovers units, loads them, evaluates them, and collects the reports."""
