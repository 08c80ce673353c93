/** The phase map while a hand is on its sliders: calculated in slices, so that the page stays awake. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Dynamics, groups, type Over } from "./outcomes";

/** Rival shares of the map, as `theory phase` has them. */
export const SHARES: readonly number[] = Array.from({ length: 101 }, (_, place) => place / 100);

/** What is calculated before the page is drawn again, and between two other things; milliseconds. */
const AT_ONCE = 40;
const SLICE = 12;

export interface Asked {
  sizes: readonly number[];
  /** a_T + a_R. */
  total: number;
  dynamics: Dynamics;
  /** Further shares behind `SHARES`, by size. */
  more: ReadonlyMap<number, readonly number[]>;
}

export interface Phase {
  /** By size: five values a share; of sizes that are still to come, those of the setting before. */
  rows: ReadonlyMap<number, Float64Array>;
  /** Sizes that are calculated. */
  done: ReadonlySet<number>;
  /** For which total the map is complete, and under which dynamics; "" while it is not. */
  complete: string;
}

export function usePhase({ sizes, total, dynamics, more }: Asked): Phase {
  const { bias, rounds, distinct } = dynamics;
  const of = [bias, rounds, distinct].join(" ");
  const key = [total, of].join(" ");
  const held = useRef({ of: "", sizes: new Map<number, Over>() });
  const [phase, set] = useState<Phase>({ rows: new Map(), done: new Set(), complete: "" });
  useLayoutEffect(() => {
    // Ends do not depend on how many are decided: that slider leaves them as they are.
    if (held.current.of !== of) held.current = { of, sizes: new Map() };
    const known = held.current.sizes;
    const rows = new Map(phase.rows);
    const done = new Set<number>();
    const work = (function* () {
      for (const n of sizes) {
        const over = known.get(n) ?? groups(n, { bias, rounds, distinct });
        known.set(n, over);
        rows.set(n, yield* over([...SHARES, ...(more.get(n) ?? [])], total));
        done.add(n);
      }
    })();
    let timer = 0;
    const go = (budget: number) => {
      const until = performance.now() + budget;
      let ended = false;
      while (!ended && performance.now() < until) ended = work.next().done === true;
      set({ rows: new Map(rows), done: new Set(done), complete: ended ? key : "" });
      if (!ended) timer = setTimeout(go, 0, SLICE);
    };
    go(AT_ONCE);
    return () => clearTimeout(timer);
  }, [key, sizes, more]);
  return phase;
}
