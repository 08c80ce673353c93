import { useEffect, useMemo, useState } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { useSource } from "../app/held";
import {
  type Beliefs,
  beliefs,
  called,
  cellText,
  drawn,
  painted,
  stretches,
} from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { changed, said, Trace } from "../graphs/tracing";
import { About, useSeat } from "../ui/About";
import { BLANK, MARKS, type Mark, REST } from "../ui/colours";
import { Dots, Key } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { Raster } from "../ui/Raster";
import { Scrubber, useRound } from "../ui/Scrubber";
import { number, visible } from "../ui/text";
import { distinct, numeric, type Row, rows, settings, words } from "./rows";
import type { Shown, View } from "./view";

const INTERVENTION = "intervention";

function Patch(props: Shown) {
  const { head, trial, second, secondTrial } = props;
  if (!trial) return null;
  if (second)
    return (
      <Beside head={head} trial={trial} second={second} other={secondTrial} key={second.run} />
    );
  return <Own head={head} trial={trial} />;
}

/** The trial that an intervention changed beside the one that it is of, in one run. */
function Own({ head, trial }: { head: Head; trial: Trial }) {
  const [, change] = useAddress();
  const found = useMemo(() => rows(head.frames.patches), [head]);
  const own = found.find((row) => row.trial === trial.number || row.base === trial.number);
  const wanted = own && Number(own.trial === trial.number ? own.base : own.trial);
  const { other, why } = useOther(head.run, wanted ?? null);
  if (!own)
    return (
      <>
        <p>
          {found.length
            ? "Nothing was changed in this trial, and it is no change of another."
            : "This run holds no intervention: choose another run beside it, or patch a trial of it."}
        </p>
        {found[0] && (
          <button type="button" onClick={() => change({ trial: Number(found[0]?.trial) })}>
            Show the first trial that was changed
          </button>
        )}
      </>
    );
  const [before, after] = own.trial === trial.number ? [other, trial] : [trial, other];
  return (
    <>
      <Choices found={found} own={own} />
      {why && <p class="loud">{visible(why)}</p>}
      {before && after && (
        <Both head={head} before={before} after={after} names={["before", "after"]} />
      )}
      <Effect head={head} found={found} own={own} />
    </>
  );
}

/** Another trial of the run. */
function useOther(run: string, wanted: number | null): { other: Trial | null; why: string } {
  const source = useSource();
  const [state, set] = useState<{ key: string; other: Trial | null; why: string }>();
  const key = `${wanted} ${run}`;
  useEffect(() => {
    let asked = wanted !== null;
    if (wanted !== null)
      source.trial(run, wanted).then(
        (other) => asked && set({ key, other, why: "" }),
        (error: Error) => asked && set({ key, other: null, why: error.message }),
      );
    return () => {
      asked = false;
    };
  }, [source, run, wanted, key]);
  return state?.key === key ? state : { other: null, why: "" };
}

/** Settings of a row that stand before its trial. */
function swept(found: readonly Row[]): string[] {
  const names = Object.keys(found[0] ?? {});
  return names.slice(0, names.indexOf("trial")).filter((name) => name !== INTERVENTION);
}

function Choices({ found, own }: { found: readonly Row[]; own: Row }) {
  const [, change] = useAddress();
  const names = swept(found).filter((name) => distinct(found, name).length > 1);
  const bases = found.filter((row, at) => found.findIndex((one) => one.base === row.base) === at);
  const go = (row: Row | undefined) => row && change({ trial: Number(row.trial) });
  return (
    <div class="controls">
      <Select
        label="Intervention"
        value={`${own.trial}`}
        options={found
          .filter((row) => row.base === own.base)
          .map((row) => [
            `${row.trial}`,
            `${row[INTERVENTION] ?? "changed"}, agents ${row.patched || "none"}: ${signed(numeric(row.change))}`,
          ])}
        onChange={(trial) => change({ trial })}
      />
      <Select
        label="Seed"
        value={`${own.base}`}
        options={bases.map((row) => [
          `${row.base}`,
          [words(row, names), `seed ${row.seed}`].filter(Boolean).join(", "),
        ])}
        onChange={(base) => {
          const there = found.filter((row) => `${row.base}` === base);
          go(there.find((row) => row[INTERVENTION] === own[INTERVENTION]) ?? there[0]);
        }}
      />
    </div>
  );
}

function signed(change: number | null): string {
  return change !== null && change > 0 ? `+${number(change)}` : number(change);
}

