"""The page as HTML: one file that asks for nothing, in which all text is text."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from socialcircuits.report.html import html
from socialcircuits.report.page import (
    Head,
    Line,
    Number,
    Page,
    Picture,
    Row,
    Section,
    Table,
    Trail,
)
from socialcircuits.statistics import Significance

LABEL = "simulated agents: checks the software, not a finding about any model"
PNG = b"\x89PNG\r\n\x1a\n not a picture"
HOSTILE = "<script>alert(1)</script>\"'&\u202egnp\x1b[31m\udcff"


class Seen(HTMLParser):
    """What a browser would find: elements with their attributes, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in {"meta", "br", "img"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.text[tag] = self.text.get(tag, "") + data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]


def number(
    text: str = "+0.12", definition: str = "share of the last readout that is right"
) -> Number:
    trail = Trail(definition, method="mean, t interval", levels={"seeds": {"planned": 1200}})
    test = Significance(0.031, "sign flips")
    return Number("uplift", 0.12, text, trail, 0.05, 0.19, "0.05 to 0.19", 38, "seeds", test)


def page(text: str = "population", label: str = LABEL) -> Page:
    heads = (Head("n", f"{text} N"), Head("uplift", f"{text}\nuplift"))
    rows = (Row(f"N = 4 {text}", (f"4 {text}", number())), Row("N = 8", ("8", number(text))))
    table = Table("accuracy", f"Accuracy of {text}.", heads, rows)
    count = Number("completed", 3, "3", Trail(f"completed {text}"))
    loud = Line("invalid", (f"30 % of replies are invalid {text}: ", count), loud=True)
    said = Line("trials", ("Trials: ", count, " of ", count, f" {text}"))
    drawn = Picture("population", (Path("figures/population.pdf"), Path("figures/population.png")))
    results = Section(f"Results {text}", (table, said, drawn, Picture("grid", (), f"no {text}")))
    return Page(f"flag-game: {text}", label, (loud,), (results,))


def shown(text: str = "population", label: str = LABEL) -> str:
    return html(page(text, label), {Path("figures/population.png"): PNG}, "{}")


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen(shown())


def test_nothing_is_asked_for_from_anywhere(seen: Seen) -> None:
    assert not {"link", "iframe", "object", "embed", "form", "base"} & {
        tag for tag, _ in seen.elements
    }
    assert [one["type"] for one in seen.all("script")] == ["application/json"]
    sources = [one["src"] for one in seen.all("img")]
    assert sources
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    addresses = {one["href"] for one in seen.all("a")}
    files = {address for address in addresses if not address.startswith("#")}
    assert files == {"figures/population.pdf", "figures/population.png"}
    for foreign in ("http:", "https:", "//", "url(", "@import"):
        assert foreign not in shown().replace("http-equiv", "")


def test_the_policy_allows_pictures_and_style_only(seen: Seen) -> None:
    (policy,) = [one for one in seen.all("meta") if one.get("http-equiv")]
    assert policy["http-equiv"] == "Content-Security-Policy"
    rules = dict(rule.strip().split(" ", 1) for rule in policy["content"].split(";"))
    assert rules == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": "'unsafe-inline'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_no_element_brings_its_own_script_or_style(seen: Seen) -> None:
    for _, attributes in seen.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


def test_every_number_is_an_element_with_its_id_and_the_way_to_it(seen: Seen) -> None:
    ids = Counter(seen.ids())
    expected = [name for name, _, _ in page().numbers()]
    assert expected == [
        "invalid.1",
        "accuracy.1.uplift",
        "accuracy.2.uplift",
        "trials.1",
        "trials.2",
    ]
    assert set(ids.values()) == {1}
    assert set(expected) <= set(ids)
    titles = {one["href"]: one["title"] for one in seen.all("a") if "title" in one}
    assert titles == {f"#{name}": f"socialcircuits explain report.html#{name}" for name in expected}
    assert "socialcircuits explain report.html#accuracy.2.uplift" in seen.text["code"]
    assert "seeds: planned 1,200" in seen.text["span"]


def test_links_in_the_page_lead_somewhere(seen: Seen) -> None:
    inside = {one["href"][1:] for one in seen.all("a") if one["href"].startswith("#")}
    # "-" is nowhere on purpose: it closes what a number shows.
    assert inside - set(seen.ids()) == {"-"}
    named = {one["aria-labelledby"] for _, one in seen.elements if "aria-labelledby" in one}
    assert named <= set(seen.ids())


def test_tables_say_what_heads_what(seen: Seen) -> None:
    scopes = Counter(one["scope"] for one in seen.all("th"))
    # N, seeds, uplift, p, adjusted p and verdict; and the condition of both rows.
    assert scopes == {"col": 6, "row": 2}
    assert seen.text["caption"] == "Accuracy of population."
    assert [tag for tag, _ in seen.elements if tag in {"header", "nav", "main", "footer"}] == [
        "header", "nav", "main", "footer",
    ]  # fmt: skip
    first = next(one for tag, one in seen.elements if tag == "a")
    assert (first["class"], first["href"]) == ("skip", "#report")
    assert len(seen.all("h1")) == 1


def test_definitions_and_methods_stand_beside_the_table_once() -> None:
    text = shown()
    assert text.count("<dd>share of the last readout that is right</dd>") == 1
    assert text.count("mean, t interval") == 1


def test_what_is_loud_comes_first(seen: Seen) -> None:
    text = shown()
    assert [one.get("role") for one in seen.all("p")].count("alert") == 1
    assert text.index('role="alert"') < text.index("<section")
    assert "Read first:" in seen.text["strong"]


@pytest.mark.parametrize("label", [LABEL, "models: maker/model"])
def test_the_label_stands_at_the_head_and_below_every_figure(label: str) -> None:
    seen = Seen(shown(label=label))
    assert label in seen.text["title"]
    assert seen.text["figcaption"].count(label) == len(seen.all("figure")) == 1
    assert f'aria-label="Kind of agents">{label}</aside>' in shown(label=label)


def test_figures_are_in_the_page_and_those_not_drawn_are_named(seen: Seen) -> None:
    (image,) = seen.all("img")
    assert b64decode(image["src"].partition(",")[2]) == PNG
    assert image["alt"]
    assert "Grid: not drawn, no population." in seen.text["p"]


def test_hostile_text_is_shown_as_text() -> None:
    text = shown(HOSTILE, label=HOSTILE)
    seen, plain = Seen(text), Seen(shown())
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]
    assert [one.keys() for _, one in seen.elements] == [one.keys() for _, one in plain.elements]
    for sign in "\u202e\x1b\udcff":
        assert sign not in text
    expected = "<script>alert(1)</script>\"'&\\u202egnp\\u001b[31m\\udcff"
    for tag in ("title", "h1", "h2", "caption", "th", "td", "p", "figcaption"):
        assert expected in seen.text[tag], tag


def test_the_same_page_gives_the_same_bytes() -> None:
    assert shown() == shown()


def test_a_number_says_where_the_viewer_shows_it() -> None:
    command, place = "socialcircuits view report.html#", "#/numbers?number=accuracy.1.uplift"
    text = html(page(), {}, "{}", "socialcircuits view report.html")
    assert f"<code>{command}accuracy.1.uplift</code>, or <code>{place}</code>" in text
    ids = {name for name, _, _ in page().numbers()}
    assert text.count(f"<code>{command}") == len(ids)
    assert "socialcircuits view" not in html(page(), {}, "{}")
    assert 'href="#/' not in text
