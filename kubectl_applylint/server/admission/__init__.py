"""The admission plugins of the API server that are on by default: one module a plugin, named as the plugin is.

A plugin's module offers ``mutate``, ``validate`` or both, and ``assumptions`` where it takes something of the cluster
for granted. ``chain`` holds the table of all plugins in the server's order and runs them.
"""