/** A trial of one run beside the same seed and condition of another. */
function Beside(props: { head: Head; trial: Trial; second: Head; other: Trial | null }) {
  const { head, trial, second, other } = props;
  const [address, change] = useAddress();
  const match = useMemo(() => matched(second, trial), [second, trial]);
  const chosen = address.values.secondtrial;
  useEffect(() => {
    if (!chosen && match !== null) change({ secondtrial: match }, { replace: true });
  }, [chosen, match]);
  if (!chosen && match === null)
    return (
      <p>
        {visible(second.run)} has no trial of seed {trial.seed} and this condition: choose one
        beside.
      </p>
    );
  if (!other || (!chosen && other.number !== match)) return null;
  const delta = rows(second.frames.deltas).filter((row) => row.measure === "collective_accuracy");
  return (
    <>
      {(other.seed !== trial.seed || other.truth !== trial.truth) && (
        <p class="loud">Not matched: the two trials differ in seed or truth.</p>
      )}
      <Both head={head} before={trial} after={other} names={[head.run, second.run]} />
      {delta.length > 0 && (
        <Dots
          caption={`Collective accuracy, ${second.run} less ${head.run}, on matched seeds`}
          rows={delta.map((row) =>
            valued(row, words(row, settings(delta, second.frames.deltas, "measure")) || "all"),
          )}
          reference={0}
        />
      )}
    </>
  );
}

/** The trial of a run with the seed and condition of another, an intervention aside. */
function matched({ trials, conditions }: Head, { condition, seed, truth }: Trial): number | null {
  const fits = trials.number.flatMap((one, at) => {
    const own = conditions[trials.condition[at] ?? -1] ?? {};
    const same = Object.keys(own).every(
      (name) => name === INTERVENTION || !(name in condition) || own[name] === condition[name],
    );
    if (!same || trials.seed[at] !== seed || trials.truth[at] !== truth) return [];
    return [{ one, patched: Boolean(own[INTERVENTION]) }];
  });
  return (fits.find((fit) => fit.patched) ?? fits[0])?.one ?? null;
}

const DIFFERENCES: readonly { name: string; mark: Mark }[] = [
  { name: "same", mark: BLANK },
  { name: "right now", mark: MARKS[0] ?? REST },
  { name: "right no more", mark: MARKS[1] ?? REST },
  { name: "otherwise", mark: MARKS[2] ?? REST },
  { name: "where it begins", mark: MARKS[5] ?? REST },
];
const [SAME, NOW, NO_MORE, OTHERWISE, BEGINS] = [0, 1, 2, 3, 4];

interface BothProps {
  head: Head;
  before: Trial;
  after: Trial;
  names: readonly [string, string];
}

function Both({ head, before, after, names }: BothProps) {
  const own = useMemo(() => beliefs(before), [before]);
  const other = useMemo(() => beliefs(after), [after]);
  const trace = useMemo(() => new Trace(before, after), [before, after]);
  const patched = useMemo(() => changed(before, after), [before, after]);
  const seats = useMemo(() => before.seats.map((_, seat) => seat), [before]);
  const last = Math.max(own.columns.length, other.columns.length) - 1;
  const [round, go] = useRound(last);
  const parts = (seat: number) =>
    Array.from({ length: last + 1 }, (_, when) => when).filter((when) =>
      differ(own, other, seat, when),
    );
  const reached = seats.filter((seat) => parts(seat).length > 0);
  const [seat, pick] = useSeat([...reached.filter((one) => !patched.includes(one)), ...seats]);
  const select = (to: number, at: number) => {
    pick(to);
    if (at !== round) go(at);
  };
  const begins = trace.differing[0];
  const panels: [string, Trial, Beliefs, Beliefs | null][] = [
    [names[0], before, own, null],
    [names[1], after, other, own],
  ];
  const shown = { seats, patched, seat, round, select };
  return (
    <>
      <Scrubber last={last} value={round} onChange={go} />
      <p aria-live="polite">
        {number(trace.differing.length)} of {number(before.steps.id.length)} replies differ,{" "}
        {number(trace.anew)} were asked anew; after round {round},{" "}
        {number(seats.filter((one) => differ(own, other, one, round)).length)} of{" "}
        {number(seats.length)} agents hold something else.{" "}
        {patched.length > 0 && visible(`See something else (◂): ${listed(before, patched)}.`)}
      </p>
      <div class="panels">
        {panels.map(([name, trial, grid, like]) => (
          <section key={name} aria-label={visible(name)}>
            <h3>{visible(name)}</h3>
            <Side {...shown} name={name} trial={trial} grid={grid} like={like} />
            <About trial={trial} />
          </section>
        ))}
        <section aria-label="difference">
          <h3>difference</h3>
          <Difference {...shown} before={before} own={own} other={other} trace={trace} />
        </section>
      </div>
      <Behind
        caption={`What each of ${seats.length} agents held, ${names[0]} and ${names[1]}`}
        columns={["agent", "changed", names[0], names[1], "rounds that differ"]}
        rows={() =>
          seats.map((one) => [
            called(before, one),
            patched.includes(one),
            stretches(own, one).text,
            one < after.seats.length ? stretches(other, one).text : null,
            parts(one).length,
          ])
        }
        version={`${head.run} ${before.number} ${names[1]} ${after.number}`}
        onOpen={pick}
      />
      {begins && (
        <p>
          The difference begins in round {begins.round}, with agent {called(before, begins.seat)}{" "}
          (step <code>{visible(begins.id)}</code>).
        </p>
      )}
      <Chain
        trace={trace}
        own={own}
        seat={seat}
        round={parts(seat).findLast((when) => when <= round) ?? parts(seat)[0]}
      />
    </>
  );
}

