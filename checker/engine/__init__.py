"""Compiled successors: a machine as WebAssembly, and the searches that run inside it."""
