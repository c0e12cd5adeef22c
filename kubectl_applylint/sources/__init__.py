"""Every byte from outside: files, snapshots, clusters."""
