/** Rows of Python's tables by the names of their columns. */

import type { Frame, Head } from "../data/types";
import { interval } from "../ui/Marks";

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

export function rows(frame: Frame | undefined): Row[] {
  const columns = frame?.columns ?? [];
  return (frame?.rows ?? []).map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])),
  );
}

/** Columns of settings stand first, before `first`; those that say the same everywhere aside. */
export function settings(found: readonly Row[], frame: Frame | undefined, first: string): string[] {
  const columns = frame?.columns ?? [];
  return columns
    .slice(0, columns.indexOf(first))
    .filter((name) => distinct(found, name).length > 1);
}

/** The values of a column, numbers in ascending order and then words in the order of the table. */
export function distinct(found: readonly Row[], name: string): Value[] {
  const values = [...new Set(found.map((row) => row[name] ?? null))];
  const numbers = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  return [...numbers, ...values.filter((value) => typeof value !== "number")];
}

/** Settings in words, such as "evidence = weak, m = 3"; what does not apply is left out. */
export function words(row: Row, names: readonly string[]): string {
  return names
    .filter((name) => (row[name] ?? "") !== "")
    .map((name) => `${name} = ${row[name]}`)
    .join(", ");
}

/** Rows with the same values of some columns, by these in words. */
export function grouped(found: readonly Row[], names: readonly string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of found) {
    const key = words(row, names);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

export function numeric(value: Value | undefined): number | null {
  return typeof value === "number" ? value : null;
}

/** A value with its interval: columns `value`, `low`, `high`, or `x`, `x_low`, `x_high`. */
export interface Ranged {
  value: number | null;
  low: number | null;
  high: number | null;
}

export function ranged(row: Row | undefined, name = ""): Ranged {
  const of = (column: string) => numeric(row?.[column]);
  if (!name) return { value: of("value"), low: of("low"), high: of("high") };
  return { value: of(name), low: of(`${name}_low`), high: of(`${name}_high`) };
}

/** The same in words. */
export function told(row: Row | undefined, digits = 2): string {
  const { value, low, high } = ranged(row);
  return interval(value, low, high, digits);
}

/** On how many units each of several estimates rests, such as "36" or "30 to 36". */
export function counted(found: readonly Row[]): string {
  const counts = distinct(found, "n");
  return counts.length > 1 ? `${counts[0]} to ${counts.at(-1)}` : `${counts[0]}`;
}

/**
 * The p of a test that allows for the other tests of the report, by the place of its number there;
 * null for none: no test, another number stands there, or the run is not through.
 */
export function adjusted(head: Head, id: string, name: Value | undefined): string | null {
  return head.printed.find((one) => one.id === id && one.name === name)?.adjusted || null;
}

/**
 * The differences between conditions, in the order of the report: each with its place in the frame,
 * `at`, and the p that allows for the other tests, `adjusted`.
 */
export function contrasts(head: Head): Row[] {
  return rows(head.frames.estimates)
    .map((row, at): Row => ({ ...row, at }))
    .filter((row) => row.minus)
    .map((row, nth) => ({
      ...row,
      adjusted: adjusted(head, `contrasts.${nth + 1}.difference`, row.measure),
    }));
}

/** What stands beside unadjusted p in a caption. */
export function raw(head: Head): string {
  return head.printed.length > 0
    ? "p by itself, and adjusted for all tests of the report (Holm: declared ones; BH: the others)"
    : "p not adjusted for the number of tests: the run is not through";
}

/** Places, in `head.trials`, of the trials that enter estimates and have these settings. */
export function trialsWith(head: Head, row: Row, names: readonly string[]): number[] {
  const { condition, role } = head.trials;
  return condition.flatMap((at, place) => {
    const set = head.conditions[at] ?? {};
    const same = names.every((name) => (set[name] ?? "") === (row[name] ?? ""));
    return same && role[place] === "estimate" ? [place] : [];
  });
}