function listed(trial: Trial, seats: readonly number[]): string {
  const few = seats.slice(0, 12).map((seat) => called(trial, seat));
  return few.join(", ") + (seats.length > 12 ? ` and ${seats.length - 12} more` : "");
}

/** A trial that ended sooner holds what it held last. */
function at(grid: Beliefs, round: number): number {
  return Math.min(round, grid.columns.length - 1);
}

function differ(own: Beliefs, other: Beliefs, seat: number, round: number): boolean {
  return cellText(own, seat, at(own, round)) !== cellText(other, seat, at(other, round));
}

interface Shared {
  seats: readonly number[];
  patched: readonly number[];
  seat: number;
  round: number;
  select: (seat: number, round: number) => void;
}

function named(trial: Trial, { seats, patched }: Shared): string[] {
  return seats.map((seat) => called(trial, seat) + (patched.includes(seat) ? " ◂" : ""));
}

interface SideProps extends Shared {
  name: string;
  trial: Trial;
  grid: Beliefs;
  like: Beliefs | null;
}

function Side(props: SideProps) {
  const { name, trial, grid, like, seats, seat, round, select } = props;
  const look = useMemo(() => drawn(grid, like), [grid, like]);
  const cells = useMemo(() => painted(grid, seats, look.codes), [grid, seats, look]);
  return (
    <>
      <Raster
        rows={seats.length}
        columns={grid.columns.length}
        cells={cells}
        marks={look.marks}
        names={named(trial, props)}
        heads={grid.columns.map((one) => one.name)}
        label={`${visible(name)}: beliefs of ${seats.length} agents by round; the table holds them`}
        selected={{ row: seat, column: at(grid, round) }}
        fade
        describe={(one, when) =>
          `agent ${called(trial, one)}, round ${grid.columns[when]?.name}: ${cellText(grid, one, when)}`
        }
        onPick={select}
      />
      <Key marks={look.key} />
    </>
  );
}

interface DifferenceProps extends Shared {
  before: Trial;
  own: Beliefs;
  other: Beliefs;
  trace: Trace;
}

function Difference(props: DifferenceProps) {
  const { before, own, other, trace, seats, seat, round, select } = props;
  const longer = own.columns.length < other.columns.length ? other : own;
  const wide = longer.columns.length;
  const cells = useMemo(() => {
    const found = new Uint8Array(seats.length * wide);
    for (const one of seats)
      for (let when = 0; when < wide; when++) {
        const [was, is] = [
          cellText(own, one, at(own, when)),
          cellText(other, one, at(other, when)),
        ];
        const rights = [was === own.truth, is === other.truth];
        const kind = rights[1] ? NOW : rights[0] ? NO_MORE : OTHERWISE;
        found[one * wide + when] = was === is ? SAME : kind;
      }
    const begins = trace.differing[0];
    if (begins && begins.round < wide) found[begins.seat * wide + begins.round] = BEGINS;
    return found;
  }, [own, other, trace, seats, wide]);
  return (
    <>
      <Raster
        rows={seats.length}
        columns={wide}
        cells={cells}
        marks={DIFFERENCES.map(({ mark }) => mark)}
        names={named(before, props)}
        heads={longer.columns.map((one) => one.name)}
        label={`Where ${seats.length} agents hold something else, by round; the table holds both`}
        selected={{ row: seat, column: round }}
        describe={(one, when) =>
          `agent ${called(before, one)}, round ${when}: ${cellText(own, one, at(own, when))}, then ${cellText(other, one, at(other, when))}`
        }
        onPick={select}
      />
      <Key marks={DIFFERENCES.slice(1)} />
    </>
  );
}

