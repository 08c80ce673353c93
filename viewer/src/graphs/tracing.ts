/** Where two trials part, and along which readings that came to a step; as analyses/tracing.py. */

import type { Json, Trial } from "../data/types";

/** One step on both sides, by its place there; null where a side has none. */
export interface Pair {
  id: string;
  before: number | null;
  after: number | null;
}

export interface Hop extends Pair {
  seat: number;
  round: number;
}

export interface Traced {
  /** Why the first hop differs. */
  cause: string;
  /** From where it began to the step. */
  hops: Hop[];
}

export class Trace {
  private readonly order: string[];
  private readonly places: Map<string, number>;
  private readonly first: Map<string, number>;
  private readonly second: Map<string, number>;
  /** Steps of which something else was said, or one side has none. */
  readonly differing: Hop[];
  /** How many steps both sides have that were asked with something else before them. */
  readonly anew: number;

  constructor(
    readonly before: Trial,
    readonly after: Trial,
  ) {
    this.first = new Map(before.steps.id.map((id, place) => [id, place]));
    this.second = new Map(after.steps.id.map((id, place) => [id, place]));
    this.order = [...before.steps.id, ...after.steps.id.filter((id) => !this.first.has(id))];
    this.places = new Map(this.order.map((id, place) => [id, place]));
    this.differing = this.order.filter((id) => this.differs(id)).map((id) => this.hop(id));
    this.anew = this.order.filter((id) => this.both(id) && this.asked(id)).length;
  }

  hop(id: string): Hop {
    const [before, after] = [this.first.get(id) ?? null, this.second.get(id) ?? null];
    const [trial, step] = before === null ? [this.after, after] : [this.before, before];
    const { seat, round } = trial.steps;
    return { id, before, after, seat: seat[step ?? -1] ?? 0, round: round[step ?? -1] ?? 0 };
  }

  /** How a difference came to a step that differs: from the step back to the earliest that it read
   * and that differs, up to one that differs by itself. Such a chain could carry it; that it did is
   * shown only by cutting it. */
  path(id: string): Traced {
    const hops = [this.hop(id)];
    for (;;) {
      const now = hops[0]?.id ?? id;
      const cause = this.cause(now);
      if (cause) return { cause, hops };
      const source = this.sources(now)[0];
      // Trials of other schedules can read in a circle.
      if (source === undefined || hops.some((hop) => hop.id === source))
        return {
          cause: "it was told, drawn or prompted otherwise, or its memory was changed",
          hops,
        };
      hops.unshift(this.hop(source));
      const between = this.delivery(source);
      if (between) return { cause: between, hops };
    }
  }

  private both(id: string): boolean {
    return this.first.has(id) && this.second.has(id);
  }

  private asked(id: string): boolean {
    const { before, after } = this.hop(id);
    return this.before.steps.key[before ?? -1] !== this.after.steps.key[after ?? -1];
  }

  private differs(id: string): boolean {
    return words(this.before, this.first.get(id)) !== words(this.after, this.second.get(id));
  }

  /** Why a step differs whatever it reads; "" where it only read something else. */
  private cause(id: string): string {
    if (!this.both(id)) return "one of the two has no such step";
    const { seat } = this.hop(id);
    const [one, two] = [this.before.seats[seat], this.after.seats[seat]];
    if (one?.mind !== two?.mind) return "another mind sits in the seat";
    if (shown(this.before, seat) !== shown(this.after, seat)) return "the seat sees other evidence";
    return this.asked(id) ? "" : "the same question got another reply, or what is given differs";
  }

  private delivery(id: string): string {
    const [one, two] = [delivered(this.before, id), delivered(this.after, id)];
    return one === two ? "" : "something else was delivered than was said";
  }

  /** What both read, or one alone because the other had none, and that differs; earliest first. */
  private sources(id: string): string[] {
    const { before, after } = this.hop(id);
    const [one, two] = [read(this.before, before), read(this.after, after)];
    const found = new Set([...one, ...two]);
    return [...found]
      .filter((source) => {
        const lacking = !one.has(source) || !two.has(source);
        if (this.delivery(source)) return true;
        return this.differs(source) && !(lacking && this.valid(source));
      })
      .sort((a, b) => (this.places.get(a) ?? 0) - (this.places.get(b) ?? 0));
  }

  /** Whether both sides could read a step. */
  private valid(id: string): boolean {
    const { before, after } = this.hop(id);
    const sides = [this.before.steps.valid[before ?? -1], this.after.steps.valid[after ?? -1]];
    return sides.every(Boolean);
  }
}

function words({ steps, answers }: Trial, step: number | undefined): string | null {
  if (step === undefined) return null;
  const answer = answers[steps.answer[step] ?? -1] ?? "";
  return JSON.stringify([steps.valid[step], answer, steps.said[step]]);
}

function shown({ seats, evidence }: Trial, seat: number): string {
  return JSON.stringify(evidence[seats[seat]?.evidence ?? -1] ?? null);
}

function read({ steps }: Trial, step: number | null): Set<string> {
  return new Set(steps.reads[step ?? -1]?.map((source) => steps.id[source] ?? ""));
}

function delivered({ intervention }: Trial, id: string): string {
  const edits = property(intervention, "delivered");
  const said = property(edits, id);
  return said === undefined ? "" : JSON.stringify(said);
}

function property(value: Json | undefined, name: string): Json | undefined {
  const plain = value !== null && typeof value === "object" && !Array.isArray(value);
  return plain && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** What was said in a step, answer first; "" where it was not asked. */
export function said({ steps, answers }: Trial, step: number | null): string {
  if (step === null) return "";
  const answer = answers[steps.answer[step] ?? -1] ?? (steps.valid[step] ? "" : "invalid");
  return [answer, steps.said[step]].filter(Boolean).join(": ");
}

/** Seats that see something else, or in which another mind sits. */
export function changed(before: Trial, after: Trial): number[] {
  return before.seats.flatMap((one, seat) => {
    const other = after.seats[seat];
    const same = other?.mind === one.mind && shown(before, seat) === shown(after, seat);
    return same ? [] : [seat];
  });
}
