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
import { measured, RIVAL, STAR, THIRD, TRUTH } from "../graphs/shown";
import { said, trace } from "../graphs/tracing";
import { About, useSeat } from "../ui/About";
import { BLANK, type Mark } from "../ui/colours";
import { Dots, Key } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { Raster } from "../ui/Raster";
import { Scrubber, useRound } from "../ui/Scrubber";
import { number, visible } from "../ui/text";
import { Wide } from "./rates";
import { contrasts, numeric, type Row, raw, rows, words } from "./rows";
import type { Shown, View } from "./view";

const INTERVENTION = "intervention";

function Patch({ head, trial, second, secondTrial }: Shown) {
  if (!trial) return null;
  if (!second) return <Own head={head} trial={trial} />;
  return <Beside head={head} trial={trial} second={second} other={secondTrial} />;
}

/** The trial that an intervention changed beside the one that it is of, in one run. */
function Own({ head, trial }: { head: Head; trial: Trial }) {
  const [, change] = useAddress();
  const found = useMemo(() => rows(head.frames.patches), [head]);
  const own = found.find((row) => row.trial === trial.number || row.base === trial.number);
  const first = own?.base === trial.number;
  const other = useOther(head.run, numeric(first ? own.trial : own?.base));
  const go = (row: Row | undefined) => row && change({ trial: Number(row.trial) });
  if (!own)
    return (
      <p>
        No intervention changed this trial: choose another run beside it
        {found.length > 0 && (
          <>
            , or see{" "}
            <button type="button" onClick={() => go(found[0])}>
              the first trial that was changed
            </button>
          </>
        )}
        .
      </p>
    );
  // Settings stand before the trial.
  const swept = Object.keys(own).filter((_, at, all) => at < all.indexOf("trial"));
  const names = swept.filter((name) => name !== INTERVENTION);
  const same = (row: Row) => names.every((name) => !(name in row) || row[name] === own[name]);
  const effects = contrasts(head).filter(
    (row) =>
      INTERVENTION in JSON.parse(String(row.minus)) &&
      same(row) &&
      /^(collective|manager)_accuracy$/.test(String(row.measure)),
  );
  return (
    <>
      <div class="controls">
        <Select
          label="Intervention"
          value={`${own.trial}`}
          options={found
            .filter((row) => row.base === own.base)
            .map((row) => [
              `${row.trial}`,
              `${row[INTERVENTION]}: dA ${number(numeric(row.change))}`,
            ])}
          onChange={(to) => change({ trial: to })}
        />
        <Select
          label="Seed"
          value={`${own.trial}`}
          options={found
            .filter((row) => row[INTERVENTION] === own[INTERVENTION])
            .map((row) => [`${row.trial}`, words(row, [...names, "seed"])])}
          onChange={(to) => change({ trial: to })}
        />
      </div>
      {other && (
        <Both
          before={first ? trial : other}
          after={first ? other : trial}
          names={["before", "after"]}
        />
      )}
      <p>
        This trial (n = 1, no interval): accuracy {number(numeric(own.before))} before,{" "}
        {number(numeric(own.after))} after, dA = <b>{number(numeric(own.change))}</b>
      </p>
      {effects.length > 0 && (
        <Wide name="dA of each intervention">
          <Dots
            caption={`dA: accuracy with each intervention less without, over seeds (95 % interval; ${raw(head)})`}
            rows={effects.map((row) => ({
              ...measured(row, String(row[INTERVENTION])),
              note: [`p = ${number(numeric(row.p), 3)}, ${row.test}`, row.adjusted]
                .filter(Boolean)
                .join("; adjusted "),
            }))}
            reference={0}
            onOpen={(at) =>
              go(
                found.find(
                  (row) =>
                    same(row) &&
                    row.seed === own.seed &&
                    row[INTERVENTION] === effects[at]?.[INTERVENTION],
                ),
              )
            }
          />
        </Wide>
      )}
    </>
  );
}

