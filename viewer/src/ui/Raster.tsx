/**
 * A grid of cells as a bitmap of one pixel a cell, scaled up: fast at 128 x 2,000. Moving the cursor
 * or the selected row paints nothing anew. Where cells are large enough each shows its glyph. What
 * is drawn must also stand in a table (`Behind`), which is what a screen reader gets.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, type Mark, resolved, useTheme } from "./colours";
import { useKeys } from "./keys";
import { shape } from "./Marks";
import { visible } from "./text";

interface Props {
  rows: number;
  columns: number;
  /** Row by row, the place of each cell's mark in `marks`. A new array is painted anew. */
  cells: Uint8Array;
  marks: readonly Mark[];
  label: string;
  /** Largest width and height of a cell in pixels. */
  cell?: number;
  /** Names of the rows, shown where they are high enough. */
  names?: readonly string[];
  /** Consecutive rows that belong together, in order; their names stand at the left. */
  groups?: readonly { name: string; rows: number }[];
  /** What stands under the columns; their places if not given. */
  heads?: readonly string[];
  selected?: { row: number | null; column: number | null };
  /** Columns after the selected one are faded. */
  fade?: boolean;
  /** What a cell says, for the line under the drawing. */
  describe?: (row: number, column: number) => string;
  onPick?: ((row: number, column: number) => void) | undefined;
  /** Drawn at the right, as high as the raster: gets the height and the middle of a row. */
  beside?: ((height: number, middle: (row: number) => number) => ComponentChildren) | undefined;
}

const HIGH = 620;
const GLYPH = 9;
/** Height of a line of small letters. */
const LINE = 13.5;
const BESIDE = 60;

