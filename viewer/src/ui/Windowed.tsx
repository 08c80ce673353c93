/** A long list of rows of any height, of which only those in sight are drawn. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  count: number;
  /** Height of a row that was not drawn yet, in pixels. */
  guess: number;
  height: number;
  row: (place: number) => ComponentChildren;
  /** The row to bring into sight, whenever it changes; -1 for none. */
  at: number;
  /** Changes whenever the rows are others. */
  version: string;
}

const SPARE = 600;

export function Windowed({ label, count, guess, height, row, at, version }: Props) {
  const box = useRef<HTMLElement>(null);
  const [top, scroll] = useState(0);
  const [measured, measure] = useState(0);
  const heights = useMemo(() => new Float64Array(count).fill(guess), [count, guess, version]);
  const tops = useMemo(() => {
    const sums = new Float64Array(count + 1);
    heights.forEach((one, place) => {
      sums[place + 1] = (sums[place] ?? 0) + one;
    });
    return sums;
  }, [heights, measured, count]);
  const first = Math.max(0, search(tops, top - SPARE) - 1);
  const last = Math.min(count, search(tops, top + height + SPARE));
  useLayoutEffect(() => {
    let changed = false;
    for (const drawn of box.current?.querySelectorAll<HTMLElement>("[data-row]") ?? []) {
      const place = Number(drawn.dataset.row);
      if (Math.abs((heights[place] ?? 0) - drawn.offsetHeight) < 1) continue;
      heights[place] = drawn.offsetHeight;
      changed = true;
    }
    if (changed) measure((times) => times + 1);
  });
  const sought = useRef(-1);
  useEffect(() => {
    sought.current = at;
  }, [at, version]);
  useEffect(() => {
    const [seen, to] = [box.current, sought.current];
    if (!seen || to < 0) return;
    const row = seen.querySelector<HTMLElement>(`[data-row="${to}"]`);
    const upper = row?.offsetTop ?? tops[to] ?? 0;
    const below = upper + (row?.offsetHeight ?? 0) > seen.scrollTop + height;
    // Heights above it that were guessed are measured once it is drawn: then look again.
    if (upper < seen.scrollTop || (below && upper - 40 > seen.scrollTop)) {
      seen.scrollTop = upper - 40;
    } else if (row) {
      sought.current = -1;
    }
  }, [at, version, measured]);
  return (
    <section
      class="windowed"
      ref={box}
      style={{ maxHeight: `${height}px` }}
      onScroll={() => scroll(box.current?.scrollTop ?? 0)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
      tabIndex={0}
      aria-label={label}
    >
      <div style={{ height: `${tops[first]}px` }} />
      {Array.from({ length: Math.max(0, last - first) }, (_, nth) => (
        <div key={first + nth} data-row={first + nth}>
          {row(first + nth)}
        </div>
      ))}
      <div style={{ height: `${(tops[count] ?? 0) - (tops[last] ?? 0)}px` }} />
    </section>
  );
}

/** The first place whose sum is above a value. */
function search(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
