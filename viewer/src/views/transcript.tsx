import { useEffect, useMemo, useState } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { beliefs, called, type Drawn, drawn } from "../data/beliefs";
import { chosen, labelled, type Row, talk, value } from "../data/talk";
import type { Label, Trial } from "../data/types";
import { About } from "../ui/About";
import { useKeys } from "../ui/keys";
import { Behind, Long, Note, Select } from "../ui/parts";
import { number, visible } from "../ui/text";
import { Windowed } from "../ui/Windowed";
import { Answer } from "./agent";
import type { Shown, View } from "./view";

function Transcript({ trial }: Shown) {
  return trial && <Talk trial={trial} />;
}

const HEIGHT = 640;

function Talk({ trial }: { trial: Trial }) {
  const [address, change] = useAddress();
  const { seat = "", talkround = "", purpose = "", q = "", row = "" } = address.values;
  const rows = useMemo(() => talk(trial), [trial]);
  const look = useMemo(() => drawn(beliefs(trial)), [trial]);
  const labels = useMemo(() => labelled(trial), [trial]);
  const shown = useMemo(
    () => chosen(trial, rows, { seat, round: talkround, purpose, words: q }),
    [trial, rows, seat, talkround, purpose, q],
  );
  const at = shown.findIndex((one) => named(one) === row);
  const go = (to: number) => {
    const next = shown[to];
    if (next) change({ row: named(next) }, { replace: true });
  };
  useKeys([
    { key: "j", does: "next row of the talk", run: () => go(at + 1) },
    { key: "k", does: "row before", run: () => go(at - 1) },
    { key: "/", does: "search", run: () => document.getElementById("words")?.focus() },
    {
      key: "Enter",
      does: "open the agent of the row",
      run: () => {
        const one = shown[at];
        if (one) change({ seat: one.seat, round: one.round, step: "" }, { view: "trial" });
      },
    },
  ]);
  return (
    <>
      <About trial={trial} />
      <Filters trial={trial} />
      <p class="soft" role="status">
        {number(shown.length)} of {number(rows.length)} rows
      </p>
      <div class="talkheads" aria-hidden="true">
        <span>who</span>
        <span>said in public</span>
        <span>kept private</span>
      </div>
      <Windowed
        label="The talk, row by row"
        count={shown.length}
        guess={70}
        height={HEIGHT}
        at={at}
        version={`${trial.number} ${seat} ${talkround} ${purpose} ${q}`}
        row={(place) => {
          const one = shown[place];
          if (!one) return null;
          const to = link(address, "trial", { seat: one.seat, round: one.round, step: "" });
          return (
            <article class={place === at ? "talk now" : "talk"}>
              <h3>
                <a href={to}>{visible(called(trial, one.seat))}</a>
                <span class="soft"> round {one.round}</span>
              </h3>
              <Steps name="public" steps={one.public} {...{ trial, labels, look, q }} />
              <Steps name="private" steps={one.private} {...{ trial, labels, look, q }} />
            </article>
          );
        }}
      />
      <Note>
        Private: probes, isolated guesses, reflections, plans, votes and what the coalition says
        among itself. Labels are a judge's; the words that it quotes are marked.
      </Note>
      <Behind
        caption="All steps of the talk"
        columns={["round", "agent", "purpose", "public", "answer", "valid", "said", "labels"]}
        rows={() => shown.flatMap((one) => flat(trial, one, labels))}
        version={`${trial.number} ${seat} ${talkround} ${purpose} ${q}`}
      />
    </>
  );
}

function named(row: Row): string {
  return `${row.round}.${row.seat}`;
}

function Filters({ trial }: { trial: Trial }) {
  const [address, change] = useAddress();
  const { seat = "", talkround = "", purpose = "", q = "" } = address.values;
  const [words, type] = useState(q);
  useEffect(() => type(q), [q]);
  useEffect(() => {
    const later = setTimeout(() => words !== q && change({ q: words }, { replace: true }), 150);
    return () => clearTimeout(later);
  }, [words]);
  const set = (name: string) => (to: string) => change({ [name]: to }, { replace: true });
  const seats = trial.seats.map((_, place) => [`${place}`, called(trial, place)] as const);
  const rounds = [...new Set(trial.steps.round)].sort((a, b) => a - b);
  const purposes = [...new Set(trial.steps.purpose)];
  return (
    <div class="controls">
      <label class="choice">
        <span>Search</span>
        <input
          id="words"
          type="search"
          value={words}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <Select label="Agent" value={seat} options={[["", "all"], ...seats]} onChange={set("seat")} />
      <Select
        label="Round"
        value={talkround}
        options={[["", "all"], ...rounds.map((one) => [`${one}`, `${one}`] as const)]}
        onChange={set("talkround")}
      />
      <Select
        label="Purpose"
        value={purpose}
        options={[["", "all"], ...purposes.map((one) => [one, one] as const)]}
        onChange={set("purpose")}
      />
    </div>
  );
}

interface StepsProps {
  name: "public" | "private";
  steps: number[];
  trial: Trial;
  labels: ReadonlyMap<number, Label[]>;
  look: Drawn;
  q: string;
}

function Steps({ name, steps: places, trial, labels, look, q }: StepsProps) {
  const [address] = useAddress();
  const { steps } = trial;
  return (
    <div class={name}>
      <span class="visually-hidden">{name}: </span>
      {places.map((step) => {
        const own = labels.get(step) ?? [];
        const to = (steps.to[step] ?? []).filter((seat) => seat !== steps.seat[step]);
        return (
          <div key={step}>
            <span class="soft">
              <a
                href={link(address, "trial", {
                  seat: steps.seat[step] ?? 0,
                  round: steps.round[step] ?? 0,
                  step,
                })}
              >
                {visible(steps.purpose[step] ?? "")}
                {steps.variant[step] && ` (${visible(steps.variant[step] ?? "")})`}
              </a>
              {to.length === 1 && ` to ${visible(called(trial, to[0] ?? 0))}`}
            </span>{" "}
            {((steps.answer[step] ?? -1) >= 0 || !steps.valid[step]) && (
              <Answer trial={trial} answer={steps.answer[step] ?? -1} look={look} />
            )}{" "}
            {steps.said[step] && (
              <Long
                text={steps.said[step] ?? ""}
                most={700}
                marked={[q, ...own.map((label) => label.quote)]}
              />
            )}
            {own.map((label, nth) => (
              <span class="tag" key={nth} title={visible(label.reason)}>
                {visible(label.rubric.replaceAll("_", " "))}: {visible(value(label))}
              </span>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function flat(trial: Trial, row: Row, labels: ReadonlyMap<number, Label[]>) {
  const { steps } = trial;
  return [...row.public, ...row.private].map((step) => [
    row.round,
    called(trial, row.seat),
    steps.purpose[step] ?? "",
    row.public.includes(step) ? "yes" : "no",
    trial.answers[steps.answer[step] ?? -1] ?? null,
    steps.valid[step] ? "yes" : "no",
    (steps.said[step] ?? "").slice(0, 300),
    (labels.get(step) ?? []).map((label) => `${label.rubric}: ${value(label)}`).join("; "),
  ]);
}

const view: View = {
  name: "transcript",
  title: "Transcript",
  question: "What was said, and what was thought?",
  of: "trial",
  alone: true,
  needs: (head) => (head.trials.number.length === 0 ? "No trial is completed." : null),
  Component: Transcript,
};

export default view;
