"""How long things take: ``python -m bench`` measures and prints a table.

Times differ from machine to machine and from minute to minute, so that what counts are ratios of times that were taken
in one run, and numbers of requests.
"""
