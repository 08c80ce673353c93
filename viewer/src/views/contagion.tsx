import type { Head } from "../data/types";
import { PLAIN, REST } from "../ui/colours";
import { Dots, Key, type Valued } from "../ui/Marks";
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
  unbroken,
  useChosen,
  valued,
  Wide,
} from "./rates";
import { adjusted, numeric, type Row, raw, rows, told } from "./rows";
import { lacking, type Shown, type View } from "./view";

/** Neither answer's: it is a model of how often agents switch. */
const FITTED = PLAIN[0] ?? REST;
const TABLES = ["hazard", "hazard_fits", "injected"];

function Contagion({ head, second }: Shown) {
  const known = cases(head, "hazard");
  const [at, choose] = useChosen(known.length, "condition");
  const chosen = known[at];
  const said = rows(head.frames.hazard).find((row) => row.note)?.note ?? "";
  return (
    <>
      <Key
        marks={[
          { name: "raw: rounds of agents that switch to the false answer", mark: RIVAL },
          { name: "adjusted for items, agents and rounds (line)", mark: FITTED },
        ]}
      />
      <Note>
        {visible(String(said))} Whiskers and bands: 95 % intervals. Under each number of infected
        peers: n items, and below it rounds of agents.
      </Note>
      <Beside head={head} second={second}>
        {(one) => (
          <Run head={one} name={chosen?.name ?? ""} {...(one === head && { onChoose: choose })} />
        )}
      </Beside>
      {chosen && <CaseTrials head={head} table="hazard" of={chosen} />}
      <Sources
        head={head}
        second={second}
        tables={TABLES.filter((table) => head.frames[table] ?? second?.frames[table])}
      />
    </>
  );
}

interface RunProps {
  head: Head;
  name: string;
  onChoose?: (at: number) => void;
}

function Run({ head, name, onChoose }: RunProps) {
  const known = cases(head, "hazard");
  if (known.length === 0) return <p>This run has no chatrooms.</p>;
  const last = Math.max(...known.flatMap(({ own }) => own.map((row) => numeric(row.peers) ?? 0)));
  return (
    <>
      <Panels {...{ known, name, onChoose }}>{(of) => <Hazard of={of} last={last} />}</Panels>
      <Wide name={`Adjusted hazard and injected peers: ${head.run}`}>
        <Fits head={head} />
        <Injected head={head} />
      </Wide>
    </>
  );
}

function Hazard({ of, last }: { of: Case; last: number }) {
  const measured = (measure: string) => of.own.filter((row) => row.measure === measure);
  const [counted, fitted] = [measured("hazard_raw"), measured("hazard_adjusted")];
  return (
    <Plot
      label={`Switching by infected peers: ${of.name}`}
      x={counts("infected peers", last)}
      y={shares("switches in a round")}
      layers={[
        { mark: FITTED, as: "line", spots: fitted.map((row) => spot(row, Number(row.peers))) },
        {
          mark: RIVAL,
          as: "points",
          spots: counted.map((row) => spot(row, Number(row.peers), { name: title(row) })),
        },
      ]}
      under={counted.map((row, nth) => ({
        at: Number(row.peers),
        // In turn on two lines: numbers of four digits do not fit side by side.
        texts: [`${row.n}`, ...(nth % 2 ? [""] : []), `${row.of}`],
      }))}
      width={300}
    />
  );
}

function title(row: Row): string {
  return `${row.peers} infected peers: ${told(row)}, ${row.counted} of ${row.of} rounds, n = ${row.n}`;
}

/** The change for one more infected peer, all else held equal. */
function Fits({ head }: { head: Head }) {
  const fits = cases(head, "hazard_fits");
  if (fits.length === 0) return <Note>No adjusted curve: too few switches or items.</Note>;
  return (
    <>
      <Dots
        caption="Adjusted: change of the log-odds of switching for one more infected peer (95 % intervals; n: items)"
        rows={fits.map(({ name, own: [row = {}] }) => ({ ...valued(row), name, mark: FITTED }))}
        reference={0}
      />
      <ul class="note">
        {fits.map(({ name, own: [row = {}] }) => {
          const p = adjusted(head, `hazard.${Number(row.at) + 1}.slope`, "hazard_by_peers");
          return (
            <li key={name}>
              {visible(name)}: {visible(judged(row))}
              {p && `; p adjusted for the tests of the report: ${visible(p)}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Python's verdict, which says why where there is no p. */
function judged(row: Row): string {
  return String(row.verdict ?? row.why ?? "");
}

/** The experiment: peers who are made to assert the claim. */
function Injected({ head }: { head: Head }) {
  const found = cases(head, "injected").flatMap(({ name, own }) =>
    own.map((row): Valued => {
      const [changed, unchanged, p] = [row.changed, row.unchanged, row.p].map(numeric);
      const id = `injected.${Number(row.at) + 1}.difference`;
      const less = [
        unbroken(`${number(changed)} against ${number(unchanged)}`),
        unbroken(`p = ${number(p, 3)}`),
        unbroken(adjusted(head, id, "injected_peers") ?? ""),
      ];
      const peers = unbroken(`${row.peers} peers`);
      const note = less.filter(Boolean).join(", ");
      return { ...valued(row), name: `${name}, ${peers}`, mark: RIVAL, note };
    }),
  );
  if (found.length === 0)
    return (
      <Note>
        No peers were injected in this run: what goes together above need not be a cause. An
        intervention of messages shows whether it is.
      </Note>
    );
  return (
    <Dots
      caption={`The experiment: final infection of the others where peers are made to assert the claim, less that without (paired 95 % intervals; n: items; ${raw(head)})`}
      rows={found}
      range={[-1, 1]}
      reference={0}
    />
  );
}

const view: View = {
  name: "contagion",
  title: "Contagion",
  question: "Does each infected peer make the next switch more likely?",
  of: "run",
  needs: (head) =>
    head.frames.hazard ? null : lacking(head, "Only chatrooms tell who switches among whom."),
  Component: Contagion,
};

export default view;
