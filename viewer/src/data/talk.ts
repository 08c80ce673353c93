/** The talk of a trial as rows: one an agent and round, what was public beside what was private. */

import type { Label, Trial } from "./types";

export interface Row {
  round: number;
  seat: number;
  public: number[];
  private: number[];
}

/** Whether others than the speaker's own side can read it. */
function isPublic(trial: Trial, step: number): boolean {
  const purpose = trial.steps.purpose[step];
  if (purpose === "chat" || purpose === "probe") return false;
  const seat = trial.steps.seat[step];
  return (trial.steps.to[step] ?? []).some((reader) => reader !== seat);
}

/** The rows in the order in which agents first said something in their round. */
export function talk(trial: Trial): Row[] {
  const found = new Map<string, Row>();
  const { seat, round } = trial.steps;
  seat.forEach((one, step) => {
    const when = round[step] ?? 0;
    const key = `${when}.${one}`;
    const row = found.get(key) ?? { round: when, seat: one, public: [], private: [] };
    (isPublic(trial, step) ? row.public : row.private).push(step);
    found.set(key, row);
  });
  return [...found.values()].sort((a, b) => a.round - b.round);
}

export interface Wanted {
  /** "" for all. */
  seat: string;
  round: string;
  purpose: string;
  words: string;
}

/** The rows that a reader asks for, with the steps of the purpose only. */
export function chosen(trial: Trial, rows: readonly Row[], wanted: Wanted): Row[] {
  const words = wanted.words.toLowerCase();
  const kept = (step: number) =>
    (!wanted.purpose || trial.steps.purpose[step] === wanted.purpose) &&
    (!words || text(trial, step).toLowerCase().includes(words));
  return rows
    .filter((row) => !wanted.seat || `${row.seat}` === wanted.seat)
    .filter((row) => !wanted.round || `${row.round}` === wanted.round)
    .map((row) => ({
      ...row,
      public: row.public.filter(kept),
      private: row.private.filter(kept),
    }))
    .filter((row) => row.public.length + row.private.length > 0);
}

function text(trial: Trial, step: number): string {
  const answer = trial.answers[trial.steps.answer[step] ?? -1] ?? "";
  return `${answer} ${trial.steps.said[step] ?? ""}`;
}

/** The labels of each step. */
export function labelled(trial: Trial): Map<number, Label[]> {
  const found = new Map<number, Label[]>();
  for (const label of trial.labels)
    found.set(label.step, [...(found.get(label.step) ?? []), label]);
  return found;
}

/** What a label says, in few words. */
export function value(label: Label): string {
  const said = label.value;
  if (said === null) return `none (${label.why})`;
  if (typeof said !== "object") return String(said);
  const parts = Array.isArray(said) ? said : Object.values(said);
  const words = parts.flatMap((part) => (Array.isArray(part) ? part : [part]));
  const short = words.map((word) => (typeof word === "object" ? JSON.stringify(word) : `${word}`));
  return short.join(", ") || "none";
}
