import { useMemo, useState } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import { SHARES, usePhase } from "../theory/live";
import { CLASSES, LARGEST, mostLikely, VALUES } from "../theory/outcomes";
import { useKeys } from "../ui/keys";
import { Sign } from "../ui/Marks";
import { Behind, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number } from "../ui/text";
import { type Axis, axis, type Curve, Curves, clamped, range } from "./curves";
import { type Cell, ENDS, Legend, PhaseMap } from "./map";
import { type Ended, useMeasured } from "./measured";
import { numeric, ranged } from "./rows";
import type { Shown, View } from "./view";

const LAST = SHARES.length - 1;
const PROBABILITY = range("probability", 0, 1);

/** The parameters of the theory: name in the address, what it is, ends, step, default. */
const SLIDERS = [
  ["total", "a_T + a_R, probability that evidence decides", 0, 1, 0.01, 0.45],
  ["bias", "bias h_0, how much more readily a heard truth is taken over", -3, 3, 0.05, 0.3],
] as const;
/** How far intervals at one share stand from each other. */
const APART = 0.007;
/** What keys do, and how far they move among sizes and shares. */
const MOVES = [
  ["ArrowLeft", "smaller groups", -1, 0],
  ["ArrowRight", "larger groups", 1, 0],
  ["ArrowUp", "rival share + 0.01", 0, 1],
  ["ArrowDown", "rival share - 0.01", 0, -1],
  ["PageUp", "rival share + 0.1", 0, 10],
  ["PageDown", "rival share - 0.1", 0, -10],
] as const;
const UNPROBED =
  "No trial has a rival share, which its dot needs: the preset flag-game/evidence-share measures it. Run it with the same seed, seeds and N, and open both runs in one page.";
const ROUNDS = 10;
const MOST_ROUNDS = 50;

function Phase({ head, second }: Shown) {
  const [address, change] = useAddress();
  const { values } = address;
  const [over, point] = useState<Cell | null>(null);
  const measured = useMeasured(head, second);
  const compared = values.classes === "3" ? 3 : 4;
  const rounds = values.rounds ? whole(values, "rounds", ROUNDS) : null;
  const dynamics = { bias: within(values, 1), rounds, distinct: values.distinct === "1" };
  const { sizes, more, dots } = measured;
  const phase = usePhase({ sizes, total: within(values, 0), dynamics, more });
  const asked = whole(values, "n", 128);
  const n = sizes.includes(asked) ? asked : (sizes.at(-1) ?? 128);
  const share = clamped(whole(values, "share", 35), 0, LAST);
  const go = (cell: Cell) => change({ n: cell.n, share: cell.share }, { replace: true });
  useKeys(
    MOVES.map(([key, does, aside, along]) => {
      const next = clamped(share + along, 0, LAST);
      const run = () => go({ n: sizes[sizes.indexOf(n) + aside] ?? n, share: next });
      return { key, does, run };
    }),
  );
  const waits = sizes.filter((size) => !phase.done.has(size));
  return (
    <>
      <Controls />
      <Legend />
      <Said cell={over ?? { n, share }} rows={phase.rows} compared={compared} />
      <div class="panels">
        <div>
          <PhaseMap
            label={`Most probable of ${compared} endpoint classes over group size and rival share`}
            {...{ sizes, compared, dots }}
            {...phase}
            at={{ n, share }}
            onPoint={point}
            onPick={go}
          />
          <p class="note" aria-live="polite">
            {waits.length > 0 ? `Calculating N = ${waits.join(", ")} ...` : "\u00a0"}
          </p>
        </div>
        <Slices rows={phase.rows} at={{ n, share }} sizes={sizes} measured={measured.ends} />
      </div>
      <Note>
        The theory by itself, exact to N = {LARGEST}; no agents were run for it.{" "}
        {dots.length > 0
          ? `${number(dots.length)} trials are dots at their own rival share, hollow in the run beside. `
          : `${UNPROBED} `}
        {measured.lost > 0 &&
          `${number(measured.lost)} trials without a share, or of larger groups, are not drawn.`}
      </Note>
      <Beside measured={measured.ends} rows={phase.rows} />
      <Behind
        caption="Probabilities of the endpoint classes by the theory"
        columns={["N", "rival share", ...ENDS.map((end) => end.title), "mean truth share"]}
        rows={() => listed(sizes, phase.rows)}
        version={phase.complete}
        onOpen={(row) =>
          go({ n: sizes[Math.floor(row / SHARES.length)] ?? n, share: row % SHARES.length })
        }
        digits={4}
      />
    </>
  );
}

/** A slider's value in the address, or its default. */
function within(values: Readonly<Record<string, string>>, nth: 0 | 1): number {
  const [name, , least, most, , otherwise] = SLIDERS[nth];
  const given = Number(values[name] || otherwise);
  return Number.isFinite(given) ? clamped(given, least, most) : otherwise;
}

function Controls() {
  const [{ values }, change] = useAddress();
  const now = (changes: Record<string, string>) => change(changes, { replace: true });
  const stepped = Boolean(values.rounds);
  const distinct = values.distinct === "1";
  const rounds = whole(values, "rounds", ROUNDS);
  return (
    <div class="controls">
      {SLIDERS.map(([name, title, min, max, step], nth) => {
        const value = within(values, nth as 0 | 1);
        return (
          <Slider
            key={name}
            {...{ title, min, max, step, value }}
            set={(to) => now({ [name]: to })}
          />
        );
      })}
      <Check
        title="t to infinity"
        on={!stepped}
        turn={() => now({ rounds: stepped ? "" : `${ROUNDS}`, distinct: "" })}
      />
      {stepped && (
        <>
          <Slider
            title="rounds of N interactions"
            {...{ min: 1, max: MOST_ROUNDS, step: 1, value: rounds }}
            set={(to) => now({ rounds: to })}
          />
          <Check
            title="speaker and listener distinct, as in the game"
            on={distinct}
            turn={() => now({ distinct: distinct ? "" : "1" })}
          />
        </>
      )}
      <Select
        label="most probable of"
        value={values.classes === "3" ? "3" : "4"}
        options={[
          ["4", "four classes"],
          ["3", "three classes, fragmentation left out"],
        ]}
        onChange={(classes) => now({ classes: classes === "3" ? "3" : "" })}
      />
    </div>
  );
}

