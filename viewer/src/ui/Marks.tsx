/**
 * Small drawings in SVG. Their colours are custom properties, so they turn with the theme by
 * themselves; each mark has a shape beside its colour. Numbers stand beside what is drawn.
 */

import type { ComponentChildren } from "preact";
import type { Mark } from "./colours";
import { number, visible } from "./text";

const SHAPES: Record<string, string> = {
  "●": "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0Z",
  "▲": "M0,-5.5L5.5,4.5H-5.5Z",
  "■": "M-4.5,-4.5H4.5V4.5H-4.5Z",
  "◆": "M0,-6L6,0L0,6L-6,0Z",
  "▼": "M0,5.5L5.5,-4.5H-5.5Z",
  "★": "M0,-6L1.8,-1.9L6,-1.9L2.7,1L3.9,5.5L0,2.8L-3.9,5.5L-2.7,1L-6,-1.9L-1.8,-1.9Z",
  "·": "M-2.5,0a2.5,2.5 0 1,0 5,0a2.5,2.5 0 1,0 -5,0Z",
  "×": "M-5,-3.6L-3.6,-5L0,-1.4L3.6,-5L5,-3.6L1.4,0L5,3.6L3.6,5L0,1.4L-3.6,5L-5,3.6L-1.4,0Z",
};

/** The outline of a mark's shape around (0, 0), 12 units wide: for SVG, and for Path2D. */
export function shape(mark: Mark): string {
  return SHAPES[mark.glyph] ?? "";
}

/** A mark inside an `svg`, at (x, y). `hollow` draws its outline only. */
export function Glyph(props: {
  mark: Mark;
  x?: number;
  y?: number;
  size?: number;
  hollow?: boolean;
}) {
  const { mark, x = 0, y = 0, size = 12, hollow = false } = props;
  // The cells of invalid answers are pale; their sign must not be.
  const colour = `var(${mark.glyph === "×" ? "--soft" : mark.colour})`;
  return (
    <path
      d={shape(mark)}
      transform={`translate(${x},${y}) scale(${size / 12})`}
      fill={hollow ? "none" : colour}
      stroke={hollow ? colour : "var(--paper)"}
      stroke-width={hollow ? 1.6 : 0.6}
    />
  );
}

/** A mark within a line of text. */
export function Sign({ mark, hollow = false }: { mark: Mark; hollow?: boolean }) {
  return (
    <svg class="sign" viewBox="-7 -7 14 14" aria-hidden="true">
      <Glyph mark={mark} hollow={hollow} />
    </svg>
  );
}

/** What the marks of a drawing stand for. */
export function Key({ marks }: { marks: readonly { name: string; mark: Mark }[] }) {
  return (
    <ul class="keys">
      {marks.map(({ name, mark }) => (
        <li key={name}>
          <Sign mark={mark} /> {visible(name)}
        </li>
      ))}
    </ul>
  );
}

/** A value with its interval and what it is counted over. */
export interface Valued {
  name: string;
  value: number | null;
  low?: number | null;
  high?: number | null;
  n: number | null;
  mark?: Mark;
  /** Said after the numbers, such as why there is no value. */
  note?: string;
}

interface Rows<T> {
  caption: string;
  rows: readonly T[];
  /** Ends of the axis; the smallest and largest number, with 0, if not given. */
  range?: [number, number];
  digits?: number;
  /** Opens what a row stands for. */
  onOpen?: (row: number) => void;
}

const DEFAULT: Mark = { colour: "--ink", glyph: "●" };

/**
 * Values as dots with their intervals, a line each (a forest plot): a real table, whose middle
 * column is the drawing. `reference` draws an upright line, such as 0 or a threshold.
 */
export function Dots(props: Rows<Valued> & { reference?: number | null }) {
  const { rows, reference = null } = props;
  const ends = props.range ?? span(rows);
  const at = (value: number) => `${place(value, ends)}%`;
  return (
    <Lines {...props}>
      {(row) => (
        <svg class="strip" aria-hidden="true" width="100%" height="20">
          <line x1="0" x2="100%" y1="10" y2="10" stroke="var(--line)" />
          {reference !== null && (
            <line
              x1={at(reference)}
              x2={at(reference)}
              y1="0"
              y2="20"
              stroke="var(--soft)"
              stroke-dasharray="3 3"
            />
          )}
          {row.low != null && row.high != null && (
            <line
              x1={at(row.low)}
              x2={at(row.high)}
              y1="10"
              y2="10"
              stroke={`var(${(row.mark ?? DEFAULT).colour})`}
              stroke-width="2.5"
            />
          )}
          {row.value !== null && (
            <svg x={at(row.value)} y="10" overflow="visible" aria-hidden="true">
              <Glyph mark={row.mark ?? DEFAULT} />
            </svg>
          )}
        </svg>
      )}
    </Lines>
  );
}

/** Values as bars from 0, each with its interval as a whisker; otherwise like `Dots`. */
export function Bars(props: Rows<Valued>) {
  const ends = props.range ?? span(props.rows);
  const zero = place(0, ends);
  return (
    <Lines {...props}>
      {(row) => (
        <svg class="strip" aria-hidden="true" width="100%" height="20">
          {row.value !== null && (
            <rect
              x={`${Math.min(zero, place(row.value, ends))}%`}
              width={`${Math.abs(place(row.value, ends) - zero)}%`}
              y="3"
              height="14"
              fill={`var(${(row.mark ?? REGULAR).colour})`}
            />
          )}
          <line x1={`${zero}%`} x2={`${zero}%`} y1="0" y2="20" stroke="var(--soft)" />
          {row.low != null && row.high != null && (
            <line
              x1={`${place(row.low, ends)}%`}
              x2={`${place(row.high, ends)}%`}
              y1="10"
              y2="10"
              stroke="var(--ink)"
              stroke-width="2"
            />
          )}
        </svg>
      )}
    </Lines>
  );
}

