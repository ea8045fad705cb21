"""What some events can tell beyond their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import model_validator

from msgfold.model.base import Model


class ReplyEndBehaviour(Model):
    """REPLY_END under the name that AgentScope's documentation uses."""

    if TYPE_CHECKING:
        finished_reason: Any

    @property
    def reason(self) -> str:
        """Why the reply ended: ``finished_reason`` under its other name."""
        return str(self.finished_reason)


class ExceedMaxItersBehaviour(Model):
    """EXCEED_MAX_ITERS with its counts, which 2.0.4 has no member for."""

    if TYPE_CHECKING:
        metadata: dict[str, Any]

    @property
    def iterations(self) -> int | None:
        """Iterations done, from ``metadata.iterations`` (``wire.meta.iterations``)."""
        return _count(self.metadata, "iterations")

    @property
    def max_iters(self) -> int | None:
        """The limit on iterations, from ``metadata.max_iters`` (``wire.meta.iterations``)."""
        return _count(self.metadata, "max_iters")


class UserInterruptBehaviour(Model):
    """USER_INTERRUPT with its context, which 2.0.4 has no member for."""

    if TYPE_CHECKING:
        metadata: dict[str, Any]

    @property
    def context(self) -> dict[str, Any]:
        """The interrupt's context, from ``metadata.interrupt`` (``wire.meta.interrupt``)."""
        context = self.metadata.get("interrupt")
        return context if isinstance(context, dict) else {}


class DataOrUrlBehaviour(Model):
    """DATA_BLOCK_DELTA and TOOL_RESULT_DATA_DELTA give content in exactly one of two ways."""

    if TYPE_CHECKING:
        data: str | None
        url: str | None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        # Told apart by presence: empty data is data (wire.json.data-or-url).
        if (self.data is None) == (self.url is None):
            came = "neither" if self.data is None else "both"
            raise ValueError(f"exactly one of data and url must be given, got {came}")
        return self


def _count(metadata: dict[str, Any], name: str) -> int | None:
    value = metadata.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
