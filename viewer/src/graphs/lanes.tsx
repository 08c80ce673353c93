/** Lanes, one a seat, with what is said from left to right and the earliest-arrival tree of a source. */

import { useEffect, useRef, useState } from "preact/hooks";
import { called } from "../data/beliefs";
import type { Trial } from "../data/types";
import { resolved, useTheme } from "../ui/colours";
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

const [LEFT, RIGHT, TOP, FOOT, HIGH] = [46, 52, 6, 18, 640];
const LETTER = 11;

export function Lanes(props: Props) {
  const { trial, found, source, round } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLElement>(null);
  const [wide, measure] = useState(0);
  const theme = useTheme();
  useEffect(() => {
    const seen = new ResizeObserver(() => measure(box.current?.clientWidth ?? 0));
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  const lane = Math.min(26, Math.max(3, HIGH / found.seats));
  const high = TOP + Math.ceil(lane * found.seats) + FOOT;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!wide || !canvas.current || !context) return;
    const ratio = devicePixelRatio;
    canvas.current.width = wide * ratio;
    canvas.current.height = high * ratio;
    context.scale(ratio, ratio);
    const drawing = new Drawing(context, props, wide, lane);
    drawing.ground();
    drawing.said();
    drawing.tree();
    drawing.names();
  }, [trial, found, source, round, wide, high, theme]);
  const pick = (event: MouseEvent) => {
    const top = canvas.current?.getBoundingClientRect().top ?? 0;
    const seat = Math.floor((event.clientY - top - TOP) / lane);
    if (seat >= 0 && seat < found.seats) props.onPick(seat);
  };
  return (
    <figure ref={box} style={{ margin: 0 }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys pick as well */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys pick as well */}
      <div onClick={pick}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={props.label}
          style={{ width: "100%", height: `${high}px`, cursor: "pointer" }}
        />
      </div>
    </figure>
  );
}

