"""Gates on the form of the source. Exceptions stand in exceptions.py, each with a reason."""

from __future__ import annotations

import ast
import re

import pytest

from tests.form.exceptions import EXCEPTIONS
from tests.form.sources import Module, exported, functions, length, modules, parameters, strings

MODULES = modules()

LONGEST_TEXT = 300
INSTRUCTION = re.compile(
    r"\b(you are|you must|you should|you will|your task|answer with|reply with|respond with"
    r"|output json|do not answer|think step by step)\b",
    re.IGNORECASE,
)
SQL = re.compile(r"\s*(create|select|insert|pragma|with|update|drop)\b", re.IGNORECASE)

CONSENSUS = 0.85
THRESHOLD_NAME = re.compile(r"threshold|consensus|polari[sz]ation", re.IGNORECASE)

PUBLIC = ["__version__", "open", "patch", "run", "view"]
"""The root package's frozen public names."""


def excuse(rule: str, found: dict[str, str]) -> list[str]:
    """What is found and not excused, and what is excused and not found."""
    excused = EXCEPTIONS[rule]
    news = [f"{place}: {what}" for place, what in found.items() if place not in excused]
    stale = [f"{place}: no longer needs its exception" for place in excused if place not in found]
    return news + stale


def test_the_source_is_found() -> None:
    assert {"errors.py", "graph/vocabulary.py"} <= {module.path for module in MODULES}


def test_module_length() -> None:
    lines = {module.path: module.text.count("\n") for module in MODULES}
    assert not {path: n for path, n in lines.items() if n > 500}
    long = {path: f"{n} lines" for path, n in lines.items() if n > 400}
    assert not excuse("module over 400 lines", long)


def test_function_length() -> None:
    lengths = {
        f"{module.path}:{name}": length(function)
        for module in MODULES
        for name, function in functions(module.tree)
    }
    assert not {place: n for place, n in lengths.items() if n > 60}
    long = {place: f"{n} lines" for place, n in lengths.items() if n > 40}
    assert not excuse("function over 40 lines", long)


def test_number_of_parameters() -> None:
    many = {
        f"{module.path}:{name}": f"{parameters(function)} parameters"
        for module in MODULES
        for name, function in functions(module.tree)
        if parameters(function) > 6
    }
    assert not excuse("more than 6 parameters", many)


def test_no_module_for_leftovers() -> None:
    leftovers = {"utils", "util", "helpers", "common", "misc"}
    paths = [module.path for module in MODULES]
    assert not [path for path in paths if leftovers & set(re.split(r"[/._]", path))]


def random_state(module: Module) -> list[str]:
    """Uses of a generator other than the named streams."""
    found = []
    for node in ast.walk(module.tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [ast.unparse(node)]
        pattern = r"(random|numpy\.random|np\.random|secrets)(\.|$)"
        found += [f"{module.path}: {name}" for name in names if re.match(pattern, name)]
    return found


def test_no_global_random_state() -> None:
    assert not [use for module in MODULES for use in random_state(module)]


@pytest.mark.parametrize(
    "source", ["import random", "from numpy import random", "import numpy as np\nnp.random.seed(1)"]
)
def test_global_random_state_is_seen(source: str) -> None:
    assert random_state(Module("x.py", source, ast.parse(source)))


def prompt_text(module: Module) -> dict[str, str]:
    """Strings that are too long or speak to a reader, by place."""
    return {
        f"{module.path}:{line}": repr(text[:60])
        for line, text in strings(module.tree)
        if INSTRUCTION.search(text) or (len(text) > LONGEST_TEXT and not SQL.match(text))
    }


def test_no_prompt_text() -> None:
    found: dict[str, str] = {}
    for module in MODULES:
        found |= prompt_text(module)
    assert not excuse("prompt text", found)


@pytest.mark.parametrize(
    "source",
    ['x = "You are a" " helpful agent"', 'x = f"{name}, you must decide"', f'x = "{"word " * 61}"'],
)
def test_prompt_text_is_seen(source: str) -> None:
    assert prompt_text(Module("x.py", source, ast.parse(source)))


def test_a_docstring_is_no_prompt_text() -> None:
    source = f'"""You are reading {"a long docstring " * 30}."""'
    assert not prompt_text(Module("x.py", source, ast.parse(source)))


def thresholds(module: Module) -> list[str]:
    """Endpoint-class thresholds written as numbers."""
    found = []
    for node in ast.walk(module.tree):
        pairs: list[tuple[str, ast.expr | None]] = []
        if isinstance(node, ast.Constant) and node.value == CONSENSUS:
            found.append(f"{module.path}:{node.lineno}: {node.value}")
        elif isinstance(node, ast.Assign):
            pairs = [(ast.unparse(target), node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign):
            pairs = [(ast.unparse(node.target), node.value)]
        elif isinstance(node, ast.keyword):
            pairs = [(node.arg or "", node.value)]
        for name, value in pairs:
            number = isinstance(value, ast.Constant) and isinstance(value.value, float)
            if number and THRESHOLD_NAME.search(name):
                found.append(f"{module.path}: {name}")
    return found


def test_thresholds_live_in_measures_only() -> None:
    outside = [module for module in MODULES if module.folder != "measures"]
    assert not [place for module in outside for place in thresholds(module)]


@pytest.mark.parametrize("source", ["x = s1 >= 0.85", "classify(shares, polarization=0.3)"])
def test_thresholds_are_seen(source: str) -> None:
    assert thresholds(Module("x.py", source, ast.parse(source)))


def undocumented(module: Module) -> list[str]:
    """Public functions, classes and methods without a docstring, and the module itself."""
    missing = [] if ast.get_docstring(module.tree) else [module.path]
    bodies = [("", module.tree.body)]
    for prefix, body in bodies:
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                missing.append(f"{module.path}:{prefix}{node.name}")
            if isinstance(node, ast.ClassDef):
                bodies.append((f"{node.name}.", node.body))
    return missing


def test_everything_public_has_a_docstring() -> None:
    assert not [place for module in MODULES for place in undocumented(module)]


def test_exported_names_are_few() -> None:
    counts = {module.path: len(exported(module.tree)) for module in MODULES}
    assert not {path: n for path, n in counts.items() if n > 20}


def test_the_root_package_is_frozen() -> None:
    root = next(module for module in MODULES if module.path == "__init__.py")
    assert exported(root.tree) == PUBLIC
