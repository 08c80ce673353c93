/** Trials of two runs that share everything but what differs between the runs. */

import { called } from "../data/beliefs";
import type { Head, Json, Trial } from "../data/types";

const WITHHELD = "(withheld)";

export interface Pair {
  /** Places of the two trials in their heads. */
  places: [number, number];
  trials: [number, number];
  accuracy: [number | null, number | null];
  /** -1: the second run is less right; 1: it is more right; 0: as right, or not known. */
  flip: -1 | 0 | 1;
}

/** Trials in estimates of equal condition and seed, if the runs deal equal seeds alike. */
export function matched(first: Head, second: Head): Pair[] {
  if (!same(first.settings.seed, second.settings.seed)) return [];
  if (!same(first.settings.world, second.settings.world)) return [];
  const places = new Map(second.trials.number.map((_, at) => [name(second, at), at]));
  return first.trials.number.flatMap((number, at): Pair[] => {
    const other = places.get(name(first, at));
    if (other === undefined || first.trials.role[at] !== "estimate") return [];
    const [one, two] = [first.trials.accuracy[at] ?? null, second.trials.accuracy[other] ?? null];
    return [
      {
        places: [at, other],
        trials: [number, second.trials.number[other] ?? 0],
        accuracy: [one, two],
        flip: one === null || two === null ? 0 : (Math.sign(two - one) as -1 | 0 | 1),
      },
    ];
  });
}

function name(head: Head, at: number): string {
  const { condition, seed, role, item, truth } = head.trials;
  const settings = sorted(head.conditions[condition[at] ?? 0] ?? {});
  return JSON.stringify([settings, seed[at], role[at], item[at], truth[at]]);
}

/** A JSON value with its keys in one order. */
function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value ?? null;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Where two JSON values differ: place, the one value, the other; as JSON text, "" for none. */
export function differing(one: Json | undefined, other: Json | undefined, at = ""): string[][] {
  if (same(one, other)) return [];
  if (isTable(one) && isTable(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    return names.flatMap((name) => differing(one[name], other[name], at ? `${at}.${name}` : name));
  }
  return [[at, ...[one, other].map((value) => JSON.stringify(value) ?? "")]];
}

function isTable(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface Divergence {
  /** Whether texts were left out, since the question may not be published: then nothing is known. */
  hidden: boolean;
  /** Steps that both ran, and how many of these were answered otherwise. */
  both: number;
  otherwise: number;
  /** The first step in the order of the first trial that was answered otherwise; null for none. */
  id: string | null;
  purpose: string;
  seat: number;
  round: number;
  agent: string;
  said: [string, string];
}

/** Where two trials part. */
export function parted(first: Trial, second: Trial): Divergence {
  const places = new Map(second.steps.id.map((id, at) => [id, at]));
  const hidden = [first, second].some((trial) => trial.question === WITHHELD);
  const found: Divergence = {
    hidden,
    both: 0,
    otherwise: 0,
    id: null,
    purpose: "",
    seat: 0,
    round: 0,
    agent: "",
    said: ["", ""],
  };
  first.steps.id.forEach((id, at) => {
    const other = places.get(id);
    if (other === undefined) return;
    found.both++;
    const said: [string, string] = [words(first, at), words(second, other)];
    if (hidden || said[0] === said[1]) return;
    found.otherwise++;
    if (found.id !== null) return;
    const seat = first.steps.seat[at] ?? 0;
    Object.assign(found, {
      id,
      said,
      seat,
      purpose: first.steps.purpose[at] ?? "",
      round: first.steps.round[at] ?? 0,
      agent: called(first, seat),
    });
  });
  return found;
}

/** What a step came to: its answer, and what was said beside it. */
function words(trial: Trial, step: number): string {
  const { answer, valid, said } = trial.steps;
  const parts = [
    valid[step] ? "" : "(invalid)",
    trial.answers[answer[step] ?? -1] ?? "",
    said[step] ?? "",
  ];
  return parts.filter(Boolean).join(": ");
}
