"""The operating system: programs, processes, signals, time, folders and the bytes of files."""
