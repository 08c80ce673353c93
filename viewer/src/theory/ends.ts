/**
 * How one group ends, given how many of its agents are decided: (z_T, z_R) of n. Source: Flag Game,
 * equations 5, 9, 11 and 13; thresholds of its section 3.3.
 */

/** Values of an end: four classes in the order of tables, and the mean truth share. */
export const VALUES = 5;

/** States with less probability are left out of stepping; so are rare compositions. */
export const NEGLIGIBLE = 1e-14;

/** The class of each stretch of k, from no truth holder to all: places among the values. */
const IN_ORDER = [1, 3, 2, 3, 0];

/** Writes the end of (z_T, z_R). */
export type Ending = (truth: number, rival: number, end: Float64Array) => void;

/** A value that is there. Innermost loops do without: one kind of array a call is what runs fast. */
export function at(values: ArrayLike<number>, place: number): number {
  return values[place] as number;
}

/** Where the classes of k begin, and n + 1: 20 k >= 17 n and 4 k >= n in whole numbers. */
function edges(n: number): number[] {
  const top = Math.ceil((17 * n) / 20);
  const camp = Math.ceil(n / 4);
  return [0, n - top + 1, camp, n - camp + 1, top, n + 1];
}

/** Probabilities of 0 to n. Coefficients up to C(128, 64) are far from the largest number. */
export function binomial(n: number, chance: number): Float64Array {
  let ways = 1;
  return Float64Array.from({ length: n + 1 }, (_, k) => {
    const value = ways * chance ** k * (1 - chance) ** (n - k);
    ways *= (n - k) / (k + 1);
    return value;
  });
}

/** The chance that n agents without zealots end at the truth from fair starts (equation 11). */
function fairFixation(n: number, bias: number): number {
  const size = Math.abs(bias);
  if (bias === 0) return 0.5;
  const loss = Math.log1p(Math.expm1(-size) / 2);
  if (bias > 0) return Math.expm1(n * loss) / Math.expm1(-n * size);
  return (Math.exp(n * loss) * Math.expm1(-n * (size + loss))) / Math.expm1(-n * size);
}

/** Ends as t goes to infinity. Weights stay finite to n = 128 and a bias of 4 either way. */
export function limit(n: number, bias: number): Ending {
  const bounds = edges(n);
  const odds = Math.exp(bias);
  const fair = fairFixation(n, bias);
  return (truth, rival, end) => {
    end.fill(0);
    if (truth === 0 || rival === 0) {
      const chance = truth > 0 ? 1 : rival > 0 ? 0 : fair;
      end[0] = chance;
      end[1] = 1 - chance;
      end[4] = chance;
      return;
    }
    const high = n - rival;
    let weight = 1;
    let moment = 0;
    for (let part = 0, k = truth; part < IN_ORDER.length; part++) {
      const last = Math.min(high + 1, at(bounds, part + 1));
      let mass = 0;
      for (; k < last; k++) {
        mass += weight;
        moment += k * weight;
        weight *= (odds * (high - k) * k) / ((k + 1 - truth) * (n - k - 1 || 1));
      }
      end[at(IN_ORDER, part)] = at(end, at(IN_ORDER, part)) + mass;
    }
    const whole = at(end, 0) + at(end, 1) + at(end, 2) + at(end, 3);
    for (let value = 0; value < VALUES; value++) end[value] = at(end, value) / whole;
    end[4] = moment / whole / n;
  };
}

/** Ends after so many rounds of n interactions, from fair beliefs. */
export function stepped(n: number, bias: number, rounds: number, distinct: boolean): Ending {
  const bounds = edges(n);
  const pace = distinct && n > 1 ? n / (n - 1) : 1;
  const take = pace / (1 + Math.exp(-bias));
  const drop = pace / (1 + Math.exp(bias));
  const starts = Array.from({ length: n + 1 }, (_, ambiguous) => binomial(ambiguous, 0.5));
  // The law of k, and the chances that one interaction moves it or leaves it.
  const [law, up, down, stay] = [0, 0, 0, 0].map(() => new Float64Array(n + 2)) as Laws;

  /** Carry the law forward (equation 9) on the states from `least` to `most`. */
  function advance(least: number, most: number): void {
    let low = least;
    let high = most;
    for (let left = rounds * n; left > 0; left--) {
      while (low < high && (law[low] as number) < NEGLIGIBLE) low++;
      while (low < high && (law[high] as number) < NEGLIGIBLE) high--;
      low = Math.max(least, low - 1);
      high = Math.min(most, high + 1);
      step([law, up, down, stay], low, high);
    }
  }

  return (truth, rival, end) => {
    const high = n - rival;
    law.fill(0);
    law.set(starts[high - truth] as Float64Array, truth);
    for (let k = truth; k <= high; k++) {
      const rises = (take * (high - k) * k) / (n * n);
      const falls = (drop * (k - truth) * (n - k)) / (n * n);
      up[k] = rises;
      down[k] = falls;
      stay[k] = 1 - rises - falls;
    }
    advance(truth, high);
    end.fill(0);
    for (let part = 0, k = truth; part < IN_ORDER.length; part++) {
      const kind = at(IN_ORDER, part);
      for (; k <= high && k < at(bounds, part + 1); k++) {
        end[kind] = at(end, kind) + at(law, k);
        end[4] = at(end, 4) + (at(law, k) * k) / n;
      }
    }
  };
}

type Laws = [Float64Array, Float64Array, Float64Array, Float64Array];

/** One interaction. */
function step([law, up, down, stay]: Laws, low: number, high: number): void {
  let risen = 0;
  let here = law[low] as number;
  for (let k = low; k <= high; k++) {
    const above = law[k + 1] as number;
    law[k] = here * (stay[k] as number) + risen + above * (down[k + 1] as number);
    risen = here * (up[k] as number);
    here = above;
  }
}
