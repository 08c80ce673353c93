/**
 * How groups end, averaged over which evidence they hold: the same sums as
 * socialcircuits.theory.outcomes, with which they agree to 1e-9. Source: Flag Game, equations 5 and
 * 8 to 13.
 *
 * Given how many agents are decided the end depends neither on how many are likely to be nor on the
 * rival share. So ends are kept, and along the share each class is a polynomial.
 */

import { at, binomial, limit, NEGLIGIBLE, stepped, VALUES } from "./ends";

export { VALUES } from "./ends";

/** The four classes, in the order of tables; the fifth value of an end is the mean truth share. */
export const CLASSES = ["correct", "wrong", "polarized", "fragmented"] as const;

/** Largest group: beyond, sums over all compositions take longer than a hand on a slider. */
export const LARGEST = 128;

/** Rounding must not choose between classes that are equally probable. */
const ROUNDING = 1e-12;

/** What ends depend on, beside the size of the group. */
export interface Dynamics {
  /** h_0, from -4 to 4; above 0 ambiguous agents take a heard truth over more readily. */
  bias: number;
  /** After so many rounds of N interactions; null as t goes to infinity. */
  rounds: number | null;
  /** Whether speaker and listener are always two agents; means something with rounds only. */
  distinct: boolean;
}

/** Place in `CLASSES` of the most probable class, the first of equals; `compared` is 3 or 4. */
export function mostLikely(values: ArrayLike<number>, compared: number, from = 0): number {
  let top = 0;
  for (let one = 0; one < compared; one++) top = Math.max(top, at(values, from + one));
  for (let one = 0; one < compared; one++) if (at(values, from + one) >= top - ROUNDING) return one;
  return 0;
}

/**
 * Ends over rival shares: five values a share, side by side. `total` is a_T + a_R, the probability
 * that an agent's evidence decides. It pauses often, so that a page can do something else between.
 */
export type Over = (shares: readonly number[], total: number) => Generator<void, Float64Array>;

/** Groups of one size under one dynamics; what was calculated for one total serves the next. */
export function groups(n: number, { bias, rounds, distinct }: Dynamics): Over {
  const side = n + 1;
  const ending = rounds === null ? limit(n, bias) : stepped(n, bias, rounds, distinct);
  // Five tables over (z_R, z_T); those with as many decided agents are filled when needed.
  const ends = new Float64Array(VALUES * side * side);
  const filled = new Uint8Array(side);
  const end = new Float64Array(VALUES);

  function* fill(decided: number): Generator<void, void> {
    if (filled[decided]) return;
    for (let rival = 0; rival <= decided; rival++) {
      ending(decided - rival, rival, end);
      for (let part = 0; part < VALUES; part++)
        ends[(part * side + rival) * side + decided - rival] = at(end, part);
      yield;
    }
    filled[decided] = 1;
  }

  return function* over(shares, total) {
    const chances = binomial(n, total);
    const tables = new Float64Array(ends.length);
    const least = chances.findIndex((chance) => chance >= NEGLIGIBLE);
    const most = chances.findLastIndex((chance) => chance >= NEGLIGIBLE);
    for (let decided = least; decided <= most; decided++) {
      let ways = at(chances, decided);
      yield* fill(decided);
      for (let rival = 0; rival <= decided; rival++) {
        for (let part = 0; part < VALUES; part++) {
          const place = (part * side + rival) * side + decided - rival;
          tables[place] = ways * (ends[place] as number);
        }
        ways *= (decided - rival) / (rival + 1);
      }
    }
    const out = new Float64Array(VALUES * shares.length);
    for (const [place, share] of shares.entries()) {
      const values = out.subarray(VALUES * place, VALUES * (place + 1));
      sum(tables, side, share, [least, most], values);
      yield;
    }
    return out;
  };
}

/** Sum each table over z_T by (1 - share)^z_T and over z_R by share^z_R. */
function sum(
  tables: Float64Array,
  side: number,
  share: number,
  [least, most]: readonly [number, number],
  out: Float64Array,
): void {
  const powers = Float64Array.from({ length: side }, (_, power) => (1 - share) ** power);
  for (let part = 0; part < VALUES; part++) {
    let whole = 0;
    for (let rival = 0; rival <= most; rival++) {
      const start = (part * side + rival) * side;
      let inner = 0;
      for (let truth = Math.max(0, least - rival); truth <= most - rival; truth++)
        inner += (tables[start + truth] as number) * (powers[truth] as number);
      whole += inner * share ** rival;
    }
    out[part] = whole;
  }
  const whole = out.subarray(0, CLASSES.length).reduce((all, value) => all + value, 0);
  for (let part = 0; part < VALUES; part++) out[part] = Math.min(1, at(out, part) / whole);
}
