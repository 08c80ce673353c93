import { useMemo } from "preact/hooks";
import {
  type Beliefs,
  beliefs,
  called,
  cellText,
  type Drawn,
  drawn,
  groups,
  painted,
  stretches,
} from "../data/beliefs";
import type { Trial } from "../data/types";
import { About, useSeat } from "../ui/About";
import { Key } from "../ui/Marks";
import { Behind } from "../ui/parts";
import { Raster } from "../ui/Raster";
import { Scrubber, useRound } from "../ui/Scrubber";
import { Agent } from "./agent";
import type { Shown, View } from "./view";

function OneTrial({ head, trial, second, secondTrial }: Shown) {
  return trial && <Both head={head} trial={trial} second={second} secondTrial={secondTrial} />;
}

function Both({ head, trial, second, secondTrial }: Shown & { trial: Trial }) {
  const own = useMemo(() => beliefs(trial), [trial]);
  const other = useMemo(() => secondTrial && beliefs(secondTrial), [secondTrial]);
  const ordered = useMemo(() => groups(trial).flatMap((group) => group.seats), [trial]);
  const look = useMemo(() => drawn(own), [own]);
  const beside = useMemo(() => other && drawn(other, own), [other, own]);
  const longest = other && other.columns.length > own.columns.length ? other : own;
  const [column, go] = useRound(longest.columns.length - 1);
  const [seat, pick] = useSeat(ordered);
  const shown = Math.min(column, own.columns.length - 1);
  const step = own.steps[seat * own.columns.length + shown] ?? -1;
  const rows = () => [
    ...described(trial, own, second ? head.run : ""),
    ...(secondTrial && other && second ? described(secondTrial, other, second.run) : []),
  ];
  const columns = ["agent", "part", "evidence fits", "answers by round", "changes", "last"];
  const heads = longest.columns.map((one) => one.name);
  return (
    <>
      <Scrubber last={longest.columns.length - 1} value={column} onChange={go} heads={heads} />
      <div class={secondTrial ? "panels" : ""}>
        <div>
          <About trial={trial} name={second ? head.run : ""} />
          <Picture
            trial={trial}
            own={own}
            look={look}
            column={shown}
            seat={seat}
            step={step}
            onPick={(next, at) => {
              pick(next);
              if (at !== column) go(at);
            }}
          />
          <Key marks={look.key} />
        </div>
        {secondTrial && other && beside && second && (
          <div>
            <About trial={secondTrial} name={second.run} />
            <Picture
              trial={secondTrial}
              own={other}
              look={beside}
              column={Math.min(column, other.columns.length - 1)}
              seat={seat < secondTrial.seats.length ? seat : null}
              step={-1}
            />
            <Key marks={beside.key} />
          </div>
        )}
      </div>
      <Behind
        caption={`What each of ${trial.seats.length} agents answered, by round`}
        columns={second ? ["run", ...columns] : columns}
        rows={rows}
        version={`${head.run} ${trial.number} ${second?.run} ${secondTrial?.number}`}
        onOpen={(row) => row < trial.seats.length && pick(row)}
      />
      <Agent
        head={head}
        trial={trial}
        own={own}
        look={look}
        seat={seat}
        column={shown}
        step={step}
      />
    </>
  );
}

interface PictureProps {
  trial: Trial;
  own: Beliefs;
  look: Drawn;
  column: number;
  seat: number | null;
  /** The step whose sources are drawn as arrows; -1 for none. */
  step: number;
  onPick?: (seat: number, column: number) => void;
}

function Picture({ trial, own, look, column, seat, step, onPick }: PictureProps) {
  const grouped = useMemo(() => groups(trial), [trial]);
  const seats = useMemo(() => grouped.flatMap((group) => group.seats), [grouped]);
  const cells = useMemo(() => painted(own, seats, look.codes), [own, seats, look]);
  const names = useMemo(() => seats.map((one) => called(trial, one)), [trial, seats]);
  const banded = useMemo(
    () => grouped.map(({ name, seats }) => ({ name, rows: seats.length })),
    [grouped],
  );
  const heads = useMemo(() => own.columns.map((one) => one.name), [own]);
  const row = seat === null ? null : seats.indexOf(seat);
  const sources = [...new Set((trial.steps.reads[step] ?? []).map((one) => trial.steps.seat[one]))];
  const from = sources.filter((one) => one !== seat).map((one) => seats.indexOf(one ?? -1));
  return (
    <Raster
      rows={seats.length}
      columns={own.columns.length}
      cells={cells}
      marks={look.marks}
      names={names}
      groups={banded}
      heads={heads}
      label={`Beliefs of ${seats.length} agents in ${own.columns.length} columns, by evidence`}
      selected={{ row, column }}
      fade
      describe={(at, when) =>
        `agent ${names[at]}, round ${heads[when]}: ${cellText(own, seats[at] ?? 0, when)}`
      }
      onPick={onPick && ((at, when) => onPick(seats[at] ?? 0, when))}
      beside={
        step < 0
          ? undefined
          : (height, middle) => (
              <svg class="arrows" width="56" height={height} role="img" aria-label="Whom it read">
                {from.map((at) => (
                  <path
                    key={at}
                    d={`M0,${middle(at)}C48,${middle(at)} 48,${middle(row ?? 0)} 8,${middle(row ?? 0)}`}
                  />
                ))}
                {from.length > 0 && <path class="tip" d={`M0,${middle(row ?? 0)}l9,-4v8Z`} />}
              </svg>
            )
      }
    />
  );
}

function described(trial: Trial, own: Beliefs, run: string) {
  return trial.seats.map((seat, place) => {
    const { text, changes } = stretches(own, place);
    const fits = seat.evidence === null ? null : trial.evidence[seat.evidence]?.fits;
    const fitting = fits?.map((answer) => trial.answers[answer]).join(", ") ?? null;
    const last = cellText(own, place, own.columns.length - 1);
    const row = [called(trial, place), seat.role, fitting, text, changes, last];
    return run ? [run, ...row] : row;
  });
}

const view: View = {
  name: "trial",
  title: "Trial",
  question: "What did each agent believe, when, and why?",
  of: "trial",
  needs: (head) => (head.trials.number.length === 0 ? "No trial is completed." : null),
  Component: OneTrial,
};

export default view;
