/** One agent at one round: what it saw, what it had read, what it answered, and its calls. */

import { useMemo, useState } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import { type Beliefs, called, cellText, type Drawn } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { type Mark, NONE, REST } from "../ui/colours";
import { Flag } from "../ui/Flag";
import { Sign } from "../ui/Marks";
import { Long } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { Sent } from "./calls";

interface Props {
  head: Head;
  trial: Trial;
  own: Beliefs;
  look: Drawn;
  seat: number;
  column: number;
  /** The step of its belief; -1 where it was not asked. */
  step: number;
}

export function Agent(props: Props) {
  const { head, trial, own, look, seat, column, step } = props;
  const [address, change] = useAddress();
  const when = own.columns[column];
  const { steps } = trial;
  const all = useMemo(() => bySeat(trial), [trial]);
  const calls = (all[seat] ?? []).filter((at) => steps.round[at] === when?.round);
  const asked = whole(address.values, "step", step);
  const called_ = asked in steps.id ? asked : step;
  return (
    <section class="agent" aria-label="The selected agent">
      <h3>
        Agent {visible(called(trial, seat))} at{" "}
        {when?.name === "vote" ? "its vote" : `round ${when?.name}`}
      </h3>
      <p class="soft">{visible(trial.seats[seat]?.mind ?? "")}</p>
      <div class="panels">
        <Seen trial={trial} seat={seat} look={look} />
        <div class="side">
          <h4>What it answered</h4>
          {step < 0 ? (
            <p>It was not asked in this round.</p>
          ) : (
            <Answered
              trial={trial}
              step={step}
              look={look}
              held={trial.held[seat] ? cellText(own, seat, column) : ""}
            />
          )}
        </div>
      </div>
      {step >= 0 && <Heard trial={trial} step={step} look={look} />}
      <Table
        caption="Its calls of this round"
        columns={["step", "answer", "valid", "why", "attempts", "tokens", "key"]}
        rows={calls.map((at) => [
          steps.id[at] ?? "",
          trial.answers[steps.answer[at] ?? -1] ?? null,
          steps.valid[at] ? "yes" : "no",
          steps.why[at] ?? "",
          steps.attempts[at] ?? 0,
          steps.tokens[at] || null,
          (steps.key[at] ?? "").slice(0, 12),
        ])}
        selected={calls.indexOf(called_)}
        onOpen={(row) => change({ step: calls[row] ?? "" }, { replace: true })}
      />
      {called_ >= 0 && <Call key={`${called_}`} head={head} trial={trial} step={called_} />}
    </section>
  );
}

