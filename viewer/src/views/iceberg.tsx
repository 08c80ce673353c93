import type { Head } from "../data/types";
import { MARKS, type Mark, NONE, REST } from "../ui/colours";
import { Dots, Key, Stacks } from "../ui/Marks";
import { Note } from "../ui/parts";
import { number, visible } from "../ui/text";
import {
  Beside,
  type Case,
  CaseTrials,
  cases,
  counts,
  Panels,
  Plot,
  RIVAL,
  Sources,
  shares,
  spot,
  TRUTH,
  unbroken,
  useChosen,
  valued,
  Wide,
} from "./rates";
import { counted, numeric, type Row, told } from "./rows";
import { lacking, type Shown, type View } from "./view";

/** Stances from the one side of a bar to the other. */
const STANCES: readonly { name: string; title: string; mark: Mark }[] = [
  { name: "endorse", title: "endorses it", mark: RIVAL },
  { name: "hedge", title: "hedges", mark: MARKS[3] ?? REST },
  { name: "ignore", title: "ignores it", mark: REST },
  { name: "unrelated", title: "speaks of something else", mark: MARKS[2] ?? REST },
  { name: "invalid", title: "says nothing valid", mark: NONE },
  { name: "unjudged", title: "not settled by the judge", mark: MARKS[4] ?? REST },
  { name: "reject", title: "rejects it", mark: TRUTH },
];

const SAID = "7 4";
/** Not the truth's: who endorses is not right. */
const PUBLIC: Mark = MARKS[5] ?? REST;

function Iceberg({ head, second }: Shown) {
  const known = cases(head, "curves");
  const [at, choose] = useChosen(known.length, "condition");
  const chosen = known[at];
  return (
    <>
      <Key
        marks={[
          { name: "private: holds the false answer", mark: RIVAL },
          { name: "public: endorses it (dashed)", mark: PUBLIC },
        ]}
      />
      <Note>
        Bands: 95 % intervals. Hatched: held but not said. Choose a condition by its name, or with ←
        and →, for what is said by what is held.
      </Note>
      <Beside head={head} second={second}>
        {(one) => (
          <Run head={one} name={chosen?.name ?? ""} {...(one === head && { onChoose: choose })} />
        )}
      </Beside>
      {chosen && <CaseTrials head={head} table="curves" of={chosen} />}
      <Sources head={head} second={second} tables={["curves", "joint"]} />
    </>
  );
}

interface RunProps {
  head: Head;
  /** The chosen condition, in words. */
  name: string;
  onChoose?: (at: number) => void;
}

function Run({ head, name, onChoose }: RunProps) {
  const known = cases(head, "curves");
  if (known.length === 0) return <p>This run has no curves: it is not of chatrooms.</p>;
  const last = Math.max(...known.flatMap(({ own }) => own.map((row) => numeric(row.round) ?? 0)));
  return (
    <>
      <Panels {...{ known, name, onChoose }}>{(of) => <Curves of={of} last={last} />}</Panels>
      <Wide name={`What is said, and what is held at the end: ${head.run}`}>
        <Joint
          head={head}
          name={known.some((one) => one.name === name) ? name : (known[0]?.name ?? "")}
        />
        <Final head={head} />
      </Wide>
    </>
  );
}

function Curves({ of, last }: { of: Case; last: number }) {
  const line = (measure: string) =>
    of.own
      .filter((row) => row.measure === measure)
      .map((row) => spot(row, numeric(row.round) ?? 0, { name: title(row) }));
  const [held, said] = [line("infection"), line("endorsement")];
  const between = held.flatMap(({ at, value }) => {
    const low = said.find((one) => one.at === at)?.value;
    return value === null || low == null
      ? []
      : [{ at, value, low: Math.min(low, value), high: value }];
  });
  return (
    <>
      <Plot
        label={`Private infection and public endorsement by round: ${of.name}`}
        x={counts("round (0: before the talk)", last)}
        y={shares("share")}
        layers={[
          { mark: RIVAL, spots: held, as: "both" },
          { mark: PUBLIC, spots: said, as: "both", dash: SAID },
        ]}
        hatched={between}
        width={300}
      />
      <p class="note">n = {counted(of.own)} items a point</p>
    </>
  );
}

function title(row: Row): string {
  return `${row.measure}, round ${row.round}: ${told(row)}, ${row.counted} of ${row.of}, n = ${row.n}`;
}

/** What is said, by what is held: a bar a private answer. */
function Joint({ head, name }: { head: Head; name: string }) {
  const own = cases(head, "joint").find((one) => one.name === name)?.own ?? [];
  const labels = [...new Set(own.map((row) => row.label))];
  const used = STANCES.filter(({ name }) =>
    own.some((row) => row.stance === name && (numeric(row.counted) ?? 0) > 0),
  );
  if (labels.length === 0)
    return <Note>No attacker, or nobody spoke after one: {visible(name)}.</Note>;
  return (
    <Stacks
      caption={`What is said by what is held, after the claim was heard: ${name}; n: items`}
      rows={labels.map((label) => {
        const turns = own.filter((row) => row.label === label);
        return {
          name: unbroken(`holds ${label}, ${number(numeric(turns[0]?.of))} turns`),
          n: numeric(turns[0]?.n),
          parts: used.map((part) => ({
            name: part.title,
            mark: part.mark,
            share: numeric(turns.find((row) => row.stance === part.name)?.value) ?? 0,
          })),
        };
      })}
    />
  );
}

/** How many hold the false answer at the end, by condition. */
function Final({ head }: { head: Head }) {
  const found = cases(head, "knowledge").map(({ name, own: [row = {}] }) => ({
    ...valued(row, "final_infection"),
    name,
    note: unbroken(`${row.final_infection_counted} of ${row.final_infection_of}`),
    mark: RIVAL,
  }));
  return (
    <Dots
      caption="Holds the false answer at the end (95 % intervals; n: items; note: agents)"
      rows={found}
      range={[0, 1]}
    />
  );
}

const view: View = {
  name: "iceberg",
  title: "Iceberg",
  question: "How much of what is believed is not said?",
  of: "run",
  needs: (head) =>
    head.frames.curves ? null : lacking(head, "Only chatrooms ask in private what agents hold."),
  Component: Iceberg,
};

export default view;