interface ChainProps {
  trace: Trace;
  own: Beliefs;
  seat: number;
  /** The last round until the one in sight in which both sides differ, or the first after it. */
  round: number | undefined;
}

const MOST = 40;

/** The readings along which a difference could come to what an agent holds. */
function Chain({ trace, own, seat, round }: ChainProps) {
  const [address] = useAddress();
  const { before, after } = trace;
  const path = useMemo(() => {
    if (round === undefined) return null;
    const id = before.steps.id[own.steps[seat * own.columns.length + at(own, round)] ?? -1];
    return id && trace.differing.some((hop) => hop.id === id) ? trace.path(id) : null;
  }, [trace, own, seat, round]);
  const name = visible(called(before, seat));
  return (
    <section class="side" aria-label="How the difference came here">
      <h3>
        How it came to agent {name}
        {round !== undefined && `, round ${round}`}
      </h3>
      {!path ? (
        <p>Agent {name} holds the same on both sides, or was not asked.</p>
      ) : (
        <>
          <p>It begins where {path.cause}. Each step was read by the next:</p>
          <ol>
            {path.hops.slice(0, MOST).map((hop) => (
              <li key={hop.id}>
                <a href={link(address, "trial", { seat: hop.seat, round: hop.round })}>
                  round {hop.round}, agent {visible(called(before, hop.seat))}
                </a>{" "}
                <code>{visible(hop.id)}</code>:{" "}
                <Long text={said(before, hop.before) || "-"} most={200} /> <b>→</b>{" "}
                <Long text={said(after, hop.after) || "-"} most={200} />
              </li>
            ))}
          </ol>
          {path.hops.length > MOST && <p>{number(path.hops.length - MOST)} more steps.</p>}
          <Note>
            Such a chain could carry the difference; that it did is shown only by cutting it.
          </Note>
        </>
      )}
    </section>
  );
}

function valued(row: Row, name: string) {
  const [value, low, high, n] = [row.value, row.low, row.high, row.n].map(numeric);
  const p = numeric(row.p);
  const note = p === null ? "" : `p = ${number(p, 3)}, ${row.test ?? ""}`;
  return { name, value: value ?? null, low: low ?? null, high: high ?? null, n: n ?? null, note };
}

/** What an intervention does to collective accuracy, over the seeds. */
function Effect({ head, found, own }: { head: Head; found: readonly Row[]; own: Row }) {
  const [, change] = useAddress();
  const names = swept(found);
  const effects = rows(head.frames.effects).filter(
    (row) =>
      (row.measure === "collective_accuracy" || row.measure === "manager_accuracy") &&
      names.every((name) => !(name in row) || row[name] === own[name]),
  );
  const open = (at: number) => {
    const name = effects[at]?.[INTERVENTION];
    const row = found.find(
      (one) =>
        one.seed === own.seed &&
        one[INTERVENTION] === name &&
        names.every((setting) => one[setting] === own[setting]),
    );
    if (row) change({ trial: Number(row.trial) });
  };
  const [before, after, delta] = [own.before, own.after, own.change].map(numeric);
  return (
    <>
      <p>
        This trial (n = 1): accuracy {number(before)} before, {number(after)} after, dA ={" "}
        <b>{signed(delta ?? null)}</b>. One trial has no interval.
      </p>
      {effects.length > 0 && (
        <>
          <Dots
            caption={`dA: accuracy with each intervention less without, over seeds (95 % interval)`}
            rows={effects.map((row) => valued(row, String(row[INTERVENTION] ?? "changed")))}
            reference={0}
            onOpen={open}
          />
          <Note>{visible(head.frames.effects?.note ?? "")}</Note>
        </>
      )}
    </>
  );
}

const view: View = {
  name: "patch",
  title: "Patch",
  question: "What did the patch change?",
  of: "trial",
  needs: (head) => (head.trials.number.length ? null : "No trial is completed."),
  Component: Patch,
};

export default view;
