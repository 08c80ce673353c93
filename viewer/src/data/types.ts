/**
 * What the page is given. Python writes these shapes (socialcircuits/viewer/chunks.py); nothing here
 * is computed twice: estimates, intervals and tests come from Python, the page draws them.
 *
 * Two kinds of chunk, each gzipped JSON in base64: one head a run, one chunk a trial. Columns stand
 * for rows wherever there are many: a table is `{ name: [values] }`.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Swept settings of a condition. */
export type Condition = Record<string, string | number | boolean>;

/** A table of Python's: every column has as many values as the others. */
export interface Frame {
  title: string;
  /** What a row is, which interval, what is left out: stands under the table. */
  note: string;
  columns: string[];
  rows: (string | number | boolean | null)[][];
}

/** One number of the report: where it stands, and the trials that it rests on. */
export interface Printed {
  id: string;
  /** Title of the part of the report; "" at its head. */
  section: string;
  /** What its row is about; "" in a line. */
  row: string;
  name: string;
  text: string;
  interval: string;
  n: number | null;
  unit: string;
  /** The p of its test that allows for the other tests of the report; "" without. */
  adjusted: string;
  trials: number[];
  /** Where it is seen, the best first: views as addresses name them, not all of which apply. */
  views: string[];
}

export type World = "flags" | "questions" | "claims" | string;

export interface Head {
  format: 1;
  /** File name of the run, the key of its trials. */
  run: string;
  /** Name of the run file as a shell reads it. */
  file: string;
  study: string;
  about: string;
  /** What kind of agents sat in the seats; stands on every view. */
  label: string;
  simulated: boolean;
  world: World;
  protocols: string[];
  digests: { run: string; labels: string; public: string };
  /** Whether trials are still to come. */
  unfinished: boolean;
  counts: Record<string, number>;
  costUsd: number;
  settings: Record<string, Json>;
  axes: string[];
  conditions: Condition[];
  trials: {
    number: number[];
    condition: number[];
    seed: number[];
    role: string[];
    item: string[];
    truth: string[];
    agents: number[];
    rounds: number[];
    /** Endpoint class or "" where there is none. */
    endpoint: string[];
    accuracy: (number | null)[];
    rival: (number | null)[];
    calls: number[];
    invalid: number[];
  };
  failures: { number: number; why: string }[];
  /** Thresholds of the endpoint classes, as measures hold them. */
  thresholds: Record<string, number>;
  /** Tables of Python's analyses by name, such as estimates, trends, curves, hazard. */
  frames: Record<string, Frame>;
  printed: Printed[];
  /** What agents were told: groups and differences (analyses.parity as JSON). */
  parity: Json;
  judges: string[];
}

export interface Seat {
  key: string;
  role: string;
  name: string;
  mind: string;
  adversary: boolean;
  /** Index into `evidence`; null without any. */
  evidence: number | null;
}

export interface Evidence {
  /** The crop as rows of colour letters, or the text that was shown. */
  text: string;
  position: number[] | null;
  /** Indexes of the answers that it fits; null where that is not known. */
  fits: number[] | null;
}

/** Columns of the steps of a trial, in graph order. */
export interface Steps {
  id: string[];
  purpose: string[];
  variant: string[];
  kind: string[];
  seat: number[];
  round: number[];
  /** Seats that the step's output is delivered to. */
  to: number[][];
  /** Steps that it read, by index: what was in its context. */
  reads: number[][];
  /** Index into `answers`; -1 where it has none. */
  answer: number[];
  valid: boolean[];
  why: string[];
  said: string[];
  attempts: number[];
  key: string[];
  tokens: number[];
  /** Of all its attempts. */
  costUsd: number[];
}

export interface Label {
  step: number;
  rubric: string;
  judge: string;
  pass: number;
  value: Json;
  reason: string;
  quote: string;
  why: string;
}

export interface Trial {
  number: number;
  seed: number;
  role: string;
  condition: Condition;
  protocol: string;
  item: string;
  question: string;
  truth: string;
  lure: string;
  answers: string[];
  seats: Seat[];
  evidence: Evidence[];
  /** The whole flag as rows of colour letters, and the colour of each letter; null elsewhere. */
  canvas: { rows: string[]; colours: Record<string, string>; crop: [number, number] } | null;
  rounds: number;
  /** The last round that ran. */
  cut: number;
  endpoint: string;
  accuracy: number | null;
  readout: { purpose: string; seats: number[] };
  steps: Steps;
  labels: Label[];
  /** Seat -> private label after each round, where judged (chatrooms). */
  held: Record<string, string[]>;
  intervention: Json;
  digest: string;
}

/** A prompt as it was sent, asked for one call at a time (server only, or kept in an export). */
export interface Prompt {
  key: string;
  segments: { role: string; text: string }[];
  attempts: Attempt[];
}

/** A reply as it came, and what it took. */
export interface Attempt {
  text: string;
  valid: boolean;
  why: string;
  /** Tokens; null where the server did not say. */
  prompt: number | null;
  completion: number | null;
  costUsd: number;
}

/** Where chunks come from: script blocks of the page itself, or the server on this machine. */
export interface Source {
  heads(): Promise<Head[]>;
  trial(run: string, number: number): Promise<Trial>;
  /** null where prompts are not at hand. */
  prompt(run: string, trial: number, step: number): Promise<Prompt | null>;
}
