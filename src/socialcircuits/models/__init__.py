"""Models: one small interface and its adapters."""

from socialcircuits.models.endpoints import Endpoint, Key, resolve
from socialcircuits.models.interface import Capabilities, Completion, Model, Request, Token
from socialcircuits.models.openai_compatible import OpenAICompatible
from socialcircuits.models.prices import Price, Prices, load_prices
from socialcircuits.models.scripted import ScriptedModel

__all__ = [
    "Capabilities",
    "Completion",
    "Endpoint",
    "Key",
    "Model",
    "OpenAICompatible",
    "Price",
    "Prices",
    "Request",
    "ScriptedModel",
    "Token",
    "load_prices",
    "resolve",
]