/** Another trial of the run; null until it is there. */
function useOther(run: string, wanted: number | null): Trial | null {
  const source = useSource();
  const [found, keep] = useState<Trial | Error | null>(null);
  useEffect(() => {
    let asked = wanted !== null;
    const set = (next: Trial | Error) => asked && keep(next);
    if (wanted !== null) source.trial(run, wanted).then(set, set);
    return () => {
      asked = false;
    };
  }, [source, run, wanted]);
  if (found instanceof Error) throw found;
  return found?.number === wanted ? found : null;
}

/** A trial of one run beside that of another with the same seed and condition. */
function Beside(props: { head: Head; trial: Trial; second: Head; other: Trial | null }) {
  const { head, trial, second, other } = props;
  const [{ values }, change] = useAddress();
  const match = useMemo(() => matched(second, trial), [second, trial]);
  const wanted = values.secondtrial ? other?.number : match;
  useEffect(() => {
    if (!values.secondtrial && match !== undefined)
      change({ secondtrial: match }, { replace: true });
  }, [values.secondtrial, match]);
  if (wanted === undefined && !values.secondtrial)
    return (
      <p>
        {visible(second.run)} has no trial of seed {trial.seed} and this condition.
      </p>
    );
  if (!other || other.number !== wanted) return null;
  return (
    <>
      {(other.seed !== trial.seed || other.truth !== trial.truth) && (
        <p class="loud">Not matched: the two trials differ in seed or truth.</p>
      )}
      <Both before={trial} after={other} names={[head.run, second.run]} />
    </>
  );
}

/** The trial of a run with the seed and condition of another, an intervention aside. */
function matched({ trials, conditions }: Head, { condition, seed, truth }: Trial) {
  const setting = (at: number) => conditions[trials.condition[at] ?? -1] ?? {};
  const fits = [...trials.number.keys()].filter(
    (at) =>
      trials.seed[at] === seed &&
      trials.truth[at] === truth &&
      Object.entries(setting(at)).every(
        ([name, value]) => name === INTERVENTION || (condition[name] ?? value) === value,
      ),
  );
  return trials.number[fits.find((at) => setting(at)[INTERVENTION]) ?? fits[0] ?? -1];
}

const DIFFERENCES: readonly { name: string; mark: Mark }[] = [
  { name: "same", mark: BLANK },
  { name: "right now", mark: TRUTH },
  { name: "right no more", mark: RIVAL },
  { name: "otherwise", mark: THIRD },
  { name: "where it begins", mark: STAR },
];

interface BothProps {
  before: Trial;
  after: Trial;
  names: [string, string];
}

