/** The phase map: the region of each class over group size and rival share, and runs as dots. */

import { SHARES } from "../theory/live";
import { mostLikely, VALUES } from "../theory/outcomes";
import type { Mark } from "../ui/colours";
import { MARKS, REST } from "../ui/colours";
import { Glyph, Sign } from "../ui/Marks";
import { number, visible } from "../ui/text";
import { clamped, Text, Upright } from "./curves";

/** How each class is drawn, in the order of `CLASSES`, and the measure that counts it in runs. */
export const ENDS: readonly { measure: string; title: string; mark: Mark }[] = [
  { measure: "correct_consensus", title: "correct consensus", mark: MARKS[0] ?? REST },
  { measure: "wrong_consensus", title: "wrong consensus", mark: MARKS[1] ?? REST },
  { measure: "polarization", title: "polarization", mark: MARKS[2] ?? REST },
  { measure: "fragmentation", title: "fragmentation", mark: { ...REST, glyph: "◆" } },
];

/** Strokes over the colour of a region, so that it is told apart without it. */
const HATCHES = ["", "M0,0L8,8M0,8L8,0", "M-2,2L2,-2M0,8L8,0M6,10L10,6", "M4,3V5"];

export interface Cell {
  n: number;
  /** Place in `SHARES`. */
  share: number;
}

/** A trial at its own rival share. */
export interface Dot {
  n: number;
  share: number;
  /** Place in `ENDS`. */
  end: number;
  name: string;
  hollow: boolean;
  open: () => void;
}

const [LEFT, RIGHT, TOP, FOOT] = [50, 412, 12, 322];
const LAST = SHARES.length - 1;
/** Width of the dots of one size, in columns, and the step that spreads them evenly. */
const WIDTH = 0.7;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

interface Props {
  label: string;
  sizes: readonly number[];
  rows: ReadonlyMap<number, Float64Array>;
  done: ReadonlySet<number>;
  complete: string;
  compared: number;
  at: Cell;
  dots: readonly Dot[];
  onPoint: (cell: Cell | null) => void;
  onPick: (cell: Cell) => void;
}

export function PhaseMap(props: Props) {
  const { sizes, rows, done, compared, at, onPoint, onPick } = props;
  const width = (RIGHT - LEFT) / sizes.length;
  const column = (n: number) => LEFT + width * sizes.indexOf(n);
  const cell = (event: MouseEvent): Cell => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const across = Math.floor(((event.clientX - box.left) / box.width) * sizes.length);
    const up = Math.round((1 - (event.clientY - box.top) / box.height) * LAST);
    return { n: sizes[clamped(across, 0, sizes.length - 1)] ?? 0, share: clamped(up, 0, LAST) };
  };
  return (
    <svg
      class="scatter"
      viewBox="0 0 420 372"
      role="img"
      aria-label={props.label}
      data-complete={props.complete}
    >
      <defs>
        {ENDS.map(({ title, mark }, kind) => (
          <pattern
            id={`end-${kind}`}
            key={title}
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
          >
            <rect
              width="8"
              height="8"
              fill={`color-mix(in srgb, var(${mark.colour}) 30%, var(--paper))`}
            />
            <path d={HATCHES[kind] ?? ""} stroke={`var(${mark.colour})`} stroke-width="1.1" />
          </pattern>
        ))}
      </defs>
      {sizes.map((n) => (
        <g key={n} opacity={done.has(n) ? 1 : 0.35}>
          {stretches(rows.get(n), compared).map(({ kind, from, to }) => (
            <rect
              key={from}
              x={column(n)}
              y={high(to)}
              width={width}
              height={high(from) - high(to)}
              fill={`url(#end-${kind})`}
              stroke="var(--soft)"
              stroke-width="0.5"
            />
          ))}
          <Text x={column(n) + width / 2} y={FOOT + 16}>
            {n}
          </Text>
        </g>
      ))}
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <Text key={share} x={LEFT - 5} y={y(share) + 4} end="end">
          {number(share)}
        </Text>
      ))}
      <Text x={(LEFT + RIGHT) / 2} y={FOOT + 38}>
        group size N
      </Text>
      <Upright y={(TOP + FOOT) / 2}>rival evidence share</Upright>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the same cell */}
      <rect
        x={LEFT}
        y={TOP}
        width={RIGHT - LEFT}
        height={FOOT - TOP}
        fill="transparent"
        onMouseMove={(event) => onPoint(cell(event))}
        onMouseLeave={() => onPoint(null)}
        onClick={(event) => onPick(cell(event))}
      />
      <g pointer-events="none" fill="none" stroke="var(--ink)">
        <path d={`M${LEFT},${y(at.share / LAST)}H${RIGHT}`} />
        <rect x={column(at.n)} y={TOP} width={width} height={FOOT - TOP} stroke-width="1.6" />
      </g>
      {props.dots.map((dot, nth) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the view of runs opens them too
        <g key={dot.name} class="pick" onClick={dot.open}>
          <title>{visible(dot.name)}</title>
          <Glyph
            mark={ENDS[dot.end]?.mark ?? REST}
            x={column(dot.n) + width * (0.5 + WIDTH * (((nth * GOLDEN) % 1) - 0.5))}
            y={y(dot.share)}
            size={9}
            hollow={dot.hollow}
          />
        </g>
      ))}
    </svg>
  );
}

/** The region of each class, and its mark in curves and for trials. */
export function Legend() {
  return (
    <ul class="keys">
      {ENDS.map(({ title, mark }, kind) => (
        <li key={title}>
          <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" fill={`url(#end-${kind})`} stroke="var(--soft)" />
          </svg>{" "}
          <Sign mark={mark} /> {title}
        </li>
      ))}
    </ul>
  );
}

function y(share: number): number {
  return FOOT - share * (FOOT - TOP);
}

/** The border between a place among the shares and the one below it. */
function high(place: number): number {
  return y(clamped((place - 0.5) / LAST, 0, 1));
}

/** Places from `from` to before `to` at which the same class is the most probable. */
function stretches(values: Float64Array | undefined, compared: number) {
  const found: { kind: number; from: number; to: number }[] = [];
  if (!values) return found;
  for (let place = 0; place <= LAST; place++) {
    const kind = mostLikely(values, compared, VALUES * place);
    const last = found.at(-1);
    if (last?.kind === kind) last.to = place + 1;
    else found.push({ kind, from: place, to: place + 1 });
  }
  return found;
}
