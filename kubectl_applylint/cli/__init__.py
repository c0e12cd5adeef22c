"""The two programs: ``applylint`` and the kubectl plugin ``kubectl-applylint``."""
