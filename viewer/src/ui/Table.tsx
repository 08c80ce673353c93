/** A table that sorts by its heads and draws only the rows in sight, however many there are. */

import { useMemo, useRef, useState } from "preact/hooks";
import type { Frame } from "../data/types";
import { number, visible } from "./text";

export type Value = string | number | boolean | null;

interface Props {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly Value[])[];
  /** Called with the row's place in `rows`. */
  onOpen?: ((row: number) => void) | undefined;
  selected?: number | undefined;
  height?: number | undefined;
  digits?: number | undefined;
}

const LINE = 28;
const SPARE = 8;

export function Table(props: Props) {
  const { caption, columns, rows, onOpen, selected, height = 420, digits = 3 } = props;
  const [by, sortBy] = useState<[number, 1 | -1] | null>(null);
  const [top, scroll] = useState(0);
  const box = useRef<HTMLElement>(null);
  const order = useMemo(() => sorted(rows, by), [rows, by]);
  const windowed = rows.length > 60;
  const first = windowed ? Math.max(0, Math.floor(top / LINE) - SPARE) : 0;
  const count = windowed ? Math.ceil(height / LINE) + 2 * SPARE : rows.length;
  const shown = order.slice(first, first + count);
  const numeric = columns.map((_, column) => rows.every((row) => typeof row[column] !== "string"));
  return (
    <section
      class="scroll"
      ref={box}
      style={windowed ? { maxHeight: `${height}px` } : {}}
      onScroll={() => windowed && scroll(box.current?.scrollTop ?? 0)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
      tabIndex={0}
      aria-label={caption}
    >
      <table aria-rowcount={rows.length + 1}>
        <caption>
          {caption} ({number(rows.length)} rows)
        </caption>
        <thead>
          <tr>
            {columns.map((name, column) => (
              <th
                key={name}
                scope="col"
                class={numeric[column] ? "num" : ""}
                aria-sort={by?.[0] === column ? (by[1] > 0 ? "ascending" : "descending") : "none"}
              >
                <button
                  type="button"
                  onClick={() =>
                    sortBy(by?.[0] === column && by[1] > 0 ? [column, -1] : [column, 1])
                  }
                >
                  {visible(name.replaceAll("_", " "))}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr style={{ height: `${first * LINE}px` }} />}
          {shown.map((place) => (
            <tr
              key={place}
              aria-selected={selected === place}
              aria-rowindex={place + 2}
              onClick={() => onOpen?.(place)}
            >
              {columns.map((name, column) => (
                <td key={name} class={numeric[column] ? "num" : ""}>
                  {column === 0 && onOpen ? (
                    <button type="button" onClick={() => onOpen(place)}>
                      {printed(rows[place]?.[column] ?? null, digits)}
                    </button>
                  ) : (
                    printed(rows[place]?.[column] ?? null, digits)
                  )}
                </td>
              ))}
            </tr>
          ))}
          {windowed && first + count < order.length && (
            <tr style={{ height: `${(order.length - first - count) * LINE}px` }} />
          )}
        </tbody>
      </table>
    </section>
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

function printed(value: Value, digits: number): string {
  if (typeof value === "number") return number(value, digits);
  if (value === null || value === "") return "-";
  return visible(String(value));
}

function sorted(rows: readonly (readonly Value[])[], by: [number, 1 | -1] | null): number[] {
  const order = rows.map((_, place) => place);
  if (!by) return order;
  const [column, way] = by;
  return order.sort((a, b) => way * compare(rows[a]?.[column] ?? null, rows[b]?.[column] ?? null));
}

function compare(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
