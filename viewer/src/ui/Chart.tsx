/**
 * Lines with interval bands over a numeric axis, in SVG. Each line has a name, and its own glyph or
 * dash beside its colour. What is drawn must also stand in a table (`Behind`).
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { MARKS, REST } from "./colours";
import { Glyph, ticks, tickText } from "./Marks";
import { number } from "./text";

export interface Line {
  name: string;
  /** Name of a custom property. */
  colour: string;
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  dash?: number[];
  /** Points only, without the line between them; their intervals are whiskers. */
  points?: boolean;
}

interface Props {
  /** Hand over the same arrays (useMemo) while they say the same: new ones are laid out anew. */
  x: number[];
  lines: Line[];
  xLabel: string;
  /** How a place on the axis is called; its number if not given. */
  xText?: (x: number) => string;
  yLabel: string;
  label: string;
  range?: [number, number] | undefined;
  /** Horizontal lines with a name, such as thresholds. */
  levels?: { name: string; value: number }[];
  height?: number;
  /** An upright line, such as the round of the scrubber; moving it lays nothing out anew. */
  cursor?: number | undefined;
  onPick?: (x: number) => void;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [54, 12, 14, 42];
/** Of more points on a line only some bear its glyph. */
const MOST = 24;

export function Chart(props: Props) {
  const { x, lines, levels = [], height = 300, cursor, onPick } = props;
  const box = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const [width, measure] = useState(640);
  useEffect(() => {
    const seen = new ResizeObserver(() => measure(box.current?.clientWidth || 640));
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  const xs = ends(x);
  const ys =
    props.range ?? ends(lines.flatMap((one) => [one.values, one.low ?? [], one.high ?? []].flat()));
  const right = (value: number) => LEFT + portion(value, xs) * (width - LEFT - RIGHT);
  const down = (value: number) => height - BOTTOM - portion(value, ys) * (height - TOP - BOTTOM);
  const inside = useMemo(
    () => lines.map((line) => <Drawn key={line.name} {...{ x, line, right, down }} />),
    [x, lines, width, height, xs[0], xs[1], ys[0], ys[1]],
  );
  const near = (event: MouseEvent): number => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const at = event.clientX - left;
    const away = x.map((value) => Math.abs(right(value) - at));
    return away.indexOf(Math.min(...away));
  };
  const hover = (event: MouseEvent) => {
    const at = near(event);
    const values = lines.map((line) => `${line.name} ${number(line.values[at])}`);
    tell(`${props.xLabel} ${props.xText?.(x[at] ?? 0) ?? number(x[at])}: ${values.join(", ")}`);
  };
  const tell = (text: string) => {
    if (said.current) said.current.textContent = text || "\u00a0";
  };
  return (
    <figure class="chart">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move the cursor as well */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys move the cursor as well */}
      <div
        ref={box}
        onPointerMove={hover}
        onPointerLeave={() => tell("")}
        onClick={(event) => onPick?.(x[near(event)] ?? 0)}
      >
        <svg width={width} height={height} role="img" aria-label={props.label}>
          {ticks(xs).map((tick) => (
            <g key={tick}>
              <line class="tick" x1={right(tick)} x2={right(tick)} y1={TOP} y2={height - BOTTOM} />
              <text x={right(tick)} y={height - BOTTOM + 16} text-anchor="middle">
                {props.xText?.(tick) ?? tickText(tick, xs)}
              </text>
            </g>
          ))}
          {ticks(ys).map((tick) => (
            <g key={tick}>
              <line class="tick" x1={LEFT} x2={width - RIGHT} y1={down(tick)} y2={down(tick)} />
              <text x={LEFT - 6} y={down(tick) + 4} text-anchor="end">
                {tickText(tick, ys)}
              </text>
            </g>
          ))}
          <text x={(LEFT + width - RIGHT) / 2} y={height - 6} text-anchor="middle">
            {props.xLabel}
          </text>
          <text
            transform={`translate(13,${(TOP + height - BOTTOM) / 2}) rotate(-90)`}
            text-anchor="middle"
          >
            {props.yLabel}
          </text>
          {inside}
          {levels.map((level) => (
            <g key={level.name}>
              <line
                class="level"
                x1={LEFT}
                x2={width - RIGHT}
                y1={down(level.value)}
                y2={down(level.value)}
              />
              <text class="over" x={LEFT + 6} y={down(level.value) - 4}>
                {level.name}
              </text>
            </g>
          ))}
          {cursor !== undefined && (
            <line class="now" x1={right(cursor)} x2={right(cursor)} y1={TOP} y2={height - BOTTOM} />
          )}
        </svg>
      </div>
      <p class="said-cell" ref={said} aria-hidden="true">
        {"\u00a0"}
      </p>
    </figure>
  );
}

interface DrawnProps {
  x: number[];
  line: Line;
  right: (value: number) => number;
  down: (value: number) => number;
}

function Drawn({ x, line, right, down }: DrawnProps) {
  const colour = `var(${line.colour})`;
  const mark = MARKS.find((one) => one.colour === line.colour) ?? { ...REST, colour: line.colour };
  const at = x.map(right);
  const every = Math.ceil(x.length / MOST);
  const { low, high, values } = line;
  return (
    <g>
      {low && high && !line.points && (
        <path d={band(at, low.map(lower), high.map(lower))} fill={colour} opacity="0.2" />
      )}
      {!line.points && (
        <path
          d={path(at, values.map(lower))}
          fill="none"
          stroke={colour}
          stroke-width="2"
          stroke-dasharray={line.dash?.join(" ")}
        />
      )}
      {values.map((value, place) => {
        if (value === null || (!line.points && place % every)) return null;
        const [from, to] = [low?.[place] ?? null, high?.[place] ?? null];
        return (
          <g key={place}>
            {line.points && from !== null && to !== null && (
              <path d={`M${at[place]},${down(from)}V${down(to)}`} stroke={colour} />
            )}
            <Glyph mark={mark} x={at[place] ?? 0} y={down(value)} size={line.points ? 11 : 8} />
          </g>
        );
      })}
    </g>
  );

  function lower(value: number | null): number | null {
    return value === null ? null : down(value);
  }
}

type Places = readonly (number | null)[];

/** A line through the points that are there. */
function path(x: Places, y: Places): string {
  let begun = false;
  return y
    .map((value, place) => {
      const letter = begun ? "L" : "M";
      begun = value !== null;
      return value === null ? "" : `${letter}${x[place]?.toFixed(1)},${value.toFixed(1)}`;
    })
    .join("");
}

/** The area between two lines where both are there. */
function band(x: Places, low: Places, high: Places): string {
  const there = x.map((_, place) => place).filter((at) => low[at] != null && high[at] != null);
  const back = [...there].reverse();
  const side = (places: number[], y: Places) => places.map((at) => `${x[at]},${y[at]}`).join("L");
  return there.length > 1 ? `M${side(there, high)}L${side(back, low)}Z` : "";
}

function ends(values: readonly (number | null)[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 1];
}

function portion(value: number, [low, high]: [number, number]): number {
  return high > low ? (value - low) / (high - low) : 0.5;
}
