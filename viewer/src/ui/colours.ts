/**
 * Colours that work for the colour-blind, in light and dark. Colour is never alone: each thing has
 * a glyph too.
 */

import { useEffect, useState } from "preact/hooks";

export interface Mark {
  /** Name of the custom property in style.css that holds the colour. */
  colour: string;
  glyph: string;
}

const TRUTH: Mark = { colour: "--truth", glyph: "●" };
const RIVAL: Mark = { colour: "--rival", glyph: "▲" };

/** What stands for the truth, the rival, and up to four more. */
export const MARKS: readonly Mark[] = [
  TRUTH,
  RIVAL,
  { colour: "--third", glyph: "■" },
  { colour: "--fourth", glyph: "◆" },
  { colour: "--fifth", glyph: "▼" },
  { colour: "--sixth", glyph: "★" },
];

/** What is neither the truth nor the rival: groups, casts, fits. */
export const PLAIN: readonly Mark[] = [...MARKS.slice(2), { colour: "--ink", glyph: "●" }];

/** All other answers. */
export const REST: Mark = { colour: "--rest", glyph: "·" };
/** An invalid answer. */
export const NONE: Mark = { colour: "--none", glyph: "×" };
/** Nothing was asked here. */
export const BLANK: Mark = { colour: "--paper", glyph: "" };

/**
 * Which mark each answer has: the truth first, the rival second, then the most named; the others
 * share that of the rest.
 */
export function marks(truth: string, rival: string, named: readonly string[]): Map<string, Mark> {
  const counts = new Map<string, number>();
  for (const answer of named) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([a]) => a);
  const found = new Map<string, Mark>([[truth, TRUTH]]);
  if (rival && rival !== truth) found.set(rival, RIVAL);
  const free = MARKS.slice(2);
  for (const answer of most) if (!found.has(answer)) found.set(answer, free.shift() ?? REST);
  return found;
}

let probe: HTMLElement | null = null;
const known = new Map<string, string>();

/** The colour that a custom property has now, as #rrggbb. */
export function resolved(name: string): string {
  const found = known.get(name);
  if (found) return found;
  if (!probe) {
    probe = document.createElement("i");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(${name})`;
  const parts = getComputedStyle(probe).color.match(/\d+/g) ?? [];
  const hex = parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0"));
  const colour = `#${hex.join("")}`;
  known.set(name, colour);
  return colour;
}

/** A custom property's colour as the four bytes of a pixel. */
export function bytes(name: string): [number, number, number, number] {
  const value = Number.parseInt(resolved(name).slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255, 255];
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const watchers = new Set<() => void>();

function turned(): void {
  known.clear();
  for (const watcher of watchers) watcher();
}
dark.addEventListener("change", turned);

/** Show the page in a theme; that of the system if the name is neither "light" nor "dark". */
export function wear(theme: string): void {
  const root = document.documentElement;
  const next = theme === "light" || theme === "dark" ? theme : "";
  if ((root.dataset.theme ?? "") === next) return;
  root.dataset.theme = next;
  turned();
}

/** The theme in sight; a drawing on a canvas depends on it, as CSS cannot turn its colours. */
export function useTheme(): "light" | "dark" {
  const [theme, set] = useState(inSight);
  useEffect(() => {
    const watcher = () => set(inSight());
    watcher();
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return theme;
}

function inSight(): "light" | "dark" {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
}
