/**
 * A grid of cells as a bitmap of one pixel a cell, scaled up: fast at 128 x 2,000. What is drawn is
 * also a table behind it, which is what a screen reader gets.
 */

import { useEffect, useRef } from "preact/hooks";
import { bytes, resolved } from "./colours";

interface Props {
  /** Rows and columns. */
  rows: number;
  columns: number;
  /** Name of the custom property of a cell's colour. */
  colour: (row: number, column: number) => string;
  /** Changes whenever `colour` would say something else. */
  version: string;
  label: string;
  /** Largest size of a cell in pixels. */
  cell?: number;
  selected?: { row: number | null; column: number | null };
  onPick?: ((row: number, column: number) => void) | undefined;
}

export function Raster(props: Props) {
  const { rows, columns, colour, version, label, cell = 16, selected, onPick } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = Math.min(columns * cell, 1100);
  const height = Math.min(rows * cell, 620);
  // `version` stands for `colour`, which is another function each time.
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const draw = () => paint(canvas.current, rows, columns, colour);
    draw();
    dark.addEventListener("change", draw);
    return () => dark.removeEventListener("change", draw);
  }, [rows, columns, version]);
  const place = (event: MouseEvent): [number, number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    return [Math.min(Math.max(row, 0), rows - 1), Math.min(Math.max(column, 0), columns - 1)];
  };
  const lines = [];
  if (selected && selected.column !== null)
    lines.push({
      left: `${(100 * selected.column) / columns}%`,
      width: `${100 / columns}%`,
      top: "0",
      height: "100%",
    });
  if (selected && selected.row !== null)
    lines.push({
      top: `${(100 * selected.row) / rows}%`,
      height: `${100 / rows}%`,
      left: "0",
      width: "100%",
    });
  return (
    <div style={{ position: "relative", width: `${width}px`, maxWidth: "100%" }}>
      <canvas
        ref={canvas}
        width={columns}
        height={rows}
        role="img"
        aria-label={label}
        style={{ width: "100%", height: `${height}px` }}
        onClick={(event) => onPick?.(...place(event))}
      />
      {lines.map((style) => (
        <div
          key={JSON.stringify(style)}
          style={{
            position: "absolute",
            pointerEvents: "none",
            outline: "2px solid var(--ink)",
            ...style,
          }}
        />
      ))}
    </div>
  );
}

function paint(
  canvas: HTMLCanvasElement | null,
  rows: number,
  columns: number,
  colour: (row: number, column: number) => string,
): void {
  const context = canvas?.getContext("2d");
  if (!context || rows === 0 || columns === 0) return;
  const image = context.createImageData(columns, rows);
  const known = new Map<string, [number, number, number, number]>();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const name = colour(row, column);
      let four = known.get(name);
      if (!four) {
        four = bytes(resolved(name));
        known.set(name, four);
      }
      image.data.set(four, 4 * (row * columns + column));
    }
  }
  context.putImageData(image, 0, 0);
}