interface SliderProps {
  title: string;
  min: number;
  max: number;
  step: number;
  value: number;
  set: (value: string) => void;
}

function Slider({ title, set, ...input }: SliderProps) {
  return (
    <label class="choice">
      <span>{title}</span>
      <input type="range" {...input} onInput={(event) => set(event.currentTarget.value)} />
      <output>{number(input.value)}</output>
    </label>
  );
}

function Check({ title, on, turn }: { title: string; on: boolean; turn: () => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={turn} />
      <span>{title}</span>
    </label>
  );
}

interface Calculated {
  rows: ReadonlyMap<number, Float64Array>;
}

/** What the theory says of one cell. */
function Said({ cell, rows, compared }: Calculated & { cell: Cell; compared: number }) {
  const values = rows.get(cell.n);
  const from = VALUES * cell.share;
  if (!values) return <p>{"\u00a0"}</p>;
  const most = ENDS[mostLikely(values, compared, from)];
  return (
    <p class="readout" aria-live="polite">
      <strong>
        N = {cell.n}, rival share {(SHARES[cell.share] ?? 0).toFixed(2)}
      </strong>
      : {most?.title} is the most probable of {compared}.{" "}
      {ENDS.map(({ title, mark }, kind) => (
        <span key={title}>
          <Sign mark={mark} />
          <span class="visually-hidden">{title}</span> {(values[from + kind] ?? 0).toFixed(4)},{" "}
        </span>
      ))}
      mean truth share {(values[from + CLASSES.length] ?? 0).toFixed(4)}
    </p>
  );
}

function Slices(props: Calculated & { at: Cell; sizes: readonly number[]; measured: Ended[] }) {
  const { at, sizes, measured } = props;
  const [byN, place] = useMemo(() => axis("group size N", sizes), [sizes]);
  const value = (n: number, share: number, kind: number) =>
    props.rows.get(n)?.[VALUES * share + kind] ?? null;
  const overN: Curve[] = ENDS.map(({ title, mark }, kind) => ({
    name: title,
    mark,
    spots: sizes.map((n) => ({ at: place(n), value: value(n, at.share, kind) })),
  }));
  const overShare: Curve[] = ENDS.map(({ title, mark }, kind) => ({
    name: title,
    mark,
    only: "line",
    spots: SHARES.map((share, nth) => ({ at: share, value: value(at.n, nth, kind) })),
  }));
  const seen: Curve[] = ENDS.map(({ measure, title, mark }, kind) => ({
    name: title,
    mark,
    only: "marks",
    hollow: true,
    spots: measured
      .filter((one) => one.n === at.n)
      .map(({ row, share, run }) => ({
        at: share + (kind - 1.5) * APART,
        ...ranged(row, measure),
        name: `${title} measured in ${run}, n = ${row.n}`,
      })),
  }));
  return (
    <div>
      <Slice
        title={`At a rival share of ${(SHARES[at.share] ?? 0).toFixed(2)}`}
        x={byN}
        curves={overN}
        cursor={place(at.n)}
      />
      <Slice
        title={`At N = ${at.n}${measured.some((one) => one.n === at.n) ? "; hollow: measured" : ""}`}
        x={BY_SHARE}
        curves={[...overShare, ...seen]}
        cursor={SHARES[at.share] ?? 0}
      />
    </div>
  );
}

const BY_SHARE = range("rival evidence share", 0, 1);

function Slice(props: { title: string; x: Axis; curves: Curve[]; cursor: number }) {
  const { title, x, curves, cursor } = props;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Curves label={`Class probabilities: ${title}`} y={PROBABILITY} {...{ x, curves, cursor }} />
    </figure>
  );
}

const BESIDE = ["condition", "rival share", "class", "measured", "low", "high", "n", "theory"];

/** Measured shares of the classes beside what the theory says at the same size and share. */
function Beside(props: Calculated & { measured: Ended[] }) {
  if (props.measured.length === 0) return null;
  const list = props.measured.flatMap(({ run, row, condition, n, share, nth }) =>
    ENDS.map(({ measure, title }, kind) => [
      `${run}, ${condition || `N = ${n}`}`,
      share,
      title,
      ...Object.values(ranged(row, measure)),
      numeric(row.n),
      props.rows.get(n)?.[VALUES * (SHARES.length + nth) + kind] ?? null,
    ]),
  );
  return (
    <Table
      caption="Measured, with 95 % intervals, beside the theory at the same size and rival share"
      columns={BESIDE}
      rows={list}
      digits={3}
    />
  );
}

function listed(sizes: readonly number[], found: ReadonlyMap<number, Float64Array>) {
  return sizes.flatMap((n) => {
    const values = found.get(n);
    return SHARES.map((share, nth) => [
      n,
      share,
      ...(values?.subarray(VALUES * nth, VALUES * (nth + 1)) ?? []),
    ]);
  });
}

const view: View = {
  name: "phase",
  title: "Phase",
  question: "Which ending does the theory expect for groups of this size and evidence?",
  of: "run",
  wide: true,
  needs: (head) => (head.world === "flags" ? null : "The phase diagram is of the Flag Game."),
  Component: Phase,
};

export default view;