const REGULAR: Mark = { colour: "--rest", glyph: "■" };

/** Parts of a whole, such as class shares, one bar a row. */
export interface Stacked {
  name: string;
  /** In the order of the key; they need not add up to 1. */
  parts: { name: string; share: number; mark: Mark }[];
  n: number | null;
  note?: string;
}

/** Bars made of parts; shares from 0 to 1. The parts' glyphs stand on them where they fit. */
export function Stacks({ caption, rows, digits = 2, onOpen }: Rows<Stacked>) {
  const head = rows[0]?.parts ?? [];
  return (
    <>
      <Key marks={head} />
      <table class="drawn">
        <caption>{visible(caption)}</caption>
        <thead>
          <tr>
            <th scope="col">row</th>
            <th scope="col">
              <span class="visually-hidden">drawing</span>
            </th>
            {head.map((part) => (
              <th scope="col" class="num" key={part.name}>
                <Sign mark={part.mark} />
                <span class="visually-hidden">{visible(part.name)}</span>
              </th>
            ))}
            <th scope="col" class="num">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={row.name}>
              <Name name={row.name} open={onOpen && (() => onOpen(place))} />
              <td class="wide">
                <svg class="strip" aria-hidden="true" width="100%" height="20">
                  {row.parts.map((part, index) => {
                    const before = row.parts
                      .slice(0, index)
                      .reduce((sum, one) => sum + one.share, 0);
                    return (
                      <g key={part.name}>
                        <rect
                          x={`${100 * before}%`}
                          width={`${100 * part.share}%`}
                          y="2"
                          height="16"
                          fill={`var(${part.mark.colour})`}
                          stroke="var(--paper)"
                        />
                        {part.share >= 0.08 && (
                          <svg
                            x={`${100 * (before + part.share / 2)}%`}
                            y="10"
                            overflow="visible"
                            aria-hidden="true"
                          >
                            <path d={shape(part.mark)} fill="var(--paper)" />
                          </svg>
                        )}
                      </g>
                    );
                  })}
                </svg>
              </td>
              {row.parts.map((part) => (
                <td class="num" key={part.name}>
                  {number(part.share, digits)}
                </td>
              ))}
              <td class="num">{number(row.n, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Several small drawings side by side, each under its name. */
export function Multiples({ panels }: { panels: { name: string; body: ComponentChildren }[] }) {
  return (
    <div class="multiples">
      {panels.map((panel) => (
        <figure key={panel.name}>
          <figcaption>{visible(panel.name)}</figcaption>
          {panel.body}
        </figure>
      ))}
    </div>
  );
}

function Lines(props: Rows<Valued> & { children: (row: Valued) => ComponentChildren }) {
  const { caption, rows, digits = 2, onOpen, children } = props;
  const ranged = rows.some((row) => row.low != null);
  const noted = rows.some((row) => row.note);
  const [low, high] = props.range ?? span(rows);
  return (
    <table class="drawn">
      <caption>{visible(caption)}</caption>
      <thead>
        <tr>
          <th scope="col">row</th>
          <th scope="col" class="wide">
            <span class="visually-hidden">drawing</span>
            <span class="ends" aria-hidden="true">
              <span>{number(low)}</span>
              <span>{number(high)}</span>
            </span>
          </th>
          <th scope="col" class="num">
            {ranged ? "value [interval]" : "value"}
          </th>
          <th scope="col" class="num">
            n
          </th>
          {noted && <th scope="col">note</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={`${index} ${row.name}`}>
            <Name name={row.name} mark={row.mark} open={onOpen && (() => onOpen(index))} />
            <td class="wide">{children(row)}</td>
            <td class="num">{interval(row.value, row.low, row.high, digits)}</td>
            <td class="num">{number(row.n, 0)}</td>
            {noted && <td class="remark">{visible(row.note ?? "")}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name(props: { name: string; mark?: Mark | undefined; open?: (() => void) | undefined }) {
  const inner = (
    <span class="named">
      {props.mark && <Sign mark={props.mark} />}
      <span>{visible(props.name)}</span>
    </span>
  );
  return (
    <th scope="row">
      {props.open ? (
        <button type="button" class="plain" onClick={props.open}>
          {inner}
        </button>
      ) : (
        inner
      )}
    </th>
  );
}

/** A value as it is printed, with its interval where it has one. */
export function interval(
  value: number | null,
  low?: number | null,
  high?: number | null,
  digits = 2,
): string {
  if (value === null || low == null || high == null) return number(value, digits);
  return `${number(value, digits)} [${number(low, digits)}, ${number(high, digits)}]`;
}

/** Round numbers between two ends, about five. */
export function ticks([low, high]: [number, number]): number[] {
  const rough = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
    found.push(Number((k * step).toPrecision(12)));
  return found;
}

/** A round number between two ends, with as many digits as the others have. */
export function tickText(tick: number, between: [number, number]): string {
  const digits = ticks(between).map((one) => `${one}`.split(".")[1]?.length ?? 0);
  const most = Math.max(...digits);
  return most > 0 ? tick.toFixed(most) : number(tick);
}

function place(value: number, [low, high]: [number, number]): number {
  return high > low ? (100 * (value - low)) / (high - low) : 50;
}

function ends(values: number[]): [number, number] {
  return values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
}

function span(rows: readonly Valued[]): [number, number] {
  const all = rows.flatMap((row) => [row.value, row.low ?? null, row.high ?? null]);
  return ends([0, ...all.filter((value) => value !== null)]);
}
