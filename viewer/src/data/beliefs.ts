/** Who answered what in which round of a trial, and how the page orders and marks it. */

import { BLANK, MARKS, type Mark, marks, NONE, REST } from "../ui/colours";
import type { Seat, Trial } from "./types";

/** Codes of cells that hold no answer. */
export const INVALID = -1;
export const UNASKED = -2;

export interface Beliefs {
  /** Rounds, and the vote where there is one. */
  columns: { name: string; round: number }[];
  answers: readonly string[];
  truth: string;
  lure: string;
  /** Seat by seat: the place of the answer in `answers`, or a code from above. */
  cells: Int16Array;
  /** The step that says so; -1 where there is none. */
  steps: Int32Array;
}

/** What counts as the belief of a round where the readout has none of it, best first. */
const PURPOSES = ["probe", "message", "report", "decision", "guess"];
const HELD = ["TRUE", "FALSE", "neither", "ambiguous", "unjudged"];

/** The beliefs of a trial; in a chatroom what private answers hold, as they were judged. */
export function beliefs(trial: Trial): Beliefs {
  const voted = trial.readout.purpose === "vote";
  const rounds = trial.cut + 1;
  const columns = Array.from({ length: rounds }, (_, round) => ({ name: `${round}`, round }));
  if (voted) columns.push({ name: "vote", round: trial.cut });
  const size = trial.seats.length * columns.length;
  const cells = new Int16Array(size).fill(UNASKED);
  const steps = new Int32Array(size).fill(-1);
  const ranks = new Int8Array(size).fill(PURPOSES.length + 1);
  const { purpose, variant, seat, round, answer } = trial.steps;
  purpose.forEach((kind, step) => {
    const own = kind === trial.readout.purpose && variant[step] === "";
    const rank = own ? 0 : 1 + PURPOSES.indexOf(kind);
    if (!own && (rank === 0 || (kind !== "message" && variant[step] !== ""))) return;
    const column = voted && kind === "vote" ? rounds : (round[step] ?? 0);
    const at = (seat[step] ?? 0) * columns.length + column;
    const best = ranks[at] ?? 0;
    // Of isolated guesses the first counts, else what was said last in the round.
    if (column >= columns.length || rank > best || (kind === "guess" && rank === best)) return;
    ranks[at] = rank;
    steps[at] = step;
    cells[at] = answer[step] ?? INVALID;
  });
  const { answers, truth, lure } = trial;
  const found = { columns, answers, truth, lure, cells, steps };
  return Object.keys(trial.held).length > 0 ? private_(trial, found) : found;
}

function private_(trial: Trial, found: Beliefs): Beliefs {
  found.cells.fill(UNASKED);
  for (const [seat, states] of Object.entries(trial.held))
    states.slice(0, found.columns.length).forEach((state, round) => {
      found.cells[Number(seat) * found.columns.length + round] = HELD.indexOf(state);
    });
  return { ...found, answers: HELD, truth: "TRUE", lure: "FALSE" };
}

export interface Drawn {
  /** Marks by code of a cell: the six, the rest, an invalid answer, nothing asked. */
  marks: readonly Mark[];
  /** Code of each answer, by its place. */
  codes: readonly number[];
  /** For the key of the drawing. */
  key: { name: string; mark: Mark }[];
}

const CODES: readonly Mark[] = [...MARKS, REST, NONE, BLANK];
const [REST_CODE, NONE_CODE, BLANK_CODE] = [MARKS.length, MARKS.length + 1, MARKS.length + 2];

/** Which mark each answer has; beside another trial, that of the other where it has one. */
export function drawn(one: Beliefs, like: Beliefs | null = null): Drawn {
  const named = (of: Beliefs) => {
    const valid = Array.from(of.cells).filter((cell) => cell >= 0);
    return valid.map((cell) => of.answers[cell] ?? "");
  };
  const base = like?.truth === one.truth && like.lure === one.lure ? like : one;
  const found = marks(base.truth, base.lure, [...named(base), ...(like ? named(one) : [])]);
  const codes = one.answers.map((answer) => {
    const mark = found.get(answer);
    return mark ? CODES.indexOf(mark) : REST_CODE;
  });
  const own = [...found].filter(([, mark]) => mark !== REST);
  const key = own.map(([name, mark]) => ({ name: said(name, one), mark }));
  const others = found.size - own.length;
  if (others > 0)
    key.push({ name: others === 1 ? "1 other answer" : `${others} other answers`, mark: REST });
  if (one.cells.includes(INVALID)) key.push({ name: "invalid", mark: NONE });
  return { marks: CODES, codes, key };
}

