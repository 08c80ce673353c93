/** A table that sorts by its heads and draws only the rows in sight, however many there are. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Frame } from "../data/types";
import { interval } from "./Marks";
import { number, visible } from "./text";

export type Value = string | number | boolean | null;
type Rows = readonly (readonly Value[])[];

interface Props {
  caption: string;
  /**
   * A column `x` that `x_low` and `x_high` follow (or `low` and `high`) is shown with them as one:
   * the value with its interval.
   */
  columns: readonly string[];
  /** What stands above the columns, as it is: where their names are not ours to write. */
  heads?: readonly string[];
  rows: Rows;
  /** Called with the row's place in `rows`; then arrow keys move and Enter opens. */
  onOpen?: ((row: number) => void) | undefined;
  selected?: number | undefined;
  height?: number | undefined;
  digits?: number | undefined;
}

const LINE = 28;
const SPARE = 8;
const FEW = 60;

export function Table(props: Props) {
  const { caption, columns, rows, onOpen, selected, height = 420, digits = 3 } = props;
  const [by, sortBy] = useState<[number, 1 | -1] | null>(null);
  const [top, scroll] = useState(0);
  const box = useRef<HTMLElement>(null);
  const order = useMemo(() => sorted(rows, by), [rows, by]);
  const shown = useMemo(() => spans(columns, rows), [columns, rows]);
  const windowed = rows.length > FEW;
  const first = windowed ? Math.max(0, Math.floor(top / LINE) - SPARE) : 0;
  const count = windowed ? Math.ceil(height / LINE) + 2 * SPARE : rows.length;
  const [active, walk] = useState(0);
  const [moved, move] = useState(0);
  useEffect(() => {
    if (!moved || !box.current) return;
    const place = box.current.querySelector<HTMLElement>(`[data-at="${active}"] button`);
    place?.focus();
  }, [moved, first]);
  const keyed = (event: KeyboardEvent) => {
    const far = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (!onOpen || !far || rows.length === 0) return;
    event.preventDefault();
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-at]")?.dataset.at;
    const next = at === undefined ? active : Number(at) + far;
    walk(Math.min(Math.max(next, 0), rows.length - 1));
    move(moved + 1);
    if (windowed && box.current) follow(box.current, next, height);
  };
  return (
    <section
      class="scroll"
      ref={box}
      style={windowed ? { maxHeight: `${height}px` } : {}}
      onScroll={() => windowed && scroll(box.current?.scrollTop ?? 0)}
      onKeyDown={keyed}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
      tabIndex={0}
      aria-label={visible(caption)}
    >
      <table class={windowed ? "lines" : ""} aria-rowcount={rows.length + 1}>
        <caption>
          {visible(caption)} ({number(rows.length)} {rows.length === 1 ? "row" : "rows"})
        </caption>
        <thead>
          <tr>
            {shown.map(({ name, at, numeric }) => (
              <th
                key={at}
                scope="col"
                class={numeric ? "num" : ""}
                aria-sort={by?.[0] === at ? (by[1] > 0 ? "ascending" : "descending") : "none"}
              >
                <button
                  type="button"
                  class="plain"
                  onClick={() => sortBy(by?.[0] === at && by[1] > 0 ? [at, -1] : [at, 1])}
                >
                  {visible(props.heads?.[at] ?? name)}
                  {by?.[0] === at && <span aria-hidden="true">{by[1] > 0 ? " ↑" : " ↓"}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr class="gap" style={{ height: `${first * LINE}px` }} />}
          {order.slice(first, first + count).map((place, nth) => (
            <tr
              key={place}
              class={selected === place ? "chosen" : ""}
              aria-current={selected === place}
              aria-rowindex={first + nth + 2}
              data-at={first + nth}
              onClick={() => onOpen?.(place)}
            >
              {shown.map((column, nth) => (
                <td key={column.at} class={column.numeric ? "num" : ""}>
                  {nth === 0 && onOpen ? (
                    <button type="button" class="plain">
                      {printed(rows[place], column, digits)}
                    </button>
                  ) : (
                    printed(rows[place], column, digits)
                  )}
                </td>
              ))}
            </tr>
          ))}
          {windowed && first + count < order.length && (
            <tr class="gap" style={{ height: `${(order.length - first - count) * LINE}px` }} />
          )}
        </tbody>
      </table>
    </section>
  );
}

/** The same without anything to press, for screen readers behind a drawing. */
export function Plain({ caption, columns, rows, digits = 3 }: Props) {
  const shown = spans(columns, rows);
  return (
    <table>
      <caption>{visible(caption)}</caption>
      <thead>
        <tr>
          {shown.map(({ name, at }) => (
            <th key={at} scope="col">
              {visible(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={place}>
            {shown.map((column) => (
              <td key={column.at}>{printed(row, column, digits)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A table of Python's, with its note. */
export function FrameTable({ frame }: { frame: Frame }) {
  return (
    <>
      <Table caption={frame.title} columns={frame.columns} rows={frame.rows} />
      <p class="note">{visible(frame.note)}</p>
    </>
  );
}

interface Column {
  name: string;
  at: number;
  numeric: boolean;
  ranged: boolean;
}

function spans(columns: readonly string[], rows: Rows): Column[] {
  const found: Column[] = [];
  for (let at = 0; at < columns.length; at++) {
    const name = columns[at] ?? "";
    const [low = "", high = ""] = [columns[at + 1], columns[at + 2]];
    const ranged =
      (low === "low" && high === "high") || (low === `${name}_low` && high === `${name}_high`);
    const numeric = rows.every((row) => typeof (row[at] ?? 0) === "number");
    found.push({
      name: `${name.replaceAll("_", " ")}${ranged ? " [interval]" : ""}`,
      at,
      numeric,
      ranged,
    });
    if (ranged) at += 2;
  }
  return found;
}

function printed(row: readonly Value[] | undefined, column: Column, digits: number): string {
  const value = row?.[column.at] ?? null;
  if (column.ranged && (value === null || typeof value === "number"))
    return interval(value, row?.[column.at + 1] as number, row?.[column.at + 2] as number, digits);
  if (typeof value === "number") return number(value, digits);
  if (value === null || value === "") return "-";
  return visible(String(value).slice(0, 2_000));
}

/** Scroll until a row is in sight, its head not over it. */
function follow(box: HTMLElement, at: number, height: number): void {
  const top = at * LINE;
  if (top < box.scrollTop + LINE) box.scrollTop = top - LINE;
  else if (top > box.scrollTop + height - 4 * LINE) box.scrollTop = top - height + 4 * LINE;
}

function sorted(rows: Rows, by: [number, 1 | -1] | null): number[] {
  const order = rows.map((_, place) => place);
  if (!by) return order;
  const [column, way] = by;
  return order.sort((a, b) => compare(rows[a]?.[column] ?? null, rows[b]?.[column] ?? null, way));
}

/** What is missing stands last, whichever way. */
function compare(a: Value, b: Value, way: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return way * (a - b);
  return way * (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0);
}