function Both({ before, after, names }: BothProps) {
  const [address] = useAddress();
  const found = useMemo(() => trace(before, after), [before, after]);
  const [own, other] = useMemo(() => [beliefs(before), beliefs(after)], [before, after]);
  const seats = useMemo(() => [...before.seats.keys()], [before]);
  const longer = own.columns.length < other.columns.length ? other : own;
  const wide = longer.columns.length;
  const [round, go] = useRound(wide - 1);
  // A trial that ended sooner holds what it held last.
  const text = (grid: Beliefs, seat: number, when: number) =>
    cellText(grid, seat, Math.min(when, grid.columns.length - 1));
  const apart = (seat: number) =>
    [...longer.columns.keys()].filter((when) => text(own, seat, when) !== text(other, seat, when));
  const reached = seats.filter((seat) => !found.changed.includes(seat) && apart(seat).length > 0);
  const [seat, pick] = useSeat([...reached, ...seats]);
  const named = (at: number) => called(before, at) + (found.changed.includes(at) ? " ◂" : "");
  const begins = found.differing[0];
  const panels = useMemo(() => {
    const cells = new Uint8Array(seats.length * wide);
    for (const one of seats)
      for (const when of apart(one)) {
        const right = text(other, one, when) === other.truth;
        const was = text(own, one, when) === own.truth;
        cells[one * wide + when] = right ? 1 : was ? 2 : 3;
      }
    if (begins) cells[begins.seat * wide + begins.round] = 4;
    const [look, like] = [drawn(own), drawn(other, own)];
    const [one, two] = [painted(own, seats, look.codes), painted(other, seats, like.codes)];
    const marks = DIFFERENCES.map(({ mark }) => mark);
    return [
      { name: names[0], trial: before, grid: own, cells: one, ...look },
      { name: names[1], trial: after, grid: other, cells: two, ...like },
      { name: "difference", trial: null, grid: longer, cells, marks, key: DIFFERENCES.slice(1) },
    ];
  }, [found, own, other, ...names]);
  const when = apart(seat).findLast((one) => one <= round) ?? apart(seat)[0];
  const step = before.steps.id[own.steps[seat * own.columns.length + (when ?? -1)] ?? -1];
  const end = found.differing.find((hop) => when !== undefined && hop.id === step);
  const path = end && found.path(end);
  return (
    <>
      <Scrubber last={wide - 1} value={round} onChange={go} />
      <p aria-live="polite">
        {number(found.differing.length)} of {number(before.steps.id.length)} replies differ,{" "}
        {number(found.anew)} were asked anew; after round {round},{" "}
        {seats.filter((one) => apart(one).includes(round)).length} of {seats.length} agents hold
        something else. See something else (◂): {found.changed.slice(0, 20).join(", ") || "none"}.
      </p>
      <div class="panels">
        {panels.map(({ name, trial, grid, cells, marks, key }) => (
          <div key={name}>
            <h3>{visible(name)}</h3>
            <Raster
              rows={seats.length}
              columns={grid.columns.length}
              cells={cells}
              marks={marks}
              names={seats.map(named)}
              heads={grid.columns.map((one) => one.name)}
              label={`${visible(name)}: ${seats.length} agents by round`}
              selected={{ row: seat, column: Math.min(round, grid.columns.length - 1) }}
              fade={trial !== null}
              describe={(one, at) =>
                `agent ${named(one)}, round ${at}: ${text(own, one, at)}; ${text(other, one, at)}`
              }
              onPick={(to, at) => {
                pick(to);
                if (at !== round) go(at);
              }}
            />
            <Key marks={key} />
            {trial && <About trial={trial} />}
          </div>
        ))}
      </div>
      <Behind
        caption={`What each of ${seats.length} agents held`}
        columns={["agent", "sees something else", ...names, "rounds that differ"]}
        rows={() =>
          seats.map((one) => [
            called(before, one),
            found.changed.includes(one),
            stretches(own, one).text,
            stretches(other, one).text,
            apart(one).length,
          ])
        }
        version={`${names} ${before.number} ${after.number}`}
        onOpen={pick}
      />
      <section class="side" aria-label="How the difference came here">
        {begins && (
          <p>
            The difference begins in round {begins.round}, with agent{" "}
            {visible(called(before, begins.seat))}.
          </p>
        )}
        <h3>
          How it came to agent {visible(called(before, seat))}
          {path && `, round ${when}`}
        </h3>
        {path ? (
          <>
            <p>It begins where {path.cause}. Each step was read by the next:</p>
            <ol>
              {path.hops.map((hop) => (
                <li key={hop.id}>
                  <a href={link(address, "trial", { seat: hop.seat, round: hop.round })}>
                    round {hop.round}, agent {visible(called(before, hop.seat))}
                  </a>{" "}
                  <code>{visible(hop.id)}</code>:{" "}
                  <Long text={said(before, hop.before)} most={200} /> <b>→</b>{" "}
                  <Long text={said(after, hop.after)} most={200} />
                </li>
              ))}
            </ol>
            <Note>
              Such a chain could carry the difference; that it did is shown only by cutting it.
            </Note>
          </>
        ) : (
          <p>It holds the same on both sides, or was not asked.</p>
        )}
      </section>
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