function said(name: string, one: Beliefs): string {
  if (name === one.truth) return `${name} (truth)`;
  return name === one.lure ? `${name} (rival)` : name;
}

/** The cells of some seats, in that order, as codes of marks. */
export function painted(
  one: Beliefs,
  seats: readonly number[],
  codes: readonly number[],
): Uint8Array {
  const wide = one.columns.length;
  const out = new Uint8Array(seats.length * wide);
  seats.forEach((seat, row) => {
    for (let column = 0; column < wide; column++) {
      const cell = one.cells[seat * wide + column] ?? UNASKED;
      out[row * wide + column] =
        cell >= 0 ? (codes[cell] ?? REST_CODE) : cell === INVALID ? NONE_CODE : BLANK_CODE;
    }
  });
  return out;
}

export interface Group {
  name: string;
  seats: number[];
}

/** Seats with the same compatible answers together, or with the same role where that is unknown. */
export function groups(trial: Trial): Group[] {
  const found = new Map<string, Group & { order: number }>();
  trial.seats.forEach((seat, place) => {
    const fits = seat.evidence === null ? null : (trial.evidence[seat.evidence]?.fits ?? null);
    const own = fits?.map((answer) => trial.answers[answer] ?? "") ?? null;
    const name = own ? listed(own, trial) : part(seat);
    const key = own ? own.join("\n") : `role ${name}`;
    const group = found.get(key) ?? { name, seats: [], order: order(own, trial, seat) };
    group.seats.push(place);
    found.set(key, group);
  });
  return [...found.values()].sort((a, b) => a.order - b.order || b.seats.length - a.seats.length);
}

function order(fits: string[] | null, trial: Trial, seat: Seat): number {
  if (!fits) return seat.adversary ? 5 : 4;
  const [right, wrong] = [fits.includes(trial.truth), fits.includes(trial.lure)];
  return right ? (wrong ? 1 : 0) : wrong ? 2 : 3;
}

const NAMED = 2;

/** The truth and the rival first: whether evidence fits them is what groups differ in. */
function listed(answers: string[], trial: Trial): string {
  const first = [trial.truth, trial.lure].filter((answer) => answers.includes(answer));
  const named = [...new Set([...first, ...answers])].slice(0, NAMED);
  const more = answers.length - named.length;
  return named.join(", ") + (more > 0 ? ` +${more}` : "");
}

function part(seat: Seat): string {
  return seat.role || (seat.adversary ? "adversary" : "agent");
}

const NAME = 60;

/** What an agent is called: by its number, and its name and part where it has them. */
export function called(trial: Trial, place: number): string {
  const seat = trial.seats[place];
  const apart = seat?.adversary || seat?.role === "manager" || seat?.role === "monitor";
  const name = (seat?.name ?? "").slice(0, NAME);
  const words = [`${place}`, name, apart ? `(${seat?.role})` : ""];
  return words.filter(Boolean).join(" ");
}

/** How many seats hold each answer after each column, by name; and all that count. */
export function shares(trial: Trial, one: Beliefs): { counts: Map<string, number[]>; n: number } {
  const wide = one.columns.length;
  const counts = new Map<string, number[]>();
  for (const seat of trial.readout.seats)
    for (let column = 0; column < wide; column++) {
      const answer = one.answers[one.cells[seat * wide + column] ?? UNASKED];
      if (answer === undefined) continue;
      const row = counts.get(answer) ?? new Array<number>(wide).fill(0);
      row[column] = (row[column] ?? 0) + 1;
      counts.set(answer, row);
    }
  return { counts, n: trial.readout.seats.length };
}

/** What a cell says. */
export function cellText(one: Beliefs, seat: number, column: number): string {
  const cell = one.cells[seat * one.columns.length + column] ?? UNASKED;
  return one.answers[cell] ?? (cell === INVALID ? "invalid" : "not asked");
}

/** The stretches in which an agent said the same, such as "0-4 Mali, 5-40 Guinea". */
export function stretches(one: Beliefs, seat: number): { text: string; changes: number } {
  const parts: string[] = [];
  let from = 0;
  for (let column = 1; column <= one.columns.length; column++) {
    const now = cellText(one, seat, from);
    if (column < one.columns.length && cellText(one, seat, column) === now) continue;
    const [begin, end] = [one.columns[from]?.name, one.columns[column - 1]?.name];
    parts.push(`${begin === end ? begin : `${begin}-${end}`} ${now}`);
    from = column;
  }
  return { text: parts.join(", "), changes: parts.length - 1 };
}
