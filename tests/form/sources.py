"""The package's source as syntax trees, and walks over them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "socialcircuits"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One source file: its path below the package, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        """The first part of the path, for example ``measures``."""
        return self.path.split("/")[0]


def modules() -> list[Module]:
    """All modules of the package, by path."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        path = file.relative_to(PACKAGE).as_posix()
        found.append(Module(path, text, ast.parse(text, filename=path)))
    return found


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """All functions below a node with their qualified names, nested ones too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            name = f"{prefix}{node.name}"
            if isinstance(node, Function):
                yield name, node
            yield from functions(node, f"{name}.")
        else:
            yield from functions(node, prefix)


def length(function: Function) -> int:
    """Lines of a function from ``def`` to its end, without its docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def parameters(function: Function) -> int:
    """Number of parameters of a function, not counting self or cls."""
    args = function.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names += [arg.arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return len(names) - (bool(names) and names[0] in {"self", "cls"})


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string but docstrings; an f-string counts without its values."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            skipped.update(id(part) for part in parts)
            yield node.lineno, "".join(str(part.value) for part in parts)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in skipped:
            continue
        if isinstance(node.value, str):
            yield node.lineno, node.value


def exported(tree: ast.Module) -> list[str]:
    """The names in a module's ``__all__``; empty if it has none."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            assert isinstance(node, ast.Assign)
            return [str(name) for name in ast.literal_eval(node.value)]
    return []
