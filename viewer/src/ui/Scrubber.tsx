/** Which round is looked at: a slider, the keys ← and →, and play. The address keeps it. */

import { useEffect, useState } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import { useKeys } from "./keys";
import { visible } from "./text";

/** The round of the address, at most `last` (which it is if none is named), and how to change it. */
export function useRound(last: number): [number, (round: number) => void] {
  const [address, change] = useAddress();
  const round = Math.min(Math.max(whole(address.values, "round", last), 0), last);
  return [round, (next) => change({ round: next }, { replace: true })];
}

interface Props {
  last: number;
  value: number;
  onChange: (value: number) => void;
  /** What is counted. */
  name?: string;
  /** How a value is called, such as "vote" for the last one; its number if not given. */
  heads?: readonly string[] | undefined;
}

const SECONDS = 8;
const SLOWEST = 3;

export function Scrubber({ last, value, onChange, name = "round", heads }: Props) {
  const [playing, play] = useState(false);
  const rate = Math.max(SLOWEST, last / SECONDS);
  useEffect(() => {
    if (!playing) return;
    const from = value >= last ? 0 : value;
    const began = performance.now();
    let shown = -1;
    let frame = requestAnimationFrame(function draw(now: number) {
      const next = Math.min(last, from + Math.max(0, Math.floor(((now - began) / 1000) * rate)));
      if (next !== shown) onChange(next);
      shown = next;
      if (next >= last) play(false);
      else frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing]);
  const rounds = heads?.filter((one) => /^\d+$/.test(one)).length ?? last + 1;
  const shown = (at: number) =>
    at < rounds ? `${name} ${visible(heads?.[at] ?? `${at}`)}` : visible(heads?.[at] ?? "");
  const go = (to: number) => {
    play(false);
    onChange(Math.min(Math.max(to, 0), last));
  };
  useKeys([
    { key: "ArrowLeft", does: `${name} before`, run: () => go(value - 1) },
    { key: "ArrowRight", does: `${name} after`, run: () => go(value + 1) },
    { key: "Home", does: `first ${name}`, run: () => go(0) },
    { key: "End", does: `last ${name}`, run: () => go(last) },
    { key: " ", does: "play or pause", run: () => play(!playing) },
  ]);
  return (
    <div class="scrubber">
      <button type="button" onClick={() => play(!playing)} aria-pressed={playing}>
        {playing ? "❚❚ Pause" : "▶ Play"}
      </button>
      <input
        type="range"
        aria-label={name}
        aria-valuetext={`${shown(value)} of ${rounds - 1}`}
        min={0}
        max={last}
        value={value}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <output>
        {shown(value)} <span class="soft">of {rounds - 1}</span>
      </output>
    </div>
  );
}
