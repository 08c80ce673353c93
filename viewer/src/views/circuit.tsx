import { useMemo } from "preact/hooks";
import { called } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { type Arrivals, arrivals, reach, tree } from "../graphs/arrival";
import { Lanes } from "../graphs/lanes";
import { About, useSeat } from "../ui/About";
import { useKeys } from "../ui/keys";
import { Behind, Note } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import { Table, type Value } from "../ui/Table";
import { number, visible } from "../ui/text";
import { numeric, type Row, rows } from "./rows";
import type { Shown, View } from "./view";

function Circuit({ head, trial, second, secondTrial }: Shown) {
  const last = Math.max(trial?.cut ?? 0, secondTrial?.cut ?? 0, 1);
  const [round, go] = useRound(last);
  const seats = useMemo(() => trial?.seats.map((_, seat) => seat) ?? [], [trial]);
  const [seat, pick] = useSeat(seats);
  useKeys([
    { key: "ArrowUp", does: "agent above", run: () => seat > 0 && pick(seat - 1) },
    { key: "ArrowDown", does: "agent below", run: () => seat + 1 < seats.length && pick(seat + 1) },
  ]);
  if (!trial) return null;
  return (
    <>
      <Scrubber last={last} value={round} onChange={go} />
      <One head={head} trial={trial} seat={seat} round={round} pick={pick} first />
      {second && secondTrial && seat < secondTrial.seats.length && (
        <section aria-label={visible(second.run)}>
          <h3>Beside: {visible(second.run)}</h3>
          <One head={second} trial={secondTrial} seat={seat} round={round} pick={pick} />
        </section>
      )}
    </>
  );
}

interface Props {
  head: Head;
  trial: Trial;
  seat: number;
  round: number;
  pick: (seat: number) => void;
  first?: boolean;
}

function One({ head, trial, seat, round, pick, first = false }: Props) {
  const found = useMemo(() => arrivals(trial), [trial]);
  const edges = useMemo(() => tree(found, trial.steps, seat), [found, trial, seat]);
  const scores = useMemo(
    () => rows(head.frames.attribution).filter((row) => row.trial === trial.number),
    [head, trial],
  );
  const listed = useMemo(() => agents(trial, found, scores), [trial, found, scores]);
  const others = trial.seats.length - 1;
  const soon = edges.filter((edge) => edge.round <= round).length;
  const name = called(trial, seat);
  const said = `What agent ${name} knows can reach ${edges.length} of ${others} others, ${soon} of them by round ${round}`;
  return (
    <>
      <About trial={trial} />
      <p aria-live="polite">{visible(said)}.</p>
      <Lanes
        trial={trial}
        found={found}
        source={seat}
        round={round}
        label={`${visible(said)}; the table behind has each arrival`}
        onPick={pick}
      />
      <Note>
        A lane an agent; what is said from left to right,{" "}
        {number(found.clock.filter(Boolean).length)} messages in all, a mark at who says it and a
        smaller one at who reads it. Green: the earliest ways from agent {visible(name)}; at the
        right the number of the message on which each agent is reached. Arrival is an opportunity,
        not an effect: what memories drop is not looked at.
      </Note>
      {first && (
        <Behind
          caption={`Earliest arrivals from agent ${name}`}
          columns={["agent", "time", "speaker", "round", "message"]}
          rows={() =>
            edges.map((edge) => [
              called(trial, edge.seat),
              edge.time,
              called(trial, edge.speaker),
              edge.round,
              trial.steps.id[edge.step] ?? "",
            ])
          }
          version={`${head.run} ${trial.number} ${seat}`}
          onOpen={(row) => pick(edges[row]?.seat ?? seat)}
        />
      )}
      <Table
        caption={`${first ? "" : `${head.run}: `}How early each agent can reach the other ${others}; choose one for its tree`}
        columns={scores.length ? [...COLUMNS, "dp", "S", "dA"] : COLUMNS}
        rows={listed}
        onOpen={pick}
        selected={seat}
      />
      <Note>
        D: mean arrival time, in messages, over the agents that are reached. E: mean of N over the
        arrival time, N = {number(trial.seats.length)}, an agent that is not reached adding nothing.{" "}
        {scores.length
          ? "dp, S = dp E and dA: from the patches of this trial, one trial each."
          : "Counted from the messages of this trial; dp, S and dA need a patch of every agent."}
        {trial.cut < trial.rounds && " The rounds that ran count alone."}
      </Note>
    </>
  );
}

const COLUMNS = ["agent", "messages said", "agents reached", "D", "E"];

function agents(trial: Trial, found: Arrivals, scores: readonly Row[]): Value[][] {
  return trial.seats.map((_, seat) => {
    const { mean, closeness, reached, said } = reach(found, trial.steps, seat);
    const row = scores.find((one) => one.agent === seat);
    const own = [called(trial, seat), said, reached];
    if (!scores.length) return [...own, mean, closeness];
    const [D, E] = row ? [numeric(row.D), numeric(row.E)] : [mean, closeness];
    return [...own, D, E, numeric(row?.dp), numeric(row?.S), numeric(row?.dA)];
  });
}

const view: View = {
  name: "circuit",
  title: "Circuit",
  question: "Who can reach whom, and when?",
  of: "trial",
  needs(head, trial) {
    const why = "Nobody says anything to another.";
    if (trial) {
      const { to, seat } = trial.steps;
      return to.some((readers, step) => readers.some((one) => one !== seat[step])) ? null : why;
    }
    return head.trials.rounds.some((rounds) => rounds > 0) ? null : why;
  },
  Component: Circuit,
};

export default view;
