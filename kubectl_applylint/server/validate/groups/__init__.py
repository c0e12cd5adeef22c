"""What the server rejects of the kinds that are built in, one module per API group or part of one."""
