/**
 * How early what one seat knows can reach the others, from who gets a step's output and which kinds
 * of steps read it: the same numbers as socialcircuits.interventions.attribution (Flag Game,
 * Appendix F). How long memories are is not looked at: arrival is an opportunity, not an effect.
 */

import type { Steps, Trial } from "../data/types";

export interface Arrivals {
  /** Source by reader: the time of arrival; 0 for the source itself, -1 where not reached. */
  times: Int32Array;
  /** Source by reader: the step in which it is first said to the reader; -1 where there is none. */
  steps: Int32Array;
  /** Step -> the time at which it has been said to others; 0 where nobody else gets it. */
  clock: Int32Array;
}

/** Whether a step may read an earlier one that its seat got: as steps of its purpose do. */
function reader({ purpose, round, reads }: Steps): (index: number, source: number) => boolean {
  const names = [...new Set(purpose)];
  const kinds = purpose.map((name) => names.indexOf(name));
  const pair = (index: number, source: number) =>
    (kinds[index] ?? 0) * names.length + (kinds[source] ?? 0);
  const back = (index: number, source: number) => (round[index] ?? 0) - (round[source] ?? 0);
  const habits: [number, number][] = [];
  reads.forEach((sources, index) => {
    for (const source of sources) {
      const far = back(index, source);
      const [least, most] = habits[pair(index, source)] ?? [far, far];
      // Who reads two rounds back reads all; what lies further back gave way to newer entries.
      const bound = far > 1 ? Number.POSITIVE_INFINITY : Math.max(most, far);
      habits[pair(index, source)] = [Math.min(least, far), bound];
    }
  });
  return (index, source) => {
    const [least, most] = habits[pair(index, source)] ?? [1, 0];
    const far = back(index, source);
    return least <= far && far <= most;
  };
}

/**
 * Steps of one purpose and round that do not read each other are said at once. What an intervention
 * cut off from all its readers has been said all the same.
 */
function clock({ steps, intervention }: Trial): Int32Array {
  const { purpose, round, seat, to } = steps;
  const alike = (one: number, two: number) =>
    purpose[one] === purpose[two] && round[one] === round[two];
  const times = new Int32Array(to.length);
  const others = (index: number) => to[index]?.some((one) => one !== seat[index]);
  const aloud = new Set(purpose.filter((_, index) => others(index)));
  const inOrder = new Set(
    purpose.filter((_, index) =>
      steps.reads[index]?.some((one) => alike(one, index) && seat[one] !== seat[index]),
    ),
  );
  const edges = JSON.stringify(intervention ?? "").includes('"kind":"cut"');
  let said = 0;
  let together: number[] = [];
  purpose.forEach((name, index) => {
    if (!others(index) && !(edges && !to[index]?.length && aloud.has(name))) return;
    said += 1;
    if (inOrder.has(name) || !alike(together[0] ?? -1, index)) together = [];
    together.push(index);
    for (const one of together) times[one] = said;
  });
  return times;
}

/** Follow what each seat knows at the start through a trial. */
export function arrivals(trial: Trial): Arrivals {
  const { steps, seats } = trial;
  const n = seats.length;
  const said = clock(trial);
  const reads = reader(steps);
  const found = { times: new Int32Array(n * n).fill(-1), steps: new Int32Array(n * n).fill(-1) };
  // Who is known of, as bits; what each seat got; its own steps.
  const known = seats.map((_, seat) => 1n << BigInt(seat));
  const alone = [...known];
  const got: number[][] = seats.map(() => []);
  const own: number[][] = seats.map(() => []);
  steps.seat.forEach((seat, index) => void own[seat]?.push(index));
  seats.forEach((_, seat) => {
    found.times[seat * n + seat] = 0;
  });
  const carried: bigint[] = [];
  steps.to.forEach((to, index) => {
    if (!to.length || steps.kind[index] === "given") return;
    const seat = steps.seat[index] ?? 0;
    let held = alone[seat] ?? 0n;
    for (const source of got[seat] ?? []) if (reads(index, source)) held |= carried[source] ?? 0n;
    carried[index] = held;
    for (const other of to) {
      got[other]?.push(index);
      const fresh = held & ~(known[other] ?? 0n);
      const time = said[index];
      if (!fresh || !time || !own[other]?.some((later) => later > index && reads(later, index)))
        continue;
      known[other] = held | (known[other] ?? 0n);
      alone.forEach((bit, source) => {
        if (!(fresh & bit)) return;
        found.times[source * n + other] = time;
        found.steps[source * n + other] = index;
      });
    }
  });
  return { ...found, clock: said };
}

export interface Arrived {
  seat: number;
  time: number;
  speaker: number;
  step: number;
  round: number;
}

/** The earliest-arrival tree of a source, in order of time; seats that are not reached have no row. */
export function tree(found: Arrivals, { steps, seats }: Trial, source: number): Arrived[] {
  return seats
    .map((_, seat) => {
      const at = source * seats.length + seat;
      const step = found.steps[at] ?? -1;
      const [speaker = 0, round = 0] = [steps.seat[step], steps.round[step]];
      return { seat, time: found.times[at] ?? 0, speaker, step, round };
    })
    .filter((row) => row.step >= 0)
    .sort((a, b) => a.time - b.time || a.step - b.step || a.seat - b.seat);
}

/** D and E of a source: the mean arrival time, null where nobody is reached, and that of N over it. */
export function reach(rows: readonly Arrived[], n: number): [number | null, number] {
  const [total, inverse] = rows.reduce(
    ([sum, near], { time }) => [sum + time, near + n / time],
    [0, 0],
  );
  return [rows.length ? total / rows.length : null, inverse / Math.max(n - 1, 1)];
}