function Seen({ trial, seat, look }: { trial: Trial; seat: number; look: Drawn }) {
  const place = trial.seats[seat]?.evidence ?? null;
  const piece = place === null ? undefined : trial.evidence[place];
  const rows = piece?.text.split("\n") ?? [];
  const drawable = trial.canvas && rows.every((row) => row.length === trial.canvas?.crop[0]);
  return (
    <div class="side">
      <h4>What it saw</h4>
      {!piece && <p>It has no evidence of its own.</p>}
      {piece && drawable && trial.canvas && (
        <>
          <Flag
            rows={rows}
            colours={trial.canvas.colours}
            width={150}
            label={`Its crop, ${trial.canvas.crop.join(" x ")} cells: ${rows.join(" / ")}`}
          />
          {piece.position && (
            <p class="soft">
              Cut at {piece.position.join(", ")} of {trial.canvas.rows[0]?.length} x{" "}
              {trial.canvas.rows.length} cells
            </p>
          )}
        </>
      )}
      {piece && piece.text === trial.question && <p>The question alone.</p>}
      {piece && !drawable && piece.text !== trial.question && <Long text={piece.text} />}
      {piece?.fits && (
        <p>
          Fits{" "}
          {piece.fits.map((answer, nth) => (
            <span key={answer}>
              {nth > 0 && ", "}
              <Answer trial={trial} answer={answer} look={look} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** The steps of each seat: a long trial has hundreds of thousands. */
function bySeat(trial: Trial): number[][] {
  const found: number[][] = trial.seats.map(() => []);
  trial.steps.seat.forEach((seat, step) => {
    found[seat]?.push(step);
  });
  return found;
}

interface AnsweredProps {
  trial: Trial;
  step: number;
  look: Drawn;
  /** What a private answer was judged to hold; "" where answers are taken by their words. */
  held: string;
}

function Answered({ trial, step, look, held }: AnsweredProps) {
  const { answer, valid, why, said, attempts } = trial.steps;
  const name = trial.answers[answer[step] ?? -1];
  return (
    <>
      {held && (
        <p>
          Judged to hold <b>{visible(held)}</b>.
        </p>
      )}
      <p>
        {valid[step] && (answer[step] ?? -1) < 0 ? (
          "no answer that could be read from its words"
        ) : (
          <Answer trial={trial} answer={answer[step] ?? -1} look={look} />
        )}
        {!valid[step] && `: ${visible(why[step] ?? "")}`}
        {(attempts[step] ?? 0) > 1 && `, at attempt ${attempts[step]}`}
      </p>
      {said[step] && said[step] !== name && <Long text={said[step] ?? ""} />}
    </>
  );
}

/** An answer with its mark; -1 is an invalid one. */
export function Answer({ trial, answer, look }: { trial: Trial; answer: number; look: Drawn }) {
  const name = trial.answers[answer];
  return (
    <span class="answer">
      <Sign mark={name === undefined ? NONE : markOf(name, trial, answer, look)} />{" "}
      {name === undefined ? "invalid" : <Long text={name} most={160} />}
    </span>
  );
}

function markOf(name: string, trial: Trial, answer: number, look: Drawn): Mark {
  // In a chatroom the codes are those of what is held, not of the words.
  if (Object.keys(trial.held).length > 0)
    return (
      (name === trial.truth ? look.marks[0] : name === trial.lure ? look.marks[1] : null) ?? REST
    );
  return look.marks[look.codes[answer] ?? -1] ?? REST;
}

const SHOWN = 12;

function Heard({ trial, step, look }: { trial: Trial; step: number; look: Drawn }) {
  const { steps } = trial;
  const reads = steps.reads[step] ?? [];
  const [all, show] = useState(false);
  const shown = all ? reads : reads.slice(-SHOWN);
  return (
    <div class="heard">
      <h4>
        What it had read before: {number(reads.length)} {reads.length === 1 ? "entry" : "entries"}
      </h4>
      {shown.length < reads.length && (
        <button type="button" onClick={() => show(true)}>
          show the {number(reads.length - shown.length)} earlier ones
        </button>
      )}
      <ol>
        {shown.map((at) => (
          <li key={at}>
            <span class="soft">
              round {steps.round[at]}, {how(trial, at, steps.seat[step] ?? 0)}
            </span>{" "}
            {(steps.answer[at] ?? -1) >= 0 && (
              <Answer trial={trial} answer={steps.answer[at] ?? -1} look={look} />
            )}{" "}
            {steps.said[at] && <Long text={steps.said[at] ?? ""} most={300} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Who said it, and how it was delivered. */
function how(trial: Trial, at: number, reader: number): string {
  const from = trial.steps.seat[at] ?? 0;
  const kind = `${trial.steps.purpose[at]}${trial.steps.kind[at] === "given" ? " (given)" : ""}`;
  const others = (trial.steps.to[at] ?? []).filter((seat) => seat !== from && seat !== reader);
  if (from === reader) return `its own ${kind}`;
  const to = others.length === 0 ? "to it alone" : `to it and ${others.length} more`;
  return `${kind} of agent ${visible(called(trial, from))}, ${to}`;
}

function Call({ head, trial, step }: { head: Head; trial: Trial; step: number }) {
  const { steps } = trial;
  const labels = trial.labels.filter((label) => label.step === step);
  return (
    <div class="call">
      <h4>Call {visible(steps.id[step] ?? "")}</h4>
      <p>
        {visible(steps.kind[step] ?? "")}, {number(steps.attempts[step])}{" "}
        {steps.attempts[step] === 1 ? "attempt" : "attempts"}
        {(steps.tokens[step] ?? 0) > 0 && `, ${number(steps.tokens[step])} tokens`}
        {head.costUsd > 0 && `, ${number(steps.costUsd[step], 4)} USD`}
        {steps.key[step] && (
          <>
            , key <code>{visible(steps.key[step] ?? "")}</code>
          </>
        )}
      </p>
      {labels.map((label, nth) => (
        <p key={nth}>
          <span class="tag">{visible(label.rubric)}</span> {visible(JSON.stringify(label.value))} by{" "}
          {visible(label.judge)}
          {(label.reason || label.why) && `: ${visible(label.reason || label.why)}`}
        </p>
      ))}
      {steps.key[step] && <Sent head={head} trial={trial} step={step} />}
    </div>
  );
}
