"""The flag world: draws the hidden flag and deals the crops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from socialcircuits.errors import SettingError
from socialcircuits.graph import Deal, Evidence
from socialcircuits.seeds import Stream, digest
from socialcircuits.worlds.flags.crops import CropIndex, Statistics
from socialcircuits.worlds.flags.evidence import FlagEvidence
from socialcircuits.worlds.flags.pool import read_pool
from socialcircuits.worlds.flags.rendering import Picture, Sheet
from socialcircuits.worlds.flags.settings import FlagSettings, Judged


class FlagWorld:
    """A hidden flag, drawn uniformly from a pool, of which every seat sees one crop
    (paper, section 3.1).

    Args:
        settings: the checked settings.

    Attributes:
        settings: the settings.
        sheet: the pool's flags, to be drawn.
        index: all crops, as compatibility is judged.
        aliases: other names of countries, as the pool file lists them -> the country.

    Raises:
        SettingError: the pool cannot be used, or two of its flags are equal on the canvas.

    >>> world = FlagWorld(FlagSettings())
    >>> deal = world.deal(b"seed", 4)
    >>> deal.truth, deal.lure, deal.facts["positions"][0]
    ('Russia', 'Netherlands', [18, 1])
    """

    def __init__(self, settings: FlagSettings) -> None:
        self.settings = settings
        self.sheet = Sheet(read_pool(settings.pool), settings)
        self._answers = self.sheet.countries
        self.aliases = {
            alias: flag.name for flag in self.sheet.pool.flags for alias in flag.aliases
        }
        self._check_distinct()
        self.index = self._build(settings.evidence)
        width, height = (
            whole - part + 1 for whole, part in zip(settings.canvas, settings.crop, strict=True)
        )
        self._positions = [(x, y) for y in range(height) for x in range(width)]
        self._dealt: dict[tuple[int, tuple[int, int]], FlagEvidence] = {}

    @property
    def kind(self) -> str:
        """Name of the world in the catalogue."""
        return "flags"

    @property
    def answers(self) -> tuple[str, ...]:
        """The countries of the pool, in file order."""
        return self._answers

    @property
    def items(self) -> tuple[str, ...]:
        """Empty: a trial is about nothing but its hidden flag."""
        return ()

    @cached_property
    def fingerprint(self) -> str:
        """Digest (hex) of the names, designs and settings from which deals are drawn."""
        rows = [
            digest(name, self.sheet.classes(i).tobytes()) for i, name in enumerate(self.answers)
        ]
        # Where the pool file lies is no part of what it holds.
        kept = replace(self.settings, pool="")
        return digest(repr(kept), repr(self.sheet.colours), *rows).hex()

    def deal(self, shared_seed: bytes, bearers: int, about: str | None = None) -> Deal:
        """Draw the hidden flag (unless `about` names it) and a crop for each of `bearers` seats.

        Positions are dealt from shuffled passes over all positions, so that none comes twice before
        all have come once; seat i gets the same crop whatever `bearers` is. The lure is the wrong
        country in which most dealt crops occur (ties: at more positions, then by name).

        Raises:
            SettingError: `about` is not in the pool, or there are no bearers.
        """
        if bearers < 1:
            raise SettingError("$.trial.N", bearers, "at least 1 seat that sees a crop")
        drawn = Stream(shared_seed, "truth").choice(self._answers) if about is None else about
        flag = self._find(drawn)
        stream, places = Stream(shared_seed, "crops"), list[tuple[int, int]]()
        while len(places) < bearers:
            places += stream.shuffled(self._positions)
        return self.assemble(drawn, [self._evidence(flag, place) for place in places[:bearers]])

    def views(self, about: str) -> tuple[FlagEvidence, ...]:
        """Return the crops of a country's flag at all positions, in rows from the top.

        Raises:
            SettingError: the country is not in the pool.

        >>> crops = FlagWorld(FlagSettings()).views("Austria")
        >>> len(crops), min(len(crop.compatible) for crop in crops)
        (247, 2)
        """
        flag = self._find(about)
        return tuple(self._evidence(flag, place) for place in self._positions)

    def named(self, truth: str, name: str) -> FlagEvidence:
        """Return a crop by its name: ``x,y``, or ``COUNTRY x,y`` for another flag than the hidden.

        Raises:
            SettingError: no such country, or the crop would leave the canvas.

        >>> world = FlagWorld(FlagSettings())
        >>> world.named("France", "Peru 18,12").reasons()[0]
        'The whole crop is red.'
        """
        country, _, place = name.strip().rpartition(" ")
        try:
            x, y = map(int, place.split(","))
        except ValueError:
            raise SettingError("$.world.position", name, "x,y or COUNTRY x,y, in cells") from None
        return self.evidence(country or truth, (x, y))

    def assemble(self, truth: str, evidence: Sequence[Evidence], lure: str = "") -> Deal:
        """Return the situation in which these seats see these crops.

        Args:
            truth: the hidden flag.
            evidence: one crop of it a seat.
            lure: the wrong country; empty: the one in which most of the crops occur (ties: at more
                positions, then by name).
        """
        crops = [seen for seen in evidence if isinstance(seen, FlagEvidence)]
        lure = lure or self._lure(self._find(truth), crops)
        return Deal(truth, self._answers, lure, tuple(crops), self._facts(truth, lure, crops))

    def evidence(self, country: str, position: tuple[int, int]) -> FlagEvidence:
        """Return the crop of a country's flag at a position (x, y) in cells.

        Raises:
            SettingError: the country is not in the pool, or the crop would leave the canvas.

        >>> FlagWorld(FlagSettings()).evidence("Peru", (18, 12)).reasons()[0]
        'The whole crop is red.'
        """
        flag = self._find(country)
        if position not in self._positions:
            last = self._positions[-1]
            raise SettingError("$.world.position", position, f"(x, y) from (0, 0) to {last}")
        return self._evidence(flag, position)

    def picture(self, country: str) -> Picture:
        """Return a country's whole flag as RGB bytes, shape (height, width, 3) in pixels.

        Raises:
            SettingError: the country is not in the pool.

        >>> FlagWorld(FlagSettings()).picture("Italy")[0, 0].tolist()
        [0, 146, 70]
        """
        return self.sheet.picture(self._find(country))

    def statistics(self) -> dict[Judged, Statistics]:
        """Return how telling the crops of the pool are, on the grid and on the raster.

        >>> statistics = FlagWorld(FlagSettings()).statistics()
        >>> round(statistics["grid"]["mean_compatible"], 3)
        8.011
        >>> round(statistics["raster"]["mean_compatible"], 3)
        6.957
        """
        kinds: tuple[Judged, ...] = ("grid", "raster")
        built = {self.settings.evidence: self.index}
        return {
            kind: (built.get(kind) or self._build(kind)).statistics(self._answers) for kind in kinds
        }

    def _find(self, country: str) -> int:
        if country not in self._answers:
            expected = f"a country of the pool {self.sheet.pool.name}"
            raise SettingError("$.trial.truth", country, expected, among=self._answers)
        return self._answers.index(country)

    def _evidence(self, flag: int, place: tuple[int, int]) -> FlagEvidence:
        found = self._dealt.get((flag, place))
        if found is None:
            found = FlagEvidence(self.sheet, self.index, flag, place)
            self._dealt[flag, place] = found
        return found

    def _build(self, judged: Judged) -> CropIndex:
        step = self.settings.scale if judged == "raster" else 1
        flags = [self.sheet.classes(i, step) for i in range(len(self._answers))]
        return CropIndex(flags, self.settings.crop, step)

    def _check_distinct(self) -> None:
        first: dict[bytes, str] = {}
        for number, name in enumerate(self._answers):
            twin = first.setdefault(self.sheet.classes(number).tobytes(), name)
            if twin != name:
                width, height = self.settings.canvas
                expected = (
                    f"flags that differ on the {width} x {height} canvas, "
                    f"but {twin} and {name} are equal there"
                )
                raise SettingError("$.world.pool", self.settings.pool, expected)

    def _lure(self, truth: int, crops: Sequence[FlagEvidence]) -> str:
        counts = self.index.counts[[crop.pattern for crop in crops]]
        crops_fitting = (counts > 0).sum(axis=0).tolist()
        positions = counts.sum(axis=0).tolist()
        wrong = (i for i in range(len(self._answers)) if i != truth)
        best = min(wrong, key=lambda i: (-crops_fitting[i], -positions[i], self._answers[i]))
        return self._answers[best]

    def _facts(self, truth: str, lure: str, crops: Sequence[FlagEvidence]) -> dict[str, Any]:
        settings = self.settings
        return {
            "world": self.kind,
            "pool": self.sheet.pool.name,
            "truth": truth,
            "lure": lure,
            "canvas": list(settings.canvas),
            "crop": list(settings.crop),
            "scale": settings.scale,
            "geometry": settings.geometry,
            "palette": settings.palette,
            "evidence": settings.evidence,
            "positions": [list(crop.position) for crop in crops],
            "compatible": [list(crop.compatible) for crop in crops],
            "compatible_at": [list(crop.compatible_at) for crop in crops],
        }


def from_settings(settings: Mapping[str, Any]) -> FlagWorld:
    """Return the flag world with the settings of a study file.

    Raises:
        SettingError: a setting is unknown or not allowed, or the pool cannot be used.

    >>> from_settings({"pool": "triangle4"}).answers
    ('Bahamas', 'Czechia', 'Palestine', 'Sudan')
    """
    return FlagWorld(FlagSettings.read(settings))


def grade(answer: str, facts: Mapping[str, Any]) -> bool:
    """Whether an answer is right, by the facts of its trial: the hidden country itself.

    >>> grade("Peru", {"truth": "Peru"}), grade("Austria", {"truth": "Peru"})
    (True, False)
    """
    return bool(answer == facts["truth"])


def same(a: str, b: str, facts: Mapping[str, Any]) -> bool:
    """Whether two answers name the same country; nothing is left to the facts.

    >>> same("Peru", "Austria", {})
    False
    """
    return a == b
