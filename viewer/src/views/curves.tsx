/** Values over an axis, in SVG: lines with dashes and glyphs, intervals, names in place of numbers. */

import type { ComponentChildren } from "preact";
import type { Mark } from "../ui/colours";
import { Glyph, ticks } from "../ui/Marks";
import { number, visible } from "../ui/text";

export interface Spot {
  /** Place on the axis; see `axis`. */
  at: number;
  value: number | null;
  low?: number | null;
  high?: number | null;
  /** What it is, for the pointer that rests on it. */
  name?: string;
  /** Handed to `onPick`. */
  key?: number;
}

export interface Curve {
  name: string;
  mark: Mark;
  spots: readonly Spot[];
  /** Only the line, or only the marks. */
  only?: "line" | "marks";
  hollow?: boolean;
}

export interface Axis {
  label: string;
  ticks: readonly { at: number; text: string }[];
  ends: readonly [number, number];
}

type Value = string | number | boolean;

const MANY = 12;
const WIDE = 8;

/**
 * An axis of the values that a setting takes, and where each stands on it. Numbers that span three
 * doublings or more stand on a logarithmic scale, words in their order.
 */
export function axis(label: string, values: readonly Value[]): [Axis, (value: Value) => number] {
  const numbers = values.filter((value) => typeof value === "number");
  const numeric = numbers.length === values.length;
  const least = Math.min(...numbers);
  const logarithmic = numeric && least > 0 && Math.max(...numbers) / least >= WIDE;
  const place = (value: Value) => {
    if (!numeric) return values.indexOf(value);
    return logarithmic ? Math.log2(Number(value)) : Number(value);
  };
  const every = Math.ceil(values.length / MANY);
  const shown = values.filter((_, nth) => nth % every === 0);
  const places = values.map(place);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const room = high > low ? (high - low) * 0.06 : 0.5;
  const named = shown.map((value) => ({ at: place(value), text: String(value) }));
  return [{ label, ticks: named, ends: [low - room, high + room] }, place];
}

/** An axis of numbers without gaps. */
export function range(label: string, low: number, high: number): Axis {
  const named = ticks([low, high]).map((at) => ({ at, text: number(at, 1) }));
  return { label, ticks: named, ends: [low, high] };
}

const DASHES = ["", "7 4", "2 3", "9 3 2 3", "1 5", "12 3"];
const [LEFT, TOP, FOOT] = [44, 10, 226];
const WHOLE = 400;
const LETTERS = 9;

interface Props {
  label: string;
  x: Axis;
  y: Axis;
  curves: readonly Curve[];
  /** Where an upright line stands. */
  cursor?: number | undefined;
  selected?: number | undefined;
  onPick?: ((key: number) => void) | undefined;
  /** Units across: fewer for a small drawing, so that its letters stay large. */
  width?: number;
}

export function Curves(props: Props) {
  const { label, x, y, curves, cursor, selected, onPick, width = WHOLE } = props;
  const right = width - 8;
  const across = (at: number) => scaled(at, x.ends, LEFT, right);
  const up = (value: number) => scaled(value, y.ends, FOOT, TOP);
  const slanted = x.ticks.some((tick) => tick.text.length > LETTERS) && x.ticks.length > 3;
  const foot = FOOT + (slanted ? 62 : 32);
  return (
    <svg
      class="scatter"
      viewBox={`0 0 ${width} ${foot + 8}`}
      role="img"
      aria-label={visible(label)}
    >
      <Rising axis={y} up={up} from={LEFT} to={right} />
      {x.ticks.map(({ at, text }) => (
        <text
          key={at}
          text-anchor={slanted ? "end" : "middle"}
          transform={`translate(${across(at)},${FOOT + 15}) rotate(${slanted ? -35 : 0})`}
        >
          {visible(text)}
        </text>
      ))}
      <Text x={(LEFT + right) / 2} y={foot}>
        {visible(x.label)}
      </Text>
      {cursor !== undefined && (
        <path d={`M${across(cursor)},${TOP}V${FOOT}`} stroke="var(--ink)" stroke-width="1.2" />
      )}
      {curves.map((curve, nth) => (
        <g key={`${nth} ${curve.name}`}>
          {curve.only !== "marks" && (
            <path
              d={path(curve.spots, across, up)}
              fill="none"
              stroke={`var(${curve.mark.colour})`}
              stroke-width="1.8"
              stroke-dasharray={DASHES[nth % DASHES.length] || undefined}
            />
          )}
          {curve.only !== "line" &&
            curve.spots.map((spot) => (
              <Dot
                key={`${spot.key ?? spot.at}`}
                {...{ spot, curve, across, up, onPick }}
                chosen={spot.key !== undefined && spot.key === selected}
              />
            ))}
        </g>
      ))}
    </svg>
  );
}

export function clamped(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Text of a drawing at a place, centred unless an `end` is named. */
export function Text(props: { x: number; y: number; end?: "end"; children: ComponentChildren }) {
  const { x, y, end = "middle", children } = props;
  return (
    <text {...{ x, y }} text-anchor={end}>
      {children}
    </text>
  );
}

/** The name of an upright axis. */
export function Upright({ y, children }: { y: number; children: string }) {
  return (
    <text transform={`translate(11,${y}) rotate(-90)`} text-anchor="middle">
      {visible(children)}
    </text>
  );
}

function Dot(props: {
  spot: Spot;
  curve: Curve;
  across: (at: number) => number;
  up: (value: number) => number;
  chosen: boolean;
  onPick: ((key: number) => void) | undefined;
}) {
  const { spot, curve, across, up, chosen, onPick } = props;
  if (spot.value === null) return null;
  const [x, y] = [across(spot.at), up(spot.value)];
  const { low, high } = spot;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys pick the same points
    <g class={onPick ? "pick" : ""} onClick={() => onPick?.(spot.key ?? -1)}>
      <title>{visible(spot.name ?? curve.name)}</title>
      {low != null && high != null && (
        <path d={`M${x},${up(low)}V${up(high)}`} stroke={`var(${curve.mark.colour})`} />
      )}
      {chosen && <circle cx={x} cy={y} r="9" fill="none" stroke="var(--ink)" stroke-width="1.5" />}
      <Glyph mark={curve.mark} x={x} y={y} size={10} hollow={curve.hollow ?? false} />
    </g>
  );
}

function scaled(at: number, [low, high]: readonly [number, number], from: number, to: number) {
  return from + ((at - low) / (high - low || 1)) * (to - from);
}

function path(
  spots: readonly Spot[],
  across: (at: number) => number,
  up: (value: number) => number,
): string {
  let pen = "M";
  let drawn = "";
  for (const { at, value } of spots) {
    if (value === null) pen = "M";
    else {
      drawn += `${pen}${across(at).toFixed(1)},${up(value).toFixed(1)}`;
      pen = "L";
    }
  }
  return drawn;
}

/** The upright axis of a drawing: its label, and at each of its ticks a line across. */
export function Rising(props: {
  axis: Axis;
  up: (at: number) => number;
  from: number;
  to: number;
}) {
  const { axis: own, up, from, to } = props;
  const [low, high] = own.ends;
  return (
    <>
      {own.ticks.map(({ at, text }) => (
        <g key={at}>
          <path d={`M${from},${up(at)}H${to}`} stroke="var(--line)" />
          <Text x={from - 5} y={up(at) + 4} end="end">
            {text}
          </Text>
        </g>
      ))}
      <Upright y={(up(low) + up(high)) / 2}>{own.label}</Upright>
    </>
  );
}
