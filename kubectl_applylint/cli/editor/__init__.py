"""The language server of ``lsp``: the protocol, the documents of an editor, and the responses."""
