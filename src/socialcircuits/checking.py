"""From a validation error to one clear line: where, what was given, what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from socialcircuits.errors import SettingError

Model = TypeVar("Model", bound=BaseModel)

_EXPECTED = {
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "literal_error": "{expected}",
    "int_type": "an integer",
    "float_type": "a number",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a table",
    "string_too_short": "some text",
    "too_short": "at least {min_length} entries",
    "model_type": "a table",
}


def checked(model: type[Model], values: Mapping[str, Any], where: str) -> Model:
    """Return the model made from values.

    Args:
        model: what to make.
        values: JSON or TOML values.
        where: path of the values, for errors.

    Raises:
        SettingError: a setting is unknown or its value not allowed; the first one is named.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _explain(model, error.errors()[0], where) from None


def _explain(model: type[BaseModel], first: ErrorDetails, where: str) -> SettingError:
    kind, context, known = first["type"], first.get("ctx", {}), _fields(model)
    path = [part for part in first["loc"] if isinstance(part, int) or _is_setting(part, known)]
    spot = where + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
    if kind == "extra_forbidden":
        name = str(first["loc"][-1])
        inner = _model_at(model, first["loc"][:-1])
        among = list(inner.model_fields)
        parent = ".".join([where, *(str(part) for part in first["loc"][:-1])])
        return SettingError(parent, name, "a setting: " + ", ".join(among), among=among)
    if kind == "missing":
        return SettingError(spot, None, "a value")
    expected = _EXPECTED.get(kind, first["msg"]).format(**context)
    return SettingError(spot, first["input"], expected)


def _fields(model: type[BaseModel]) -> set[str]:
    names = set(model.model_fields)
    for field in model.model_fields.values():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            names |= _fields(field.annotation)
    return names


def _is_setting(part: str, known: set[str]) -> bool:
    # pydantic puts the tried branch of a union into the path; it is no setting.
    return part in known


def _model_at(model: type[BaseModel], path: tuple[int | str, ...]) -> type[BaseModel]:
    for part in path:
        annotation = model.model_fields[str(part)].annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            model = annotation
    return model
