/** Where two trials part, and along which readings that came to a step; as analyses/tracing.py. */

import type { Json, Trial } from "../data/types";

/** One step on both sides, by its place there; undefined where a side has none. */
export interface Hop {
  id: string;
  before: number | undefined;
  after: number | undefined;
  seat: number;
  round: number;
}

export interface Trace {
  /** Steps of which something else was said, or that one side has not. */
  differing: Hop[];
  /** How many steps both sides have that were asked with something else before them. */
  anew: number;
  /** Seats that see something else, or in which another mind sits. */
  changed: number[];
  /**
   * How a difference came to a step that differs: from the step back to the earliest that it read
   * and that differs, up to one that differs by itself; and why that does. Such a chain could carry
   * it; that it did is shown only by cutting it.
   */
  path(hop: Hop): { cause: string; hops: Hop[] };
}

export function trace(one: Trial, two: Trial): Trace {
  const [first, second] = [one, two].map(
    ({ steps }) => new Map(steps.id.map((id, at) => [id, at])),
  );
  const hops = new Map<string, Hop>();
  for (const { steps } of [one, two])
    steps.id.forEach((id, at) => {
      const [seat = 0, round = 0] = [steps.seat[at], steps.round[at]];
      const sides = { before: first?.get(id), after: second?.get(id) };
      if (!hops.has(id)) hops.set(id, { id, seat, round, ...sides });
    });
  const all = [...hops.values()];
  const places = new Map(all.map((hop, place) => [hop.id, place]));
  const both = ({ before, after }: Hop) => before !== undefined && after !== undefined;
  const differs = ({ before, after }: Hop) => words(one, before) !== words(two, after);
  const asked = ({ before = -1, after = -1 }: Hop) =>
    one.steps.key[before] !== two.steps.key[after];
  const delivery = ({ id }: Hop) => delivered(one, id) !== delivered(two, id);
  const otherwise = (seat: number) => one.seats[seat]?.mind !== two.seats[seat]?.mind;
  const sees = (seat: number) => shown(one, seat) !== shown(two, seat);

  /** Why a step differs whatever it reads; "" where it only read something else. */
  const cause = (hop: Hop) => {
    if (!both(hop)) return "one of the two has no such step";
    if (otherwise(hop.seat)) return "another mind sits in the seat";
    if (sees(hop.seat)) return "the seat sees other evidence";
    return asked(hop) ? "" : "the same question got another reply, or what is given differs";
  };

  /** What both read, or one alone because the other had none, and that differs: the earliest. */
  const source = ({ before, after }: Hop) => {
    const [mine, yours] = [read(one, before), read(two, after)];
    return [...new Set([...mine, ...yours])]
      .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
      .flatMap((id) => hops.get(id) ?? [])
      .find((hop) => {
        const valid = one.steps.valid[hop.before ?? -1] && two.steps.valid[hop.after ?? -1];
        const lacking = !mine.includes(hop.id) || !yours.includes(hop.id);
        return delivery(hop) || (differs(hop) && !(lacking && valid));
      });
  };

  return {
    differing: all.filter(differs),
    anew: all.filter((hop) => both(hop) && asked(hop)).length,
    changed: [...one.seats.keys()].filter((seat) => otherwise(seat) || sees(seat)),
    path(hop) {
      const chain = [hop];
      for (let now: Hop | undefined = hop; now; chain.unshift(now)) {
        const why = cause(now);
        if (why) return { cause: why, hops: chain };
        now = source(now);
        // Trials of other schedules can read in a circle.
        if (!now || chain.includes(now)) break;
        if (delivery(now))
          return { cause: "something else was delivered than was said", hops: [now, ...chain] };
      }
      return { cause: "it was told, drawn or prompted otherwise, or remembers less", hops: chain };
    },
  };
}

/** What was said in a step, answer first; "" where it was not asked. */
export function said({ steps, answers }: Trial, step = -1): string {
  const answer = answers[steps.answer[step] ?? -1] ?? (steps.valid[step] === false && "invalid");
  return [answer, steps.said[step]].filter(Boolean).join(": ");
}

function words(trial: Trial, step = -1): string {
  return JSON.stringify([trial.steps.valid[step], said(trial, step)]);
}

function shown({ seats, evidence }: Trial, seat: number): string {
  return JSON.stringify(evidence[seats[seat]?.evidence ?? -1] ?? null);
}

function read({ steps }: Trial, step = -1): string[] {
  return (steps.reads[step] ?? []).map((source) => steps.id[source] ?? "");
}

/** What an intervention delivered in place of a step; undefined where it did not. */
function delivered({ intervention }: Trial, id: string): string | undefined {
  const edits = property(intervention, "delivered");
  return JSON.stringify(property(edits, id));
}

function property(value: Json | undefined, name: string): Json | undefined {
  const plain = value && typeof value === "object" && !Array.isArray(value);
  return plain && Object.hasOwn(value, name) ? value[name] : undefined;
}
