import { useMemo } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import type { Head } from "../data/types";
import { PLAIN, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Key } from "../ui/Marks";
import { Behind, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { type Axis, axis, type Curve, Curves, range } from "./curves";
import { ENDS } from "./map";
import { Caveats } from "./rates";
import {
  contrasts,
  counted,
  distinct,
  grouped,
  numeric,
  type Row,
  ranged,
  raw,
  rows,
  settings,
  told,
  trialsWith,
  type Value,
  words,
} from "./rows";
import type { Shown, View } from "./view";

/** Stands in the measure's place: all endpoint classes, a line each. */
const CLASSES = "endpoints";
/** What is shown first, where a run has it. */
const USUAL = /^(collective|manager|honest)_accuracy$/;
/** No axis: one line. */
const NONE = "-";
/** How far apart the points of neighbouring lines stand, as a part of the axis. */
const DODGE = 0.012;
const SMALL = { width: 300 };

/** Estimates and contrasts of a run, and what they were swept over. */
interface Swept {
  /** Each with its place in the frame, `at`, which is what the address names. */
  estimates: Row[];
  contrasts: Row[];
  axes: string[];
}

function swept(head: Head): Swept {
  const frame = head.frames.estimates;
  const found = rows(frame).map((row, at) => ({ ...row, at }) as Row);
  const estimates = found.filter((row) => !row.minus);
  return {
    estimates,
    contrasts: contrasts(head),
    axes: settings(estimates, frame, "measure"),
  };
}

interface Chosen {
  measure: string;
  over: string;
  lines: string;
}

/** What the address asks for, as far as this run has it. */
function chosen(values: Readonly<Record<string, string>>, run: Swept): Chosen {
  const measures = measuresOf(run);
  const asked = values.measure ?? "";
  const first = measures.find((name) => USUAL.test(name)) ?? measures[0] ?? "";
  const measure = measures.includes(asked) || (asked === CLASSES && classed(run)) ? asked : first;
  const shown = run.estimates.filter((row) => ofMeasure(row, measure));
  const varied = run.axes.filter((name) => distinct(shown, name).length > 1);
  const over = run.axes.find((name) => name === values.over) ?? varied[0] ?? run.axes[0] ?? "";
  const rest = run.axes.filter((name) => name !== over);
  const few = rest.find(
    (name) => varied.includes(name) && distinct(shown, name).length <= PLAIN.length,
  );
  const lines = rest.find((name) => name === values.lines) ?? few ?? NONE;
  return { measure, over, lines: values.lines === NONE || measure === CLASSES ? NONE : lines };
}

function measuresOf(run: Swept): string[] {
  return distinct(run.estimates, "measure").map(String);
}

function classed(run: Swept): boolean {
  return run.estimates.some((row) => row.measure === ENDS[0]?.measure);
}

function Sweep({ head, second }: Shown) {
  const [{ values }, change] = useAddress();
  const run = useMemo(() => swept(head), [head]);
  const beside = useMemo(() => (second ? swept(second) : null), [second]);
  const asked = chosen(values, run);
  const shown = run.estimates.filter((row) => ofMeasure(row, asked.measure));
  const point = whole(values, "point", -1);
  const pick = (at: Value | undefined) => change({ point: Number(at) }, { replace: true });
  const move = (by: number) => {
    const now = shown.findIndex((one) => one.at === point);
    pick(shown[(now + by + shown.length) % shown.length]?.at);
  };
  useKeys([
    { key: "ArrowLeft", does: "estimate before", run: () => move(-1) },
    { key: "ArrowRight", does: "estimate after", run: () => move(1) },
  ]);
  const picked = shown.find((one) => one.at === point);
  const names = ["measure", ...run.axes, "value", "low", "high", "n", "method", "warnings"];
  return (
    <>
      <Pickers head={head} run={run} asked={asked} />
      <div class={second ? "panels" : ""}>
        <div>
          <Panels {...{ run, asked, point }} title={second ? head.run : ""} onPick={pick} />
        </div>
        {beside && second && (
          <div>
            <Panels
              run={beside}
              asked={{ ...chosen(values, beside), measure: asked.measure }}
              title={second.run}
            />
          </div>
        )}
      </div>
      <Trials head={head} run={run} picked={picked} />
      <Contrasts head={head} run={run} measure={asked.measure} />
      <Note>{visible(head.frames.estimates?.note ?? "")}</Note>
      <Caveats head={head} second={second} />
      <Behind
        caption={`Estimates: ${asked.measure === CLASSES ? "endpoint classes" : plain(asked.measure)}`}
        columns={names}
        rows={() =>
          shown.map((row) =>
            names.map((name) => (name === "warnings" ? warned(row) : (row[name] ?? null))),
          )
        }
        version={`${head.run} ${asked.measure}`}
        onOpen={(nth) => pick(shown[nth]?.at)}
      />
    </>
  );
}

function ofMeasure(row: Row, measure: string): boolean {
  return measure === CLASSES
    ? ENDS.some((one) => one.measure === row.measure)
    : row.measure === measure;
}

/** Titles and definitions of measures, where the run's head has them. */
function defined(head: Head, measure: string): { title: string; definition: string } {
  const found = rows(head.frames.measures).find((row) => row.measure === measure);
  const title = String(found?.title ?? plain(measure));
  return { title, definition: String(found?.definition ?? "") };
}

function Pickers({ head, run, asked }: { head: Head; run: Swept; asked: Chosen }) {
  const [, change] = useAddress();
  const now = (changes: Record<string, string>) =>
    change({ ...changes, point: "" }, { replace: true });
  const options: [string, string][] = measuresOf(run).map((name) => [
    name,
    defined(head, name).title,
  ]);
  if (classed(run)) options.unshift([CLASSES, "Endpoint classes, all four"]);
  const axes = run.axes.map((name) => [name, name] as const);
  return (
    <>
      <div class="controls">
        <Select
          label="measure"
          value={asked.measure}
          options={options}
          onChange={(measure) => now({ measure })}
        />
        <Select label="over" value={asked.over} options={axes} onChange={(over) => now({ over })} />
        {asked.measure !== CLASSES && (
          <Select
            label="a line for each"
            value={asked.lines}
            options={[...axes.filter(([name]) => name !== asked.over), [NONE, "nothing"]]}
            onChange={(lines) => now({ lines })}
          />
        )}
      </div>
      <p class="note">{visible(defined(head, asked.measure).definition)}</p>
    </>
  );
}

interface PanelsProps {
  run: Swept;
  asked: Chosen;
  title: string;
  point?: number;
  onPick?: (at: number) => void;
}

function Panels({ run, asked, title, point, onPick }: PanelsProps) {
  const { measure, over, lines } = asked;
  const shown = run.estimates.filter((row) => ofMeasure(row, measure) && row[over] !== "");
  if (shown.length === 0) return <p>{visible(title)} has no estimates of this measure.</p>;
  const by = measure === CLASSES ? "measure" : lines;
  const rest = run.axes.filter((name) => name !== over && name !== lines);
  const [x, place] = axis(
    over,
    distinct(shown, over).map((value) => value ?? ""),
  );
  const y = range(measure === CLASSES ? "share of trials" : plain(measure), ...ends(shown));
  const names = by === NONE ? [""] : distinct(shown, by);
  const panels = [...grouped(shown, rest)];
  const small = panels.length > 1 ? SMALL : {};
  return (
    <>
      {title && <h3>{visible(title)}</h3>}
      {by !== NONE && (
        <Key
          marks={names.map((value, nth) => ({
            name: measure === CLASSES ? plain(value) : `${by} = ${value === "" ? "none" : value}`,
            mark: marked(measure, value, nth),
          }))}
        />
      )}
      <div class={panels.length > 1 ? "multiples" : ""}>
        {panels.map(([name, own]) => (
          <figure key={name}>
            <figcaption>
              {name && `${visible(name)}, `}n = {counted(own)} a point
            </figcaption>
            <Curves
              label={`${measure} over ${over}${name && `, ${name}`}`}
              {...{ x, y, onPick, ...small }}
              selected={point}
              curves={names.map((value, nth) =>
                curve({
                  value,
                  shown: own.filter((row) => by === NONE || (row[by] ?? null) === value),
                  over: { name: over, x, place },
                  aside: (nth - (names.length - 1) / 2) * DODGE,
                  mark: marked(measure, value, nth),
                }),
              )}
            />
          </figure>
        ))}
      </div>
    </>
  );
}

function marked(measure: string, value: Value, nth: number) {
  const end = measure === CLASSES ? ENDS.find((one) => one.measure === value) : undefined;
  return end?.mark ?? PLAIN[nth] ?? REST;
}

function curve(of: {
  value: Value;
  shown: readonly Row[];
  over: { name: string; x: Axis; place: (value: string | number | boolean) => number };
  aside: number;
  mark: Curve["mark"];
}): Curve {
  const { name, x, place } = of.over;
  const spots = of.shown.map((row) => ({
    at: place(row[name] ?? "") + of.aside * (x.ends[1] - x.ends[0]),
    ...ranged(row),
    key: Number(row.at),
    name: `${row.measure}, ${name} = ${row[name]}: ${told(row)}, n = ${row.n}`,
  }));
  spots.sort((a, b) => a.at - b.at);
  const made = { name: String(of.value), mark: of.mark, spots };
  // A line between words would say that something lies between them.
  const worded = x.ticks.some((tick) => Number.isNaN(Number(tick.text)));
  return worded ? { ...made, only: "marks" } : made;
}

/** Warnings stand in a column of text as JSON. */
function warned(row: Row): string {
  return (JSON.parse(String(row.warnings ?? "[]")) as string[]).join("; ");
}

function plain(name: Value | undefined): string {
  return String(name ?? "").replaceAll("_", " ");
}

/** Ends of the axis of values: 0 to 1 where all fit, else what there is. */
function ends(shown: readonly Row[]): [number, number] {
  const all = shown.flatMap((row) => Object.values(ranged(row)));
  const found = all.filter((value) => value !== null);
  const [low, high] = [Math.min(0, ...found), Math.max(0, ...found)];
  return low >= 0 && high <= 1 ? [0, 1] : [low, high];
}

const COLUMNS = [
  "number",
  "seed",
  "item",
  "truth",
  "endpoint",
  "accuracy",
  "calls",
  "invalid",
] as const;

/** The trials that an estimate rests on. */
function Trials({ head, run, picked }: { head: Head; run: Swept; picked: Row | undefined }) {
  const [, change] = useAddress();
  if (!picked)
    return <Note>Pick a point, or walk with ← and →, for the trials that it rests on.</Note>;
  const places = trialsWith(head, picked, run.axes);
  const { trials } = head;
  return (
    <>
      <p>
        <strong>
          {visible(plain(picked.measure))} at {visible(words(picked, run.axes))}
        </strong>
        : {told(picked, 3)}, n = {number(numeric(picked.n))}. {visible(warned(picked))}
      </p>
      <Table
        caption={`Trials with ${words(picked, run.axes)}`}
        columns={COLUMNS}
        rows={places.map((at) =>
          COLUMNS.map((name) => {
            const value = trials[name][at] ?? null;
            return name === "endpoint" ? plain(value) : value;
          }),
        )}
        onOpen={(nth) => change({ trial: trials.number[places[nth] ?? 0] ?? 0 }, { view: "trial" })}
      />
    </>
  );
}

function Contrasts({ head, run, measure }: { head: Head; run: Swept; measure: string }) {
  const found = run.contrasts.filter((row) => ofMeasure(row, measure));
  if (found.length === 0) return null;
  return (
    <Table
      caption={`Differences between conditions on matched seeds; ${raw(head)}`}
      columns={["difference", "of", ...NUMBERS]}
      rows={found.map((row) => {
        // Settings stand in a column of text as JSON.
        const minus = JSON.parse(String(row.minus)) as Row;
        const [moved, held] = [Object.keys(minus), run.axes.filter((name) => !(name in minus))];
        const difference = `${words(row, moved)} less ${words(minus, moved) || "none"}`;
        const of = [plain(row.measure), words(row, held)].filter(Boolean).join(", ");
        return [difference, of, ...NUMBERS.map((name) => row[name] ?? null)];
      })}
      digits={4}
    />
  );
}

const NUMBERS = ["value", "low", "high", "n", "p", "adjusted", "test", "detectable"];

const view: View = {
  name: "sweep",
  title: "Sweep",
  question: "What changes the outcome?",
  of: "run",
  needs: (head) => {
    if (!head.frames.estimates) return "This run has no estimates.";
    return head.axes.length > 0 ? null : "Nothing was swept in this run.";
  },
  Component: Sweep,
};

export default view;
