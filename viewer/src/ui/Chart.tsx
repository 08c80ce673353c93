/** Lines with interval bands over a numeric axis, by uPlot. Each line has a dash and a name too. */

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { resolved } from "./colours";

export interface Line {
  name: string;
  colour: string;
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  dash?: number[];
  /** Points only, without the line between them. */
  points?: boolean;
}

interface Props {
  x: number[];
  lines: Line[];
  xLabel: string;
  yLabel: string;
  label: string;
  range?: [number, number] | undefined;
  /** Horizontal lines with a name, such as thresholds. */
  levels?: { name: string; value: number }[];
  height?: number;
  /** A vertical line, such as the round of the scrubber. */
  cursor?: number | undefined;
}

export function Chart(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = drawn(host, props);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize(size(host, props)));
    resized.observe(host);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  });
  return <div ref={box} role="img" aria-label={props.label} />;
}

function size(host: HTMLElement, props: Props): { width: number; height: number } {
  return { width: Math.max(240, Math.min(host.clientWidth, 1000)), height: props.height ?? 300 };
}

function drawn(host: HTMLElement, props: Props): uPlot {
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  const data: (number | null)[][] = [props.x];
  for (const line of props.lines) {
    const colour = resolved(line.colour);
    if (line.low && line.high) {
      const edge = { stroke: "transparent", points: { show: false } };
      series.push(
        { ...edge, label: `${line.name}, upper end` },
        { ...edge, label: `${line.name}, lower end` },
      );
      data.push(line.high, line.low);
      bands.push({ series: [data.length - 2, data.length - 1], fill: `${colour}33` });
    }
    const own: uPlot.Series = { label: line.name, stroke: colour, width: line.points ? 0 : 2 };
    own.points = { show: true, size: line.points ? 8 : 5, fill: colour };
    if (line.dash) own.dash = line.dash;
    series.push(own);
    data.push(line.values);
  }
  const axis = { stroke: resolved("--ink"), grid: { stroke: resolved("--line"), width: 1 } };
  const options: uPlot.Options = {
    ...size(host, props),
    series,
    bands,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false }, y: props.range ? { range: props.range } : {} },
    axes: [
      { ...axis, label: props.xLabel },
      { ...axis, label: props.yLabel },
    ],
    hooks: { draw: [(plot) => marked(plot, props)] },
  };
  return new uPlot(options, data as uPlot.AlignedData, host);
}

function marked(plot: uPlot, props: Props): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = resolved("--soft");
  ctx.fillStyle = resolved("--soft");
  ctx.setLineDash([4, 4]);
  for (const level of props.levels ?? []) {
    const y = plot.valToPos(level.value, "y", true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillText(level.name, bbox.left + 4, y - 4);
  }
  if (props.cursor !== undefined) {
    const x = plot.valToPos(props.cursor, "x", true);
    ctx.setLineDash([]);
    ctx.strokeStyle = resolved("--ink");
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** The key of a chart: glyph, colour and name of each line. */
export function Key({ marks }: { marks: { name: string; colour: string; glyph: string }[] }) {
  return (
    <p>
      {marks.map((mark) => (
        <span class="key" key={mark.name}>
          <span aria-hidden="true" style={{ color: `var(${mark.colour})` }}>
            {mark.glyph}
          </span>
          {mark.name}
        </span>
      ))}
    </p>
  );
}
