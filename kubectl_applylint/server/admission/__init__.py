"""The default admission plugins of the API server: one module for each plugin, with its name.

A plugin's module has ``mutate``, ``validate`` or both, and ``assumptions`` if it assumes something about the cluster.
``chain`` has the table of all plugins in the server's order and runs them.
"""
