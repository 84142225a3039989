"""The emitter: the core language as WebAssembly."""
