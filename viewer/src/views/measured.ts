/** What runs of the page measured of endings: trials at their rival shares, and conditions at theirs. */

import { useMemo } from "preact/hooks";
import { useAddress } from "../app/address";
import { useHeads } from "../app/held";
import type { Head, Json } from "../data/types";
import { LARGEST } from "../theory/outcomes";
import { number } from "../ui/text";
import { type Dot, ENDS } from "./map";
import { numeric, type Row, rows, settings, words } from "./rows";

/** The sizes of `theory phase`. */
const SIZES = [2, 4, 8, 16, 32, 64, 128];

/** A condition of a run whose rival share is known. */
export interface Ended {
  run: string;
  row: Row;
  condition: string;
  n: number;
  share: number;
  /** Its place among the further shares of its size. */
  nth: number;
}

export interface Measured {
  sizes: readonly number[];
  more: ReadonlyMap<number, readonly number[]>;
  dots: readonly Dot[];
  ends: Ended[];
  /** Trials with an endpoint that are not drawn: without a share, or of too large a group. */
  lost: number;
}

export function useMeasured(head: Head, second: Head | null): Measured {
  const heads = useHeads();
  const [, change] = useAddress();
  return useMemo(() => {
    const runs = second ? [head, second] : [head];
    const shares = known(heads);
    const dots: Dot[] = [];
    let lost = 0;
    const present = new Set(SIZES);
    for (const run of runs) {
      const { trials } = run;
      for (const [place, endpoint] of trials.endpoint.entries()) {
        const end = ENDS.findIndex((one) => one.measure === endpoint);
        const n = trials.agents[place] ?? 0;
        if (end < 0 || trials.role[place] !== "estimate") continue;
        const share = trials.rival[place] ?? shares.get(named(run, place)) ?? null;
        if (n > LARGEST || share === null) lost++;
        else {
          present.add(n);
          const trial = trials.number[place] ?? 0;
          const name = `${run.run}, trial ${trial}: N = ${n}, rival share ${number(share)}, ${ENDS[end]?.title}`;
          const open = () => change({ run: run.run, trial }, { view: "trial" });
          dots.push({ n, share, end, name, hollow: run !== head, open });
        }
      }
    }
    const more = new Map<number, readonly number[]>();
    const ends = runs.flatMap((run) => conditions(run, heads, more));
    for (const n of more.keys()) present.add(n);
    const sizes = [...present].sort((a, b) => a - b);
    return { sizes, more, dots, ends, lost };
  }, [head, second, heads]);
}

/** What runs whose seeds deal the same evidence have in common. */
function dealt({ settings }: Head): string {
  const { truth, evidence, lure } = settings.trial as Record<string, Json>;
  return JSON.stringify([settings.seed, settings.world, truth, evidence, lure] as Json);
}

/** What trials on the same evidence have in common, also in different runs. */
function named(run: Head, place: number): string {
  const { seed, agents, truth } = run.trials;
  return JSON.stringify([dealt(run), seed[place], agents[place], truth[place]]);
}

/** Rival shares of all runs of the page. */
function known(heads: readonly Head[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const run of heads)
    for (const [place, share] of run.trials.rival.entries())
      if (share !== null) found.set(named(run, place), share);
  return found;
}

function conditions(
  run: Head,
  heads: readonly Head[],
  more: Map<number, readonly number[]>,
): Ended[] {
  const frame = run.frames.slice;
  const found = rows(frame);
  const names = settings(found, frame, "n");
  return found.flatMap((row) => {
    const n = numeric(row.N) ?? LARGEST + 1;
    const share = numeric(row.rival_share) ?? probed(run, heads, n);
    if (n > LARGEST || share === null) return [];
    const shares = more.get(n) ?? [];
    more.set(n, [...shares, share]);
    return [{ run: run.run, row, condition: words(row, names), n, share, nth: shares.length }];
  });
}

/** The rival share of groups of n that a run of the page measured on the evidence of this one. */
function probed(run: Head, heads: readonly Head[], n: number): number | null {
  const found = heads
    .filter((head) => dealt(head) === dealt(run) && head.settings.seeds === run.settings.seeds)
    .flatMap((head) => rows(head.frames.estimates))
    .filter((row) => row.measure === "rival_share" && !row.minus && row.N === n);
  // Several conditions of one size: which of them is meant cannot be told.
  return found.length === 1 ? numeric(found[0]?.value) : null;
}
