import { useMemo } from "preact/hooks";
import { useAddress } from "../app/address";
import type { Head } from "../data/types";
import { MARKS, type Mark, NONE, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Glyph, Key } from "../ui/Marks";
import { Behind, Note } from "../ui/parts";
import { number, visible } from "../ui/text";
import { Text } from "./curves";
import { Trials, useChosen } from "./rates";
import {
  counted,
  grouped,
  numeric,
  type Row,
  ranged,
  rows,
  settings,
  told,
  trialsWith,
  words,
} from "./rows";
import { lacking, type Shown, type View } from "./view";

/** The classes of an answer from the floor of a bar to its ceiling, as in the paper's figure. */
const PARTS: readonly { name: string; title: string; mark: Mark }[] = [
  { name: "private_target", title: "private target", mark: MARKS[0] ?? REST },
  { name: "other_compatible", title: "other compatible", mark: MARKS[2] ?? REST },
  { name: "incompatible", title: "incompatible", mark: { ...REST, glyph: "◆" } },
  { name: "no_answer", title: "no answer", mark: NONE },
  { name: "social", title: "social: the lure", mark: MARKS[1] ?? REST },
];

const [LEFT, TOP, WIDTH, HEIGHT] = [30, 8, 262, 170];
const FOOT = TOP + HEIGHT;
/** A glyph stands on parts that are at least so high. */
const TALL = 13;

function Probe({ head, second }: Shown) {
  const [{ values }, change] = useAddress();
  const ranged = values.intervals === "1";
  const toggle = () => change({ intervals: ranged ? "" : "1" }, { replace: true });
  useKeys([{ key: "i", does: "show or hide intervals", run: toggle }]);
  const frame = head.frames.ladders;
  const names = head.axes.filter((axis) => frame?.columns.includes(axis));
  const rungs = useMemo(() => [...grouped(rows(frame), [...names, "lures"]).values()], [frame]);
  const [at, choose] = useChosen(rungs.length, "rung");
  const chosen = rungs[at]?.[0];
  const called = chosen && words(chosen, [...new Set([...names, "lures"])]);
  const pick = (bar: readonly Row[]) =>
    choose(rungs.findIndex(([row]) => row && names.every((name) => row[name] === bar[0]?.[name])));
  return (
    <>
      <p class="controls">
        <button type="button" aria-pressed={ranged} onClick={toggle}>
          Intervals <kbd>i</kbd>
        </button>
      </p>
      <Key marks={PARTS.map(({ title, mark }) => ({ name: title, mark }))} />
      <Ladders
        head={head}
        ranged={ranged}
        title={second ? visible(head.run) : ""}
        picked={{ chosen, pick }}
      />
      {second && <Ladders head={second} ranged={ranged} title={visible(second.run)} />}
      <Note>
        Shares of answers by how many planted entries name the lure. The upright line is the yield
        point, the number of entries at which agents go over to the lure, the band at its foot its
        interval. A seed that never yields counts as the number of entries + 1/2, one that names the
        lure at every rung as -1/2: where many never yield, the yield point is a lower bound. Choose
        a bar, or walk with ← and →, for the trials that it rests on. {frame && visible(frame.note)}
      </Note>
      {chosen && called && (
        <Trials head={head} name={called} places={trialsWith(head, chosen, names)} />
      )}
      {frame && (
        <Behind
          caption={frame.title}
          columns={frame.columns}
          rows={() => frame.rows}
          version={head.run}
        />
      )}
    </>
  );
}

/** The rung whose trials are listed, and how to choose another. */
interface Picked {
  chosen: Row | undefined;
  pick: (bar: readonly Row[]) => void;
}

interface LaddersProps {
  head: Head;
  ranged: boolean;
  title: string;
  picked?: Picked;
}

function Ladders({ head, ranged, title, picked }: LaddersProps) {
  const ladders = rows(head.frames.ladders);
  const names = settings(ladders, head.frames.ladders, "class").filter((name) => name !== "lures");
  const yields = rows(head.frames.yields);
  const panels = [...grouped(ladders, names)];
  if (panels.length === 0) return <p>{visible(head.run)} holds no planted memories.</p>;
  return (
    <>
      {title && <h3>{title}</h3>}
      <div class="multiples">
        {panels.map(([name, found]) => (
          <Ladder
            key={name}
            name={name || "all trials"}
            found={found}
            {...yielding(yields.filter((row) => words(row, names) === name))}
            ranged={ranged}
            {...(picked && {
              pick: picked.pick,
              lures: found.some((row) => same(row, picked.chosen)) ? picked.chosen?.lures : null,
            })}
          />
        ))}
      </div>
    </>
  );
}

/** Whether two rows have one rung: they are of tables that were read apart. */
function same(row: Row, other: Row | undefined): boolean {
  return other !== undefined && Object.keys(other).every((name) => row[name] === other[name]);
}

function yielding(found: readonly Row[]) {
  const of = (measure: string) => found.find((row) => row.measure === measure);
  return { turned: of("yield_point"), yielded: of("yielded") };
}

interface LadderProps {
  name: string;
  found: readonly Row[];
  /** The yield point, and the share that names the lure where all entries do. */
  turned: Row | undefined;
  yielded: Row | undefined;
  ranged: boolean;
  /** The chosen rung. */
  lures?: Row[string] | undefined;
  pick?: (bar: readonly Row[]) => void;
}

