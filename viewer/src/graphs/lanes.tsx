/** Lanes, one a seat, with what is said from left to right and the earliest-arrival tree of a source. */

import { useEffect, useRef, useState } from "preact/hooks";
import { called } from "../data/beliefs";
import type { Trial } from "../data/types";
import { resolved, useTheme } from "../ui/colours";
import { visible } from "../ui/text";
import { type Arrivals, tree } from "./arrival";

interface Props {
  trial: Trial;
  found: Arrivals;
  source: number;
  /** What arrives later is drawn faint. */
  round: number;
  label: string;
  onPick: (seat: number) => void;
}

const [RIGHT, TOP, FOOT, HIGH] = [52, 6, 18, 640];
/** Between a name and its lane, and how much of the width names have at most. */
const [GAP, NAMES] = [16, 0.3];
const LETTER = 11;
const PLAIN = "12px system-ui, sans-serif";
const BOLD = `bold ${PLAIN}`;

function laneOf(seats: number): number {
  return Math.min(26, Math.max(3, HIGH / seats));
}

/** Whether lanes are so high that each has its arrival time beside it. */
export function timed(seats: number): boolean {
  return laneOf(seats) >= LETTER;
}

export function Lanes(props: Props) {
  const { trial, found, source, round } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [wide, measure] = useState(0);
  const theme = useTheme();
  const seats = trial.seats.length;
  const lane = laneOf(seats);
  const high = Math.ceil(lane * seats) + TOP + FOOT;
  useEffect(() => {
    const seen = new ResizeObserver(() => measure(canvas.current?.clientWidth ?? 0));
    if (canvas.current) seen.observe(canvas.current);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!wide || !canvas.current || !pen) return;
    canvas.current.width = wide * devicePixelRatio;
    canvas.current.height = high * devicePixelRatio;
    pen.scale(devicePixelRatio, devicePixelRatio);
    draw(pen, props, wide, lane);
  }, [trial, found, source, round, wide, theme]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={props.label}
      style={{ width: "100%", height: `${high}px` }}
      onClick={({ offsetY }) => {
        const seat = Math.floor((offsetY - TOP) / lane);
        if (trial.seats[seat]) props.onPick(seat);
      }}
    />
  );
}

function draw(pen: CanvasRenderingContext2D, props: Props, wide: number, lane: number): void {
  const { trial, found, source, round: now } = props;
  const { to, seat: speakers, round: rounds } = trial.steps;
  const seats = trial.seats.length;
  pen.font = BOLD;
  const names = trial.seats.map((_, seat) => fitted(pen, called(trial, seat), NAMES * wide));
  const left = GAP + Math.max(...names.map((name) => pen.measureText(name).width));
  const [right, foot] = [wide - RIGHT, TOP + lane * seats];
  const spoken = [...found.clock.keys()].filter((step) => found.clock[step]);
  const places = new Map(spoken.map((step, place) => [step, place]));
  const each = (right - left) / spoken.length;
  const dense = each < 3;
  const x = (step: number) => left + ((places.get(step) ?? 0) + 0.5) * each;
  const y = (seat: number) => TOP + (seat + 0.5) * lane;
  const ink = (colour: string, width = 1, alpha = 1) => {
    pen.strokeStyle = pen.fillStyle = resolved(colour);
    pen.lineWidth = width;
    pen.globalAlpha = alpha;
  };
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  };
  const write = (text: string, across: number, top: number, align: CanvasTextAlign = "left") => {
    pen.textAlign = align;
    pen.fillText(text, across, top);
  };
  const tick = (across: number, seat: number, wide: number, high: number) =>
    pen.fillRect(across - wide / 2, y(seat) - high / 2, wide, high);
  pen.font = PLAIN;

  // Lanes, and where rounds begin.
  ink("--line");
  for (let seat = 0; seat < seats; seat += lane < 6 ? 8 : 1) line(left, y(seat), right, y(seat));
  let free = 0;
  spoken.forEach((step, place) => {
    const round = rounds[step];
    if (round === rounds[spoken[place - 1] ?? -1]) return;
    const from = x(step) - each / 2;
    ink("--soft", 1, 0.5);
    line(from, 0, from, foot + 4);
    if (from < free) return;
    ink("--soft");
    write(`${free ? "" : "round "}${round}`, from + 2, foot + 14);
    free = from + (free ? 26 : 66);
  });

  // Who said something to whom: from speaker to readers, or marks alone where lines are dense.
  ink("--rest", 1, 0.7);
  pen.beginPath();
  for (const step of spoken) {
    tick(x(step), speakers[step] ?? 0, dense ? lane / 2 : 5, dense ? lane : 5);
    const ends = [speakers[step] ?? 0, ...(to[step] ?? [])];
    if (dense) continue;
    pen.moveTo(x(step), y(Math.min(...ends)));
    pen.lineTo(x(step), y(Math.max(...ends)));
  }
  pen.stroke();
  ink("--rest", 1, dense ? 0.3 : 0.7);
  for (const step of spoken) {
    const readers = to[step] ?? [];
    if (!dense || readers.length === 1)
      for (const reader of readers) tick(x(step), reader, 2, dense ? lane : 3);
  }

  // The tree: thick where it leads on, pale where it is known and no path goes on.
  const edges = tree(found, trial, source);
  const since = new Map([[source, left - 4], ...edges.map((e) => [e.seat, x(e.step)] as const)]);
  for (const { seat, step, speaker, round } of edges) {
    const [at, alpha] = [x(step), round <= now ? 1 : 0.25];
    ink("--third", Math.min(2, lane / 3), (lane < 8 ? 0.25 : 0.5) * alpha);
    line(at, y(seat), right, y(seat));
    ink("--third", Math.min(3, lane / 2), alpha);
    line(since.get(speaker) ?? left, y(speaker), at, y(speaker));
    pen.lineWidth = lane < 8 ? 1 : 1.8;
    line(at, y(speaker), at, y(seat));
    const tip = Math.min(5, Math.max(2, lane / 4));
    const behind = y(seat) + (seat > speaker ? -2 : 2) * tip;
    pen.beginPath();
    pen.moveTo(at, y(seat));
    pen.lineTo(at - tip, behind);
    pen.lineTo(at + tip, behind);
    pen.fill();
  }
  ink("--third");
  tick(left - 4, source, 8, 8);

  // Seats at the left, arrival times at the right, as many as there is room for.
  const every = Math.ceil(LETTER / lane);
  ink("--ink");
  for (let seat = 0; seat < seats; seat++) {
    if (seat !== source && (seat % every || Math.abs(seat - source) < every)) continue;
    const time = found.times[source * seats + seat] ?? -1;
    pen.font = time ? PLAIN : BOLD;
    write(names[seat] ?? "", left - GAP + 4, y(seat) + 4, "right");
    const told = time < 0 ? "never" : `${time || "source"}`;
    if (timed(seats) || !time) write(told, right + 6, y(seat) + 4);
  }
}

/** A name, cut where it is wider than there is room. */
function fitted(pen: CanvasRenderingContext2D, name: string, room: number): string {
  let letters = visible(name, 60);
  if (pen.measureText(letters).width <= room) return letters;
  while (letters && pen.measureText(`${letters}…`).width > room) letters = letters.slice(0, -1);
  return `${letters}…`;
}
