/** What views of graphs share: marks by name, keys, and rows of Python's tables as values with their intervals. */

import { MARKS, type Mark, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import type { Valued } from "../ui/Marks";
import type { Curve } from "../views/curves";
import { numeric, type Row } from "../views/rows";

export const [TRUTH = REST, RIVAL = REST, THIRD = REST, , , STAR = REST] = MARKS;

/** The keys ↑ and ↓ walk from one to the next, unless `on` is false. */
export function useArrows(what: string, walk: (by: number) => void, on = true): void {
  const key = (by: number, key: string, where: string) => ({
    key,
    does: `${what} ${where}`,
    run: () => walk(by),
  });
  useKeys(on ? [key(-1, "ArrowUp", "before"), key(1, "ArrowDown", "after")] : []);
}

/** A column with its interval and n: `value low high n`, or `x x_low x_high x_n`. */
export function measured(row: Row, name: string, column = "value"): Valued {
  const [low = null, high = null, n = null] = ["low", "high", "n"].map((part) =>
    numeric(row[column === "value" ? part : `${column}_${part}`]),
  );
  return { name, value: numeric(row[column]), low, high, n };
}

/** Points of a drawing; where they stand is their key. */
export function points(
  places: readonly { name: string; at: number; value: number; mark: Mark; hollow?: boolean }[],
): Curve[] {
  return places.map(({ at, value, ...look }, key) => ({
    ...look,
    only: "marks",
    spots: [{ at, value, name: look.name, key }],
  }));
}
