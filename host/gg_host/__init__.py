"""The Python wasmtime host: grants, membrane, sandbox, providers, documentation and the gg command."""
