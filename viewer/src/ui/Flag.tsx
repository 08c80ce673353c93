/** A flag, or a piece of one, as rows of colour letters: one pixel a cell, scaled up. */

import { useEffect, useRef } from "preact/hooks";
import { type Mark, useTheme } from "./colours";
import { Glyph } from "./Marks";

interface Props {
  rows: readonly string[];
  /** The colour of each letter, as the world holds it. */
  colours: Readonly<Record<string, string>>;
  label: string;
  /** Width in pixels; less on narrow screens. */
  width: number;
  /** Drawn pale, so that marks stand out. */
  faded?: boolean;
  /** Marks at cells, (column, row) from the upper left; the place may be a fraction. */
  spots?: readonly { x: number; y: number; mark: Mark; hollow?: boolean }[];
  /** A frame around cells. */
  frame?: { x: number; y: number; width: number; height: number } | null;
  onPick?: (spot: number) => void;
}

export function Flag(props: Props) {
  const { rows, colours, spots = [], frame, onPick } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const [wide, high] = [rows[0]?.length ?? 1, rows.length || 1];
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    rows.forEach((row, y) => {
      [...row].forEach((letter, x) => {
        context.fillStyle = colours[letter] ?? "gray";
        context.fillRect(x, y, 1, 1);
      });
    });
  }, [rows, colours, theme]);
  return (
    <div class="flag" style={{ width: `${props.width}px`, aspectRatio: `${wide} / ${high}` }}>
      <canvas
        ref={canvas}
        width={wide}
        height={high}
        role="img"
        aria-label={props.label}
        class={props.faded ? "faded" : ""}
      />
      {(spots.length > 0 || frame) && (
        <svg viewBox={`0 0 ${wide} ${high}`} aria-hidden="true">
          {spots.map((spot, place) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: keys pick in the table behind it
            <g key={place} class={onPick ? "pick" : ""} onClick={() => onPick?.(place)}>
              <Glyph {...spot} size={1.1} />
            </g>
          ))}
          {frame && <rect {...frame} fill="none" stroke="var(--ink)" stroke-width="0.25" />}
        </svg>
      )}
    </div>
  );
}
