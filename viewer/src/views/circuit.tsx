import { useMemo } from "preact/hooks";
import { called } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { arrivals, reach, tree } from "../graphs/arrival";
import { Lanes, timed } from "../graphs/lanes";
import { useArrows } from "../graphs/shown";
import { About, useSeat } from "../ui/About";
import { Behind, Note } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import { Table } from "../ui/Table";
import { visible } from "../ui/text";
import { rows, type Value } from "./rows";
import { lacking, type Shown, type View } from "./view";

function Circuit({ head, trial, second, secondTrial }: Shown) {
  const last = Math.max(trial?.cut ?? 0, secondTrial?.cut ?? 0, 1);
  const [round, go] = useRound(last);
  const seats = useMemo(() => [...(trial?.seats.keys() ?? [])], [trial]);
  const [seat, pick] = useSeat(seats);
  useArrows("agent", (by) => trial?.seats[seat + by] && pick(seat + by));
  const shown = { seat, round, pick };
  return (
    trial && (
      <>
        <Scrubber last={last} value={round} onChange={go} />
        <One head={head} trial={trial} {...shown} first />
        {second && secondTrial?.seats[seat] && (
          <>
            <h3>Beside: {visible(second.run)}</h3>
            <One head={second} trial={secondTrial} {...shown} />
          </>
        )}
      </>
    )
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

const SCORES = ["dp", "S", "dA"];

function One({ head, trial, seat, round, pick, first = false }: Props) {
  const found = useMemo(() => arrivals(trial), [trial]);
  const edges = useMemo(() => tree(found, trial, seat), [found, seat]);
  const scores = useMemo(
    () => rows(head.frames.attribution).filter((row) => row.trial === trial.number),
    [head, trial],
  );
  const listed = useMemo(
    () =>
      trial.seats.map((_, one): Value[] => {
        const others = tree(found, trial, one);
        const [D, E] = reach(others, trial.seats.length);
        const row = scores.find(({ agent }) => agent === one);
        const said = trial.steps.seat.filter((by, step) => by === one && found.clock[step]);
        const own = [called(trial, one), said.length, others.length, row?.D ?? D, row?.E ?? E];
        return scores.length ? [...own, ...SCORES.map((name) => row?.[name] ?? null)] : own;
      }),
    [found, scores],
  );
  const others = trial.seats.length - 1;
  const soon = edges.filter((edge) => edge.round <= round).length;
  const name = called(trial, seat);
  const told = `What agent ${name} knows can reach ${edges.length} of ${others} others, ${soon} of them by round ${round}`;
  return (
    <>
      <About trial={trial} />
      <p aria-live="polite">{visible(told)}.</p>
      <Lanes
        trial={trial}
        found={found}
        source={seat}
        round={round}
        label={visible(told)}
        onPick={pick}
      />
      <Note>
        A lane an agent; messages from left to right, with a mark at who says it and a smaller one
        at who reads it. Green: the earliest ways from the chosen agent
        {timed(trial.seats.length) &&
          "; at the right the number of the message on which each agent is reached"}
        . Arrival is an opportunity, not an effect.
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
        caption={`${first ? "" : `${head.run}: `}How early each agent can reach the other ${others}`}
        columns={[
          "agent",
          "messages said",
          "agents reached",
          "D",
          "E",
          ...(scores.length ? SCORES : []),
        ]}
        rows={listed}
        onOpen={pick}
        selected={seat}
      />
      <Note>
        D: mean number of the message on which the agents reached are reached. E: mean of N over it,
        N = {others + 1}; who is not reached adds nothing.
        {scores.length > 0 && " dp, S = dp E, dA: see Attribution; one trial each."}
        {trial.cut < trial.rounds && " Only rounds that ran count."}
      </Note>
    </>
  );
}

const WHY = "Nobody says anything to another.";

const view: View = {
  name: "circuit",
  title: "Circuit",
  question: "Who can reach whom, and when?",
  of: "trial",
  needs(head, trial) {
    const heard = trial?.steps.to.some((to, step) =>
      to.some((one) => one !== trial.steps.seat[step]),
    );
    return (heard ?? head.trials.rounds.some(Boolean)) ? null : lacking(head, WHY);
  },
  Component: Circuit,
};

export default view;