function Ladder({ name, found, turned, yielded, ranged, lures: at, pick }: LadderProps) {
  const entries = Math.max(...found.map((row) => numeric(row.lures) ?? 0));
  const step = WIDTH / (entries + 1);
  const x = (lures: number) => LEFT + step * (lures + 0.5);
  const bars = grouped(found, ["lures"]);
  return (
    <figure>
      <figcaption>
        {visible(name)}
        <br />
        <span class="soft">
          n = {counted(found)} a rung; {turns(turned, entries)}
          {numeric(yielded?.value) !== null &&
            `; share that has yielded at ${entries}: ${told(yielded)}, n = ${yielded?.n}`}
        </span>
      </figcaption>
      <svg class="scatter" viewBox="0 0 300 218" role="img" aria-label={visible(`Ladder: ${name}`)}>
        {[0, 0.5, 1].map((share) => (
          <Text key={share} x={LEFT - 5} y={FOOT - share * HEIGHT + 4} end="end">
            {number(share, 1)}
          </Text>
        ))}
        {[...bars.values()].map((bar) => {
          const lures = numeric(bar[0]?.lures) ?? 0;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys pick the same rungs
            <g key={lures} class={pick && "pick"} onClick={() => pick?.(bar)}>
              <Rung bar={bar} x={x(lures)} width={step * 0.9} ranged={ranged} />
              {lures === at && (
                <rect
                  x={x(lures) - step / 2}
                  y={TOP - 3}
                  width={step}
                  height={HEIGHT + 22}
                  fill="none"
                  stroke="var(--ink)"
                  stroke-width="1.6"
                />
              )}
              <Text x={x(lures)} y={FOOT + 15}>
                {lures}
              </Text>
            </g>
          );
        })}
        <Text x={LEFT + WIDTH / 2} y={FOOT + 33}>
          entries of {entries} that name the lure
        </Text>
        <Turn turned={turned} entries={entries} x={x} />
      </svg>
    </figure>
  );
}

function Rung(props: { bar: readonly Row[]; x: number; width: number; ranged: boolean }) {
  const { bar, x, width, ranged } = props;
  const parts = PARTS.map((part) => ({ ...part, row: bar.find((row) => row.class === part.name) }));
  if (parts.some(({ row }) => numeric(row?.value) === null)) return null;
  let foot = FOOT;
  return (
    <>
      {parts.map(({ name, title, mark, row }) => {
        const height = (numeric(row?.value) ?? 0) * HEIGHT;
        foot -= height;
        return (
          <g key={name}>
            <rect
              x={x - width / 2}
              y={foot}
              {...{ width, height }}
              fill={`var(${mark.colour})`}
              stroke="var(--paper)"
              stroke-width="0.8"
            >
              <title>{`${title}: ${told(row)}, n = ${row?.n}`}</title>
            </rect>
            {height >= TALL && (
              <Glyph mark={{ ...mark, colour: "--paper" }} x={x} y={foot + height / 2} size={9} />
            )}
          </g>
        );
      })}
      {ranged && <Whisker row={parts[0]?.row} x={x - width / 4} hung={false} />}
      {ranged && <Whisker row={parts.at(-1)?.row} x={x + width / 4} hung />}
    </>
  );
}

/** The interval of a part that stands on the floor, or hangs from the ceiling. */
function Whisker({ row, x, hung }: { row: Row | undefined; x: number; hung: boolean }) {
  const { low, high } = ranged(row);
  if (low === null || high === null) return null;
  const y = (share: number) => (hung ? TOP + share * HEIGHT : FOOT - share * HEIGHT);
  const ends = `M${x - 3},${y(low)}h6M${x - 3},${y(high)}h6M${x},${y(low)}V${y(high)}`;
  return <Haloed d={ends} />;
}

/** Strokes that stand out from whatever is behind them. */
function Haloed({ d }: { d: string }) {
  return (
    <>
      <path d={d} stroke="var(--paper)" stroke-width="4" />
      <path d={d} stroke="var(--ink)" stroke-width="1.7" />
    </>
  );
}

function Turn(props: { turned: Row | undefined; entries: number; x: (lures: number) => number }) {
  const { turned, entries, x } = props;
  const { value, low, high } = ranged(turned);
  if (value === null || value <= -0.5 || value >= entries + 0.5) return null;
  const [from, to] = [Math.max(low ?? value, -0.5), Math.min(high ?? value, entries + 0.5)];
  return (
    <>
      <Haloed d={`M${x(value)},${TOP}V${FOOT}`} />
      <rect x={x(from)} width={x(to) - x(from)} y={FOOT - 4} height="7" fill="var(--ink)" />
    </>
  );
}

/** Where agents yield, in words. */
function turns(turned: Row | undefined, entries: number): string {
  const value = numeric(turned?.value);
  const counted = `n = ${turned?.n ?? 0}`;
  if (value === null) return "where it yields is not known";
  if (value >= entries + 0.5) return `does not yield, ${counted}`;
  if (value <= -0.5) return `names the lure at any rung, ${counted}`;
  return `yields at ${told(turned)}, ${counted}`;
}

const view: View = {
  name: "probe",
  title: "Probe",
  question: "At which share of planted entries does an agent give up what it sees?",
  of: "run",
  needs: (head) =>
    head.frames.ladders ? null : lacking(head, "This run has no planted memories."),
  Component: Probe,
};

export default view;
