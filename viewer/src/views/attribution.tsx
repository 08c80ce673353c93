import { useMemo } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import type { Head } from "../data/types";
import { MARKS, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Bars, Dots, Multiples, Scatter, type Valued } from "../ui/Marks";
import { Behind, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { distinct, numeric, type Row, rows, settings, words } from "./rows";
import type { Shown, View } from "./view";

function Attribution({ head, second }: Shown) {
  return (
    <>
      <One head={head} keyed />
      {second &&
        (second.frames.attribution ? (
          <section aria-label={visible(second.run)}>
            <h3>Beside: {visible(second.run)}</h3>
            <One head={second} />
          </section>
        ) : (
          <p>{visible(second.run)} does not hold a patch of every agent.</p>
        ))}
    </>
  );
}

function One({ head, keyed = false }: { head: Head; keyed?: boolean }) {
  const [address, change] = useAddress();
  const frame = head.frames.attribution;
  const all = useMemo(() => rows(frame), [frame]);
  const names = useMemo(() => settings(all, frame, "trial"), [all, frame]);
  const trials = useMemo(() => distinct(all, "trial").map(Number), [all]);
  const trial = [whole(address.values, "trial", -1), ...trials].find((one) => trials.includes(one));
  const here = all.filter((row) => row.trial === trial);
  const agents = here.map((row) => Number(row.agent));
  const at = Math.max(0, agents.indexOf(whole(address.values, "seat", -1)));
  const pick = (next: number) => {
    const seat = agents[next];
    if (seat !== undefined) change({ seat }, { replace: true });
  };
  useKeys(
    keyed
      ? [
          { key: "ArrowUp", does: "agent above", run: () => pick(at - 1) },
          { key: "ArrowDown", does: "agent below", run: () => pick(at + 1) },
        ]
      : [],
  );
  // Agents are ranked over the schedules of one condition.
  const same = (row: Row) => names.every((name) => row[name] === here[0]?.[name]);
  const pooled = all.filter(same);
  const several = distinct(pooled, "trial").length;
  return (
    <>
      <div class="controls">
        <Select
          label="Schedule"
          value={`${trial}`}
          options={trials.map((one) => {
            const row = all.find((row) => row.trial === one) ?? {};
            const set = [words(row, names), `seed ${row.seed}`].filter(Boolean).join(", ");
            return [`${one}`, `trial ${one}: ${set}`];
          })}
          onChange={(next) => change({ trial: next })}
        />
        <span class="soft">
          {number(several)} {several === 1 ? "schedule" : "schedules"}, {number(here.length)} agents
          in this one; informative evidence {visible(String(here[0]?.view ?? ""))}
        </span>
      </div>
      {several === 1 && (
        <p class="loud">
          One schedule is all there is (n = 1): how well S predicts dA on others is not shown by it.
        </p>
      )}
      <Paired here={here} selected={at} pick={pick} />
      <div class="panels">
        <div>
          <Points pooled={pooled} trial={trial ?? -1} seat={agents[at] ?? -1} several={several} />
        </div>
        <div>
          <Verdict head={head} same={same} />
        </div>
      </div>
      {keyed && frame && (
        <Behind
          caption={`${frame.title}: trial ${trial}`}
          columns={frame.columns}
          rows={() => frame.rows.filter((row) => row[frame.columns.indexOf("trial")] === trial)}
          version={`${head.run} ${trial}`}
          onOpen={pick}
        />
      )}
      {frame && <Note>{visible(frame.note)}</Note>}
      <Contests head={head} name={keyed ? "" : `${head.run}: `} />
    </>
  );
}

interface PairedProps {
  here: readonly Row[];
  selected: number;
  pick: (at: number) => void;
}

/** dp, S and dA of each agent, in one order. */
function Paired({ here, selected, pick }: PairedProps) {
  const [truth, rival, third] = [MARKS[0] ?? REST, MARKS[1] ?? REST, MARKS[2] ?? REST];
  const parts = [
    { column: "dp", name: "dp: what the evidence gains alone", of: "probes", mark: third },
    { column: "S", name: "S = dp E: predicted influence", of: "", mark: truth },
    { column: "dA", name: "dA: measured by patching it alone", of: "trial", mark: rival },
  ];
  const panels = parts.map(({ column, name, of, mark }) => {
    const shown: Valued[] = here.map((row, at) => ({
      name: `${row.agent}${at === selected ? "\u00a0◂" : ""}`,
      value: numeric(row[column]),
      n: of === "probes" ? numeric(row.probes) : 1,
      mark,
    }));
    const caption = of === "probes" ? "by agent; n: probes of each crop" : "by agent; n: games";
    return { name, body: <Bars caption={caption} rows={shown} onOpen={pick} /> };
  });
  return <Multiples panels={panels} />;
}

const OTHERS = { colour: "--rest", glyph: "■" };

interface PointsProps {
  pooled: readonly Row[];
  trial: number;
  seat: number;
  several: number;
}

function Points({ pooled, trial, seat, several }: PointsProps) {
  // Those of the schedule in sight last, so that they lie on top.
  const ordered = [...pooled].sort((a, b) => Number(a.trial === trial) - Number(b.trial === trial));
  const shown = ordered.filter((row) => numeric(row.S) !== null && numeric(row.dA) !== null);
  return (
    <>
      <Scatter
        label="S against dA of each agent; the table holds the numbers"
        xLabel="S, predicted"
        yLabel="dA, measured"
        xRange={padded(shown.map((row) => numeric(row.S) ?? 0))}
        yRange={padded(shown.map((row) => numeric(row.dA) ?? 0))}
        selected={shown.findIndex((row) => row.trial === trial && row.agent === seat)}
        points={shown.map((row) => ({
          name: `trial ${row.trial}, seed ${row.seed}, agent ${row.agent}: S ${number(numeric(row.S))}, dA ${number(numeric(row.dA))}`,
          x: numeric(row.S) ?? 0,
          y: numeric(row.dA) ?? 0,
          mark: row.trial === trial ? (MARKS[0] ?? REST) : OTHERS,
          hollow: numeric(row.dp) === 0,
        }))}
      />
      <Note>
        n = {number(shown.length)} agents in {number(several)}{" "}
        {several === 1 ? "schedule" : "schedules"}. ● the chosen schedule; ■ the others; hollow: dp
        = 0, where S predicts nothing.
      </Note>
    </>
  );
}

/** From the least to the most of some values and 0, with some room. */
function padded(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = 0.06 * (high - low || 1);
  return [low - room, high + room];
}

/** How well each predictor ranks agents, over the schedules of a condition. */
function Verdict({ head, same }: { head: Head; same: (row: Row) => boolean }) {
  const ranks = rows(head.frames.ranks).filter(same);
  const [first] = ranks;
  if (!first) return null;
  const own = ranks.find((row) => row.predictor === "S") ?? first;
  const each = (name: string): Valued[] =>
    ranks.map((row) => ({
      name: row.predictor === "out_degree" ? "degree" : String(row.predictor),
      value: numeric(row[name]),
      low: numeric(row[`${name}_low`]),
      high: numeric(row[`${name}_high`]),
      n: numeric(row[`${name}_n`]),
    }));
  const chance = numeric(own.chance);
  const schedules = numeric(own.schedules) ?? 0;
  return (
    <>
      <p>
        Within schedule and equal dp, pooled over n = {number(schedules)}{" "}
        {schedules === 1 ? "schedule" : "schedules"}: the rank correlation of S and dA is{" "}
        <b>{number(numeric(own.within))}</b> (permutation p = {number(numeric(own.within_p), 3)},
        Kendall's tau {number(numeric(own.within_tau))}); of all agents{" "}
        {number(numeric(own.overall))} (p = {number(numeric(own.overall_p), 3)}).
      </p>
      <Dots
        caption="Mean rank correlation with dA over schedules, within equal dp (95 % interval)"
        rows={each("each")}
        range={[-1, 1]}
        reference={0}
      />
      <Dots
        caption={`Hits: the agent ranked first is the one whose patch does most; dashed: chance, ${number(chance)}`}
        rows={each("hits")}
        range={[0, 1]}
        reference={chance}
      />
      {(numeric(own.undecided) ?? 0) > 0 && (
        <Note>
          {number(numeric(own.undecided))} of {number(schedules)} schedules are left out of the
          hits: all patches do the same there.
        </Note>
      )}
    </>
  );
}

function Contests({ head, name }: { head: Head; name: string }) {
  const frame = head.frames.contests;
  if (!frame) return null;
  return (
    <>
      <Table caption={name + frame.title} columns={frame.columns} rows={frame.rows} />
      <Note>{visible(frame.note)}</Note>
    </>
  );
}

const view: View = {
  name: "attribution",
  title: "Attribution",
  question: "Does predicted influence S foretell dA, what patching an agent does?",
  of: "run",
  needs: (head) =>
    head.frames.attribution
      ? null
      : "The run does not hold a patch of every agent of a trial and isolated probes of its evidence.",
  Component: Attribution,
};

export default view;
