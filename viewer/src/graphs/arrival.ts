/**
 * How early what one seat knows can reach the others, from who gets a step's output and what kinds
 * of steps read it: the same numbers as socialcircuits.interventions.attribution (Flag Game,
 * Appendix F). How long memories are is not looked at: arrival is an opportunity, not an effect.
 */

import type { Steps, Trial } from "../data/types";

export interface Arrivals {
  seats: number;
  /** Source by reader: the time of arrival; 0 for the source itself, -1 where not reached. */
  times: Int32Array;
  /** Source by reader: the step in which it is first said to the reader; -1 where there is none. */
  steps: Int32Array;
  /** Step -> the time at which it has been said to others; 0 where nobody else gets it. */
  clock: Int32Array;
}

export interface Reach {
  /** D, over the seats that are reached; null where none is. */
  mean: number | null;
  /** E, the mean of N over the arrival time; a seat that is not reached adds nothing. */
  closeness: number;
  reached: number;
  said: number;
}

/** Which purposes steps of a purpose read, and how many rounds back: [least, most]. */
type Habits = Map<string, Map<string, [number, number]>>;

function habits(steps: Steps): Habits {
  const found: Habits = new Map();
  steps.reads.forEach((sources, index) => {
    const reader = steps.purpose[index] ?? "";
    const known = found.get(reader) ?? new Map<string, [number, number]>();
    found.set(reader, known);
    for (const source of sources) {
      const purpose = steps.purpose[source] ?? "";
      const back = (steps.round[index] ?? 0) - (steps.round[source] ?? 0);
      const [least, most] = known.get(purpose) ?? [back, back];
      known.set(purpose, [Math.min(least, back), Math.max(most, back)]);
    }
  });
  // Who reads two rounds back reads all rounds; what lies further back gave way to newer entries.
  for (const known of found.values())
    for (const span of known.values()) if (span[1] > 1) span[1] = Number.POSITIVE_INFINITY;
  return found;
}

/** Whether a step may read an earlier one that its seat got. */
function reader(steps: Steps): (index: number, source: number) => boolean {
  const known = habits(steps);
  return (index, source) => {
    const span = known.get(steps.purpose[index] ?? "")?.get(steps.purpose[source] ?? "");
    const back = (steps.round[index] ?? 0) - (steps.round[source] ?? 0);
    return span !== undefined && span[0] <= back && back <= span[1];
  };
}

/** Steps of one purpose and round that do not read each other are said at once. */
export function clock(steps: Steps): Int32Array {
  const times = new Int32Array(steps.id.length);
  const inOrder = new Set<string>();
  steps.reads.forEach((sources, index) => {
    for (const source of sources)
      if (
        steps.purpose[source] === steps.purpose[index] &&
        steps.round[source] === steps.round[index] &&
        steps.seat[source] !== steps.seat[index]
      )
        inOrder.add(steps.purpose[index] ?? "");
  });
  let [said, together]: [number, number[]] = [0, []];
  steps.to.forEach((to, index) => {
    if (!to.some((seat) => seat !== steps.seat[index])) return;
    said += 1;
    const first = together[0];
    const joins =
      first !== undefined &&
      steps.purpose[first] === steps.purpose[index] &&
      steps.round[first] === steps.round[index] &&
      !inOrder.has(steps.purpose[index] ?? "");
    together = joins ? [...together, index] : [index];
    for (const one of together) times[one] = said;
  });
  return times;
}

/** Follow what each seat knows at the start through a trial. */
export function arrivals({ steps, seats: { length: seats } }: Trial): Arrivals {
  const times = clock(steps);
  const reads = reader(steps);
  const arrived = new Int32Array(seats * seats).fill(-1);
  const by = new Int32Array(seats * seats).fill(-1);
  const words = Math.ceil(seats / 32);
  const known = Array.from({ length: seats }, (_, seat) => only(seat, words));
  for (let seat = 0; seat < seats; seat++) arrived[seat * seats + seat] = 0;
  const own: number[][] = Array.from({ length: seats }, () => []);
  steps.seat.forEach((seat, index) => void own[seat]?.push(index));
  const got: number[][] = Array.from({ length: seats }, () => []);
  const carried: (Uint32Array | undefined)[] = [];
  const readLater = (source: number, seat: number) => {
    const later = own[seat] ?? [];
    for (let at = later.length - 1; at >= 0 && (later[at] ?? 0) > source; at--)
      if (reads(later[at] ?? 0, source)) return true;
    return false;
  };
  steps.to.forEach((to, index) => {
    if (!to.length || steps.kind[index] === "given") return;
    const seat = steps.seat[index] ?? 0;
    const held = only(seat, words);
    for (const source of got[seat] ?? []) if (reads(index, source)) join(held, carried[source]);
    carried[index] = held;
    for (const other of to) {
      got[other]?.push(index);
      const knows = known[other];
      if (!knows || !times[index] || !adds(held, knows) || !readLater(index, other)) continue;
      for (let source = 0; source < seats; source++) {
        if (!has(held, source) || has(knows, source)) continue;
        arrived[source * seats + other] = times[index] ?? 0;
        by[source * seats + other] = index;
      }
      join(knows, held);
    }
  });
  return { seats, times: arrived, steps: by, clock: times };
}

function only(seat: number, words: number): Uint32Array {
  const bits = new Uint32Array(words);
  bits[seat >> 5] = 1 << (seat & 31);
  return bits;
}

function has(bits: Uint32Array, seat: number): boolean {
  return ((bits[seat >> 5] ?? 0) & (1 << (seat & 31))) !== 0;
}

function join(bits: Uint32Array, more: Uint32Array | undefined): void {
  more?.forEach((word, place) => {
    bits[place] = (bits[place] ?? 0) | word;
  });
}

function adds(bits: Uint32Array, known: Uint32Array): boolean {
  return bits.some((word, place) => (word & ~(known[place] ?? 0)) !== 0);
}

/** D and E of a source. */
export function reach(found: Arrivals, steps: Steps, source: number): Reach {
  const { seats } = found;
  const row = found.times.subarray(source * seats, (source + 1) * seats);
  const arrives = [...row].filter((time) => time > 0).sort((a, b) => a - b);
  const total = arrives.reduce((sum, time) => sum + time, 0);
  const inverse = arrives.reduce((sum, time) => sum + seats / time, 0);
  return {
    mean: arrives.length ? total / arrives.length : null,
    closeness: inverse / Math.max(seats - 1, 1),
    reached: arrives.length,
    said: steps.seat.filter((seat, index) => seat === source && found.clock[index]).length,
  };
}

export interface Arrived {
  seat: number;
  time: number;
  speaker: number;
  step: number;
  round: number;
}

/** The earliest-arrival tree of a source, in order of time; seats that are not reached have no row. */
export function tree(found: Arrivals, steps: Steps, source: number): Arrived[] {
  const rows: Arrived[] = [];
  for (let seat = 0; seat < found.seats; seat++) {
    const step = found.steps[source * found.seats + seat] ?? -1;
    if (step < 0) continue;
    const time = found.times[source * found.seats + seat] ?? 0;
    rows.push({ seat, time, step, speaker: steps.seat[step] ?? 0, round: steps.round[step] ?? 0 });
  }
  return rows.sort((a, b) => a.time - b.time || a.step - b.step || a.seat - b.seat);
}
