"""Models: one small interface and its adapters."""

from socialcircuits.models.interface import Capabilities, Completion, Model, Request, Token

__all__ = ["Capabilities", "Completion", "Model", "Request", "Token"]
