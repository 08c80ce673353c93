import { useMemo } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import type { Head } from "../data/types";
import { measured, points, useArrows } from "../graphs/shown";
import { type Mark, PLAIN, REST } from "../ui/colours";
import { Bars, Dots, Multiples } from "../ui/Marks";
import { Behind, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { Curves, range } from "./curves";
import { distinct, numeric, type Row, rows, settings, words } from "./rows";
import { lacking, type Shown, type View } from "./view";

function Attribution({ head, second }: Shown) {
  return (
    <>
      <One head={head} keyed />
      {second && <h3>Beside: {visible(second.run)}</h3>}
      {second?.frames.attribution ? <One head={second} /> : second && <p>{WHY}</p>}
    </>
  );
}

function One({ head, keyed = false }: { head: Head; keyed?: boolean }) {
  const [{ values }, change] = useAddress();
  const { attribution: frame, contests } = head.frames;
  const all = useMemo(() => rows(frame), [frame]);
  const names = useMemo(() => settings(all, frame, "trial"), [all, frame]);
  const trials = distinct(all, "trial");
  const asked = whole(values, "trial", -1);
  const trial = trials.includes(asked) ? asked : trials[0];
  const here = all.filter((row) => row.trial === trial);
  const at = Math.max(
    0,
    here.findIndex((row) => `${row.agent}` === values.seat),
  );
  const pick = (next: number) => {
    const seat = here[next]?.agent;
    if (seat != null) change({ seat: Number(seat) }, { replace: true });
  };
  useArrows("agent", (by) => pick(at + by), keyed);
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
            return [`${one}`, `trial ${one}, ${words(row, [...names, "seed"])}`];
          })}
          onChange={(next) => change({ trial: next })}
        />
        <span class="soft">
          {several} schedules, {here.length} agents in this one; informative evidence{" "}
          {visible(String(here[0]?.view))}
        </span>
      </div>
      {several === 1 && (
        <p class="loud">One schedule is all there is (n = 1): it shows nothing about others.</p>
      )}
      <Multiples
        panels={PARTS.map(({ column, name, n, mark }) => ({
          name,
          body: (
            <Bars
              caption={n ? "by agent; n: probes" : "by agent; n: games"}
              rows={here.map((row, place) => ({
                name: `${row.agent}${place === at ? "\u00a0◂" : ""}`,
                value: numeric(row[column]),
                n: n ? numeric(row[n]) : 1,
                mark,
              }))}
              onOpen={pick}
            />
          ),
        }))}
      />
      <div class="panels">
        <div>
          <Points pooled={pooled} now={here[at]} />
        </div>
        <div>
          {rows(head.frames.ranks).some(same) && (
            <Verdict head={head} ranks={rows(head.frames.ranks).filter(same)} />
          )}
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
      {contests && (
        <Table
          caption={`${keyed ? "" : `${head.run}: `}${contests.title} (p not adjusted: see Numbers)`}
          columns={contests.columns}
          rows={contests.rows}
        />
      )}
      <Note>{visible([frame?.note, contests?.note].join(" "))}</Note>
    </>
  );
}

/** What stands beside each other of each agent, in one order. */
const PARTS: readonly { column: string; name: string; n: string; mark: Mark }[] = [
  { column: "dp", name: "dp: gain of the evidence alone", n: "probes", mark: PLAIN[0] ?? REST },
  { column: "S", name: "S = dp E: predicted", n: "", mark: PLAIN[1] ?? REST },
  { column: "dA", name: "dA: measured", n: "", mark: PLAIN[2] ?? REST },
];

const THIS = PLAIN[4] ?? REST;
const OTHERS = { colour: "--rest", glyph: "■" };

function Points({ pooled, now }: { pooled: readonly Row[]; now: Row | undefined }) {
  const here = (row: Row) => row.trial === now?.trial;
  // Those of the schedule in sight last, so that they lie on top.
  const shown = [...pooled].sort((a, b) => Number(here(a)) - Number(here(b)));
  const span = (name: string, label: string) => {
    const values = [0, ...shown.map((row) => numeric(row[name]) ?? 0)];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = 0.06 * (high - low || 1);
    return range(label, low - room, high + room);
  };
  return (
    <>
      <Curves
        label="S against dA of each agent"
        x={span("S", "S, predicted")}
        y={span("dA", "dA, measured")}
        selected={now && shown.indexOf(now)}
        curves={points(
          shown.map((row) => ({
            name: words(row, ["trial", "agent", "S", "dA"]),
            at: numeric(row.S) ?? 0,
            value: numeric(row.dA) ?? 0,
            mark: here(row) ? THIS : OTHERS,
            hollow: row.dp === 0,
          })),
        )}
      />
      <Note>
        n = {shown.length} agents. ● this schedule; ■ others; hollow: dp = 0, where S predicts
        nothing.
      </Note>
    </>
  );
}

/** How well each predictor ranks agents, over the schedules of a condition. */
function Verdict({ head, ranks }: { head: Head; ranks: readonly Row[] }) {
  const own = ranks.find((row) => row.predictor === "S") ?? {};
  const [rho, tau, p, overall, overallP, chance = null] = [
    "within",
    "within_tau",
    "within_p",
    "overall",
    "overall_p",
    "chance",
  ].map((name) => numeric(own[name]));
  // Of several conditions the report has a number each: which is meant cannot be told.
  const tested = (name: string) => {
    const found = head.printed.filter((one) => one.name === name);
    return found.length === 1 && found[0]?.adjusted ? `, adjusted ${found[0].adjusted}` : "";
  };
  const each = (name: string) =>
    ranks.map((row) => measured(row, String(row.predictor).replace("out_", ""), name));
  return (
    <>
      <p>
        Within schedule and equal dp, pooled over n = {own.schedules} schedules: rank correlation of
        S and dA <b>{number(rho)}</b> (permutation p = {number(p, 3)}
        {tested("influence_within")}; Kendall's tau {number(tau)}); of all agents {number(overall)}{" "}
        (p = {number(overallP, 3)}
        {tested("influence_overall")}).
      </p>
      <Dots
        caption="Mean rank correlation with dA over schedules, within equal dp (95 % interval)"
        rows={each("each")}
        range={[-1, 1]}
        reference={0}
      />
      <Dots
        caption={`Hits: who is ranked first is who does most; dashed: chance, ${number(chance)}; ${own.undecided} schedules left out, where all do the same`}
        rows={each("hits")}
        range={[0, 1]}
        reference={chance}
      />
    </>
  );
}

const WHY = "The run does not hold a patch of every agent and isolated probes of its evidence.";

const view: View = {
  name: "attribution",
  title: "Attribution",
  question: "Does predicted influence S foretell dA, what patching an agent does?",
  of: "run",
  needs: (head) => (head.frames.attribution ? null : lacking(head, WHY)),
  Component: Attribution,
};

export default view;