export function Raster(props: Props) {
  const { rows, columns, cells, marks, cell = 18, selected, onPick, names, groups } = props;
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [wide, measure] = useState(0);
  useEffect(() => {
    const seen = new ResizeObserver(() => measure(box.current?.clientWidth ?? 0));
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  const free = (wide || columns * cell) - (props.beside ? BESIDE : 0);
  const width = Math.max(columns, Math.min(columns * cell, free));
  const height = rows * Math.max(1, Math.min(cell, HIGH / rows));
  const signed = width / columns >= GLYPH && height / rows >= GLYPH;
  // Width of a cell for its height: signs keep their shape.
  const slender = Number(((width * rows) / (columns * height)).toFixed(2));
  useEffect(() => {
    if (!wide || !canvas.current) return;
    paint(canvas.current, { rows, columns, cells, marks }, signed ? slender : null);
  }, [rows, columns, cells, marks, theme, signed && slender, wide > 0]);
  const row = selected?.row ?? null;
  const column = selected?.column ?? null;
  useEffect(() => reveal(box.current, ((column ?? 0) * width) / columns), [column, width, columns]);
  const step = (by: number) => {
    const next = row === null ? (by > 0 ? 0 : rows - 1) : row + by;
    if (onPick && next >= 0 && next < rows) onPick(next, column ?? columns - 1);
  };
  useKeys(
    onPick
      ? [
          { key: "ArrowUp", does: "row above", run: () => step(-1) },
          { key: "ArrowDown", does: "row below", run: () => step(1) },
        ]
      : [],
  );
  const [said, say] = useState("");
  const place = (event: MouseEvent): [number, number] => {
    const seen = canvas.current?.getBoundingClientRect();
    if (!seen) return [0, 0];
    const across = Math.floor(((event.clientX - seen.left) / seen.width) * columns);
    const down = Math.floor(((event.clientY - seen.top) / seen.height) * rows);
    return [within(down, rows), within(across, columns)];
  };
  const hover = (event: MouseEvent) => say(props.describe?.(...place(event)) ?? "");
  return (
    <figure class="raster">
      <Side height={height} rows={rows} names={names} groups={groups} row={row} />
      <div class="grid" ref={box}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys pick as well */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys pick as well */}
        <div
          class="cells"
          style={{ width: `${width}px`, height: `${height}px` }}
          onClick={(event) => onPick?.(...place(event))}
          onPointerMove={hover}
          onPointerLeave={() => say("")}
        >
          <canvas ref={canvas} class={signed ? "signed" : ""} role="img" aria-label={props.label} />
          <Cuts groups={groups} rows={rows} />
          {column !== null && (
            <div
              class={props.fade ? "column fade" : "column"}
              style={{
                width: `${Math.max(2, width / columns)}px`,
                transform: `translateX(${(column * width) / columns}px)`,
              }}
            />
          )}
          {row !== null && (
            <div
              class="row"
              style={{
                height: `${Math.max(2, height / rows)}px`,
                transform: `translateY(${(row * height) / rows}px)`,
              }}
            />
          )}
        </div>
        {props.beside?.(height, (at) => ((at + 0.5) * height) / rows)}
        <Heads columns={columns} width={width} heads={props.heads} />
      </div>
      {props.describe && <p class="said-cell">{visible(said) || "\u00a0"}</p>}
    </figure>
  );
}

function within(place: number, count: number): number {
  return Math.min(Math.max(place, 0), count - 1);
}

/** Scroll sideways until the column is in sight. */
function reveal(box: HTMLElement | null, left: number): void {
  if (!box || box.scrollWidth <= box.clientWidth) return;
  if (left < box.scrollLeft || left > box.scrollLeft + box.clientWidth - 20)
    box.scrollLeft = left - box.clientWidth / 2;
}

interface SideProps {
  height: number;
  rows: number;
  row: number | null;
  names: readonly string[] | undefined;
  groups: Props["groups"];
}

function Side({ height, rows, names, groups, row }: SideProps) {
  const each = height / rows;
  const shown = names && each >= LINE ? names : null;
  if (!shown && !groups) return null;
  let from = 0;
  return (
    <div class="sides" style={{ height: `${height}px` }} aria-hidden="true">
      {groups && (
        <div class="groups">
          {groups.map((group, place) => {
            const top = from * each;
            const one = group.rows * each < 2 * LINE;
            from += group.rows;
            return (
              <div
                key={place}
                class={one ? "one" : ""}
                title={visible(group.name)}
                style={{ top: `${top}px`, height: `${group.rows * each - 1}px` }}
              >
                {one && group.rows * each >= LINE && visible(group.name)}
                {!one && (
                  // Whole lines only: half of one cannot be read.
                  <span style={{ WebkitLineClamp: Math.floor((group.rows * each) / LINE) }}>
                    {visible(group.name)}
                  </span>
                )}
              </div>
            );
          })}
        </div>
      )}
      {shown && (
        <ol style={{ lineHeight: `${each}px` }}>
          {shown.map((name, place) => (
            <li key={place} class={place === row ? "now" : ""}>
              {visible(name)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Cuts({ groups, rows }: { groups: Props["groups"]; rows: number }) {
  let from = 0;
  return (
    <>
      {groups?.slice(0, -1).map((group, place) => {
        from += group.rows;
        return <div key={place} class="cutline" style={{ top: `${(100 * from) / rows}%` }} />;
      })}
    </>
  );
}

function Heads(props: { columns: number; width: number; heads: readonly string[] | undefined }) {
  const { columns, width, heads } = props;
  const every =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => (n * width) / columns >= 26) ?? 1000;
  const last = columns - 1;
  const shown = Array.from({ length: columns }, (_, at) => at).filter(
    (at) => at === last || (at % every === 0 && ((last - at) * width) / columns >= 26),
  );
  return (
    <div class="heads" style={{ width: `${width}px` }} aria-hidden="true">
      {shown.map((at) => (
        <span key={at} style={{ left: `${((at + 0.5) * width) / columns}px` }}>
          {visible(heads?.[at] ?? `${at}`)}
        </span>
      ))}
    </div>
  );
}

interface Picture {
  rows: number;
  columns: number;
  cells: Uint8Array;
  marks: readonly Mark[];
}

const FINE = 24;

/** Paint cells: each a pixel, or with its sign where `slender` says how wide it is for its height. */
function paint(canvas: HTMLCanvasElement, picture: Picture, slender: number | null): void {
  const { rows, columns, cells, marks } = picture;
  const wide = slender === null ? 1 : Math.round(FINE * Math.min(1, slender));
  const high = slender === null ? 1 : Math.round(FINE / Math.max(1, slender));
  canvas.width = columns * wide;
  canvas.height = rows * high;
  const context = canvas.getContext("2d");
  if (!context || !rows || !columns) return;
  if (slender !== null) {
    signs(context, picture, wide, high);
    return;
  }
  const image = context.createImageData(columns, rows);
  const words = new Uint32Array(image.data.buffer);
  const colours = new Uint32Array(marks.map((mark) => new Uint32Array(four(mark))[0] ?? 0));
  for (let at = 0; at < words.length; at++) words[at] = colours[cells[at] ?? 0] ?? 0;
  context.putImageData(image, 0, 0);
}

function four(mark: Mark): ArrayBuffer {
  return new Uint8Array(bytes(mark.colour)).buffer;
}

/** Cells with their glyphs, each kind drawn once and copied. */
function signs(
  context: CanvasRenderingContext2D,
  { columns, cells, marks }: Picture,
  wide: number,
  high: number,
): void {
  const size = Math.min(wide, high) / FINE;
  const kinds = marks.map((mark) => {
    const one = document.createElement("canvas");
    one.width = wide;
    one.height = high;
    const inner = one.getContext("2d");
    if (!inner) return one;
    inner.fillStyle = resolved(mark.colour);
    inner.fillRect(0, 0, wide - 1, high - 1);
    inner.translate(wide / 2, high / 2);
    inner.scale(size, size);
    inner.fillStyle = resolved(mark.glyph === "×" ? "--soft" : "--paper");
    inner.fill(new Path2D(shape(mark)));
    return one;
  });
  cells.forEach((cell, at) => {
    const kind = kinds[cell];
    if (kind) context.drawImage(kind, wide * (at % columns), high * Math.floor(at / columns));
  });
}
