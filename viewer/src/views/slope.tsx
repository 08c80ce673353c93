import type { Head } from "../data/types";
import { type Mark, PLAIN, REST } from "../ui/colours";
import { Key, Sign } from "../ui/Marks";
import { Note } from "../ui/parts";
import { FrameTable, Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import type { Axis, Spot } from "./curves";
import {
  Beside,
  type Layer,
  Plot,
  RIVAL,
  Sources,
  shares,
  spot,
  TRUTH,
  Trials,
  useChosen,
} from "./rates";
import { counted, distinct, grouped, numeric, type Row, rows, told, words } from "./rows";
import { lacking, type Shown, type View } from "./view";

const CHANGES = [
  { measure: "honest_defection", title: "Defection: right, then wrong", mark: RIVAL },
  { measure: "correction", title: "Correction: wrong, then right", mark: TRUTH },
];

/** Distance of two points at one proportion, and the widest spread of all: below 3/7 less 1/3. */
const [STEP, WIDTH] = [0.011, 0.072];
/** A proportion is given in tenths where a slope is meant. */
const TENTH = 10;

/** What was compared: everything but the composition. */
interface Groups {
  composition: Row[];
  names: string[];
  groups: string[];
}

function groupsOf(head: Head): Groups {
  const composition = rows(head.frames.composition);
  const swept = head.axes.filter((axis) => axis !== "N");
  const names = [...swept, "model"].filter((name) => distinct(composition, name).length > 1);
  return { composition, names, groups: [...new Set(composition.map((row) => words(row, names)))] };
}

/** A composition of a group: its rows, defection and correction. */
function compositions({ composition, names }: Groups): Row[][] {
  return [...grouped(composition, [...names, "composition"]).values()];
}

function Slope({ head, second }: Shown) {
  const found = groupsOf(head);
  const each = compositions(found);
  const [at, choose] = useChosen(each.length, "composition");
  const chosen = each[at]?.[0];
  return (
    <>
      <Beside head={head} second={second}>
        {(one) => (
          <Run
            head={one}
            of={second ? `: ${one.run}` : ""}
            {...(one === head && { selected: at, onPick: choose })}
          />
        )}
      </Beside>
      {chosen && (
        <>
          <Picked own={each[at] ?? []} name={named(chosen, found)} />
          <Trials head={head} name={named(chosen, found)} places={places(head, chosen)} />
        </>
      )}
      {(["forms", "strata"] as const).map(
        (name) => head.frames[name] && <FrameTable key={name} frame={head.frames[name]} />,
      )}
      <Sources head={head} second={second} tables={["composition"]} />
    </>
  );
}

function named(row: Row, { names }: Groups): string {
  return [`${row.composition} deceive`, words(row, names)].filter(Boolean).join(", ");
}

function Picked({ own, name }: { own: readonly Row[]; name: string }) {
  return (
    <>
      <h3>{visible(name)}</h3>
      <ul class="keys">
        {CHANGES.map(({ measure, title, mark }) => {
          const row = own.find((one) => one.measure === measure) ?? {};
          return (
            <li key={measure}>
              <Sign mark={mark} /> {title}: {told(row)}, n = {row.n} questions; {row.trials} trials,
              in {row.none} of which nobody could
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The trials of a composition, by their places in the head. */
function places(head: Head, row: Row): number[] {
  const { condition, role, agents } = head.trials;
  const trial = head.settings.trial as Record<string, Row[string]>;
  return condition.flatMap((cell, at) => {
    const set: Row = { ...trial, ...head.conditions[cell] };
    const [share, whole] = String(set.deceivers).split("/").map(Number);
    const many = whole ? ((share ?? 0) * (agents[at] ?? 0)) / whole : share;
    const swept = ["cast", "deceiver"].filter((name) => head.axes.includes(name));
    const model = [...new Set(swept.map((name) => set[name]))].join(" against ");
    const same =
      `${Math.round(many ?? 0)} of ${agents[at]}` === row.composition &&
      (row.model === "" || row.model === model) &&
      head.axes.every((name) => !(name in row) || name === "N" || row[name] === set[name]);
    return same && role[at] === "estimate" ? [at] : [];
  });
}

interface RunProps {
  head: Head;
  /** Ends captions where another run stands beside it. */
  of: string;
  selected?: number | undefined;
  onPick?: ((at: number) => void) | undefined;
}

function Run({ head, of, selected, onPick }: RunProps) {
  const found = groupsOf(head);
  if (found.composition.length === 0) return <p>This run has no deliberations with deceivers.</p>;
  return (
    <>
      {found.groups.length > 1 && (
        <Key marks={found.groups.map((name, nth) => ({ name, mark: PLAIN[nth] ?? REST }))} />
      )}
      <div class="panels">
        {CHANGES.map((change) => (
          <figure key={change.measure}>
            <figcaption>{change.title}</figcaption>
            <Change {...{ head, of, found, selected, onPick, ...change }} />
          </figure>
        ))}
      </div>
      <Note>
        A point is a composition, small groups left of large ones, with its 95 % interval; below: n
        questions. Line, its sign at its end: errors clustered by question and composition; its band
        is what the interval of the slope alone makes of it. Dashed: through the means of
        compositions.
      </Note>
      <Tested {...{ head, of }} table="trends" part={(nth) => `trends.${nth}.slope`} />
      <Tested {...{ head, of }} table="tests" part={(nth) => `explained.${nth}.effect`} />
    </>
  );
}

interface ChangeProps extends RunProps {
  found: Groups;
  measure: string;
  title: string;
  mark: Mark;
}

function Change(props: ChangeProps) {
  const { head, found, measure, title, mark, selected, onPick } = props;
  const { names, groups } = found;
  const drawn = found.composition.filter((row) => row.measure === measure);
  const markOf = (group: string) =>
    groups.length > 1 ? (PLAIN[groups.indexOf(group)] ?? REST) : mark;
  const each = compositions(found);
  const points = groups.map((group): Layer => {
    const own = drawn.filter((row) => words(row, names) === group);
    const spots = own.map((row): Spot => {
      const key = each.findIndex((rows) => rows.includes(row));
      const name = `${title}, ${named(row, found)}: ${told(row)}, n = ${row.n} questions`;
      return spot(row, beside(row, drawn, found), { key, name });
    });
    return { mark: markOf(group), as: "points", spots };
  });
  const trends = rows(head.frames.trends).filter((row) => row.measure === measure);
  const lines = trends.flatMap((row) => {
    const group = words(row, names);
    const own = drawn.filter((one) => words(one, names) === group && one.value !== null);
    return straight(row, distinct(own, "proportion").map(Number), markOf(group));
  });
  const shown = distinct(drawn, "proportion").map(Number);
  const x: Axis = {
    label: "proportion of deceivers",
    ticks: shown.map((at) => ({ at, text: number(at) })),
    ends: [(shown[0] ?? 0) - 0.05, (shown.at(-1) ?? 1) + 0.05],
  };
  const top = drawn.map((row) => numeric(row.high) ?? numeric(row.value) ?? 0);
  return (
    <Plot
      label={`${title}, by the proportion of deceivers`}
      {...{ x, selected, onPick }}
      y={shares("share of honest agents", Math.max(...top))}
      layers={[...lines, ...points]}
      under={shown.map((at) => ({
        at,
        texts: [`n ${counted(drawn.filter((row) => row.proportion === at))}`],
      }))}
    />
  );
}

/** Where a point stands: at its proportion, beside the others of it. */
function beside(row: Row, drawn: readonly Row[], { names, groups }: Groups): number {
  const sizes = distinct(
    drawn.filter((one) => one.proportion === row.proportion),
    "N",
  );
  const slots = sizes.length * groups.length;
  const slot = sizes.indexOf(row.N ?? null) * groups.length + groups.indexOf(words(row, names));
  return Number(row.proportion) + (slot - (slots - 1) / 2) * Math.min(STEP, WIDTH / slots);
}

/** The line of a trend with what its slope's interval makes of it, and that through the means. */
function straight(row: Row, along: readonly number[], mark: Mark): Layer[] {
  const [from, to] = [Math.min(...along), Math.max(...along)];
  const value = (name: string) => numeric(row[name]) ?? Number.NaN;
  const middle = numeric(row.middle) ?? from;
  const known = (height: number) => (Number.isNaN(height) ? null : height);
  const spots = [from, middle, to].map((at) => {
    const height = value("intercept") + TENTH * value("slope") * middle;
    const turned = (name: string) => known(height + TENTH * value(name) * (at - middle));
    return { at, value: turned("slope"), low: turned("low"), high: turned("high") };
  });
  const means = [from, to].map((at) => ({
    at,
    value: known(value("means_intercept") + TENTH * value("means_slope") * at),
  }));
  return [
    { mark, as: "line", spots },
    { mark, as: "line", spots: means, dash: "5 4", thin: true },
  ];
}

/** Columns that say how, and places of lines. */
const ASIDE = [
  "method",
  "group",
  "intercept",
  "middle",
  "means_intercept",
  "none",
  "models",
  "why",
];
/** The interval of the slope through the means, as tables know it. */
const MEANS: Record<string, string> = {
  means_low: "means_slope_low",
  means_high: "means_slope_high",
};

/** A table of tests beside the p that the report adjusts for all its tests. */
function Tested(props: { head: Head; table: string; part: (nth: number) => string; of: string }) {
  const { head, table, part, of } = props;
  const frame = head.frames[table];
  if (!frame) return <Note>No {table}: they need three proportions, and three compositions.</Note>;
  const found = rows(frame);
  // What is empty everywhere takes room for nothing.
  const columns = frame.columns.filter(
    (name) =>
      !ASIDE.includes(name) &&
      (name === "p" || found.some((row) => row[name] !== null && row[name] !== "")),
  );
  const p = found.some((row) => row.why) ? "p, or why none" : "p";
  return (
    <>
      <Table
        caption={frame.title + of}
        columns={[
          ...columns.map((name) => (name === "p" ? p : (MEANS[name] ?? name))),
          "adjusted p",
        ]}
        rows={found.map((row, nth) => [
          // Where there is no p, the column says why.
          ...columns.map((name) => row[name] ?? (name === "p" ? (row.why ?? null) : null)),
          head.printed.find((one) => one.id === part(nth + 1))?.adjusted ?? null,
        ])}
      />
      <Note>{visible(frame.note)}</Note>
    </>
  );
}

const view: View = {
  name: "slope",
  title: "Slope",
  question: "What harm for each share of deceivers?",
  of: "run",
  needs: (head) =>
    head.frames.composition && !head.frames.curves
      ? null
      : lacking(
          head,
          "Only deliberations follow who gives up a right answer; see the iceberg of a chatroom.",
        ),
  Component: Slope,
};

export default view;
