"""File names of related files."""


def weights_beside(path: str) -> str:
    """Return the `.bin` that belongs to a `.param` or `.param.bin`."""
    for ending in (".param.bin", ".param"):
        if path.endswith(ending):
            return path.removesuffix(ending) + ".bin"
    return f"{path}.bin"