class Drawing {
  private readonly spoken: number[];
  private readonly places: Map<number, number>;
  private readonly each: number;

  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly props: Props,
    private readonly wide: number,
    private readonly lane: number,
  ) {
    const { clock } = props.found;
    this.spoken = [...clock.keys()].filter((index) => clock[index]);
    this.places = new Map(this.spoken.map((index, place) => [index, place]));
    this.each = (wide - LEFT - RIGHT) / Math.max(this.spoken.length, 1);
    pen.font = "12px system-ui, sans-serif";
  }

  private x(step: number): number {
    return LEFT + ((this.places.get(step) ?? 0) + 0.5) * this.each;
  }

  private y(seat: number): number {
    return TOP + (seat + 0.5) * this.lane;
  }

  private line(colour: string, width: number, alpha = 1): void {
    this.pen.strokeStyle = resolved(colour);
    this.pen.fillStyle = resolved(colour);
    this.pen.lineWidth = width;
    this.pen.globalAlpha = alpha;
  }

  private stroke(x1: number, y1: number, x2: number, y2: number): void {
    this.pen.beginPath();
    this.pen.moveTo(x1, y1);
    this.pen.lineTo(x2, y2);
    this.pen.stroke();
  }

  /** Lanes, and where rounds begin. */
  ground(): void {
    const { found, trial } = this.props;
    const foot = TOP + this.lane * found.seats;
    this.line("--line", 1);
    for (let seat = 0; seat < found.seats; seat++)
      if (this.lane >= 6 || seat % 8 === 0)
        this.stroke(LEFT, this.y(seat), this.wide - RIGHT, this.y(seat));
    let before = -1;
    let free = 0;
    this.pen.textAlign = "left";
    for (const step of this.spoken) {
      const round = trial.steps.round[step] ?? 0;
      if (round === before) continue;
      before = round;
      const x = this.x(step) - this.each / 2;
      this.line("--soft", 1, 0.5);
      this.stroke(x, 0, x, foot + 4);
      if (x < free) continue;
      this.line("--soft", 1);
      this.pen.fillText(`${free ? "" : "round "}${round}`, x + 2, foot + 14);
      free = x + (free ? 26 : 66);
    }
  }

  /** Who said something to whom: from speaker to readers, or a tick at each where lines are dense. */
  said(): void {
    const { to, seat } = this.props.trial.steps;
    const dense = this.each < 3;
    for (const step of this.spoken) {
      const [x, from] = [this.x(step), seat[step] ?? 0];
      const readers = to[step] ?? [];
      this.line("--rest", 1, dense ? 0.8 : 0.7);
      if (!dense) {
        const ends = [from, ...readers];
        this.stroke(x, this.y(Math.min(...ends)), x, this.y(Math.max(...ends)));
      }
      const half = dense ? this.lane * 0.45 : 2.5;
      const across = dense ? half / 2 : half;
      this.pen.fillRect(x - across, this.y(from) - half, 2 * across, 2 * half);
      this.line("--rest", 1, dense ? 0.3 : 0.7);
      const size = dense ? half : 1.2;
      if (!dense || readers.length === 1)
        for (const reader of readers)
          if (reader !== from)
            this.pen.fillRect(x - size / 2, this.y(reader) - size, size, 2 * size);
    }
  }

  /** Thick where it leads on, pale where it is known and no path goes on. */
  tree(): void {
    const { found, trial, source, round } = this.props;
    const edges = tree(found, trial.steps, source);
    const arrived = new Map([[source, LEFT - 4]]);
    for (const edge of edges) arrived.set(edge.seat, this.x(edge.step));
    const now = (at: number) => (at <= round ? 1 : 0.25);
    const rounds = new Map(edges.map((edge) => [edge.seat, edge.round]));
    for (const [seat, x] of arrived) {
      this.line(
        "--third",
        Math.min(2, this.lane / 3),
        (this.lane < 8 ? 0.25 : 0.5) * now(rounds.get(seat) ?? 0),
      );
      this.stroke(x, this.y(seat), this.wide - RIGHT, this.y(seat));
    }
    for (const { seat, step, speaker, round: at } of edges) {
      const x = this.x(step);
      this.line("--third", Math.min(3, this.lane / 2), now(at));
      this.stroke(arrived.get(speaker) ?? LEFT, this.y(speaker), x, this.y(speaker));
      this.line("--third", this.lane < 8 ? 1 : 1.8, now(at));
      this.stroke(x, this.y(speaker), x, this.y(seat));
      this.tip(x, this.y(seat), seat > speaker ? 1 : -1);
    }
    this.line("--third", 1);
    this.pen.beginPath();
    this.pen.arc(LEFT - 4, this.y(source), Math.max(3, this.lane / 5), 0, 7);
    this.pen.fill();
  }

  private tip(x: number, y: number, way: number): void {
    const size = Math.min(6, Math.max(2.5, this.lane / 3));
    this.pen.beginPath();
    this.pen.moveTo(x, y);
    this.pen.lineTo(x - size * 0.7, y - way * size * 1.4);
    this.pen.lineTo(x + size * 0.7, y - way * size * 1.4);
    this.pen.fill();
  }

  /** Seats at the left, arrival times at the right, as many as there is room for. */
  names(): void {
    const { found, trial, source } = this.props;
    const every = Math.ceil(LETTER / this.lane);
    this.line("--ink", 1);
    for (let seat = 0; seat < found.seats; seat++) {
      if (seat !== source && (seat % every || Math.abs(seat - source) < every)) continue;
      this.pen.font = `${seat === source ? "bold " : ""}12px system-ui, sans-serif`;
      this.pen.textAlign = "right";
      this.pen.fillText(called(trial, seat).slice(0, 4), LEFT - 12, this.y(seat) + 4);
      if (every > 1 && seat !== source) continue;
      const time = found.times[source * found.seats + seat] ?? -1;
      const text = seat === source ? "source" : time < 0 ? "never" : `${time}`;
      this.pen.textAlign = "left";
      this.pen.fillText(text, this.wide - RIGHT + 6, this.y(seat) + 4);
    }
  }
}
