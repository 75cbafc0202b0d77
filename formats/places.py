"""Which files belong together, by their names."""


def weights_beside(path: str) -> str:
    """The `.bin` that belongs to a `.param` or `.param.bin`."""
    for ending in (".param.bin", ".param"):
        if path.endswith(ending):
            return path.removesuffix(ending) + ".bin"
    return f"{path}.bin"
