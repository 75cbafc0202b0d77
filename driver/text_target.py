"""Models as text that is printed at the end of a run."""

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

from ..targets import Output, Target, Writing


class TextTarget(Target):
    """Models as text, one after the other."""

    kind = "text"

    def __init__(self, text_of: Callable[[ModuleOp], str]) -> None:
        self.texts: list[str] = []
        self.text_of = text_of

    def begin(self, module: ModuleOp, output: Output) -> Writing:
        target = self

        class Text(Writing):
            def finish(self) -> None:
                target.texts.append(target.text_of(self.module))

        return Text(module, output)
