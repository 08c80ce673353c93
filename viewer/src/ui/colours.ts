/**
 * Colours that work for the colour-blind, in light and dark. Colour is never alone: each thing has
 * a glyph too.
 */

export interface Mark {
  /** Name of the custom property in style.css that holds the colour. */
  colour: string;
  glyph: string;
}

/** What stands for the truth, the rival, up to four more, and the rest. */
export const MARKS: readonly Mark[] = [
  { colour: "--truth", glyph: "●" },
  { colour: "--rival", glyph: "▲" },
  { colour: "--third", glyph: "■" },
  { colour: "--fourth", glyph: "◆" },
  { colour: "--fifth", glyph: "▼" },
  { colour: "--sixth", glyph: "★" },
];

export const REST: Mark = { colour: "--rest", glyph: "·" };
export const NONE: Mark = { colour: "--none", glyph: "×" };

/** The colour that a custom property has now. */
export function resolved(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A colour as four bytes, for bitmaps. */
export function bytes(colour: string): [number, number, number, number] {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return [0, 0, 0, 255];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha];
}

/**
 * Which mark each answer has: the truth first, the rival second, then the most named; the others
 * share that of the rest.
 */
export function marks(truth: string, rival: string, named: readonly string[]): Map<string, Mark> {
  const counts = new Map<string, number>();
  for (const answer of named) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([a]) => a);
  const found = new Map<string, Mark>();
  const first = MARKS[0];
  const second = MARKS[1];
  if (first) found.set(truth, first);
  if (second && rival) found.set(rival, second);
  const free = MARKS.slice(2);
  for (const answer of most) {
    if (found.has(answer)) continue;
    found.set(answer, free.shift() ?? REST);
  }
  return found;
}
