/** Small parts that every view uses. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAddress } from "../app/address";
import { useKeys } from "./keys";
import { Plain, Table, type Value } from "./Table";
import { number, visible } from "./text";

/** A choice from a list, with its label. */
export function Select(props: {
  label: string;
  value: string;
  /** Values and how they are shown. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, shown]) => (
          <option key={value} value={value}>
            {visible(shown, 120)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A remark under a drawing. */
export function Note({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

const PART = 2_000;
const MORE = 50_000;

/** A text of a run, however long: its beginning, and more of it on demand. Words can be marked. */
export function Long(props: { text: string; most?: number; marked?: readonly string[] }) {
  const { text, most = PART, marked = [] } = props;
  const [shown, show] = useState(most);
  const words = useMemo(() => marked.filter(Boolean), [marked]);
  return (
    <span class="said" dir="auto">
      {pieces(text.slice(0, shown), words).map((piece, nth) =>
        nth % 2 ? <mark key={nth}>{visible(piece, shown)}</mark> : visible(piece, shown),
      )}
      {text.length > shown && (
        <button type="button" onClick={() => show(shown + MORE)}>
          show {number(Math.min(MORE, text.length - shown))} more of {number(text.length)} letters
        </button>
      )}
    </span>
  );
}

/** A text in pieces, of which every second one is one of the words, whatever their case. */
function pieces(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const sorted = [...words].sort((a, b) => b.length - a.length);
  const either = sorted.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return text.split(new RegExp(`(${either})`, "iu"));
}

const READ = 300;

/**
 * The table behind a drawing: the key t shows it, the address keeps that (`table=1`). Otherwise it
 * is there for screen readers only, up to 300 rows of it, once the drawing is painted.
 */
export function Behind(props: {
  caption: string;
  columns: readonly string[];
  rows: () => readonly (readonly Value[])[];
  /** Changes whenever `rows` would give something else. */
  version?: string;
  onOpen?: (row: number) => void;
  digits?: number;
}) {
  const { caption, columns, digits, onOpen } = props;
  const [address, change] = useAddress();
  const open = address.values.table === "1";
  const [rows, set] = useState<readonly (readonly Value[])[]>([]);
  useEffect(() => {
    if (open) return set(props.rows());
    const later = setTimeout(() => set(props.rows()), 300);
    return () => clearTimeout(later);
  }, [open, props.version]);
  const toggle = () => change({ table: open ? "" : "1" }, { replace: true });
  useKeys([{ key: "t", does: "show or hide the table behind the drawing", run: toggle }]);
  return (
    <>
      <p class="controls">
        <button type="button" aria-pressed={open} onClick={toggle}>
          Table <kbd>t</kbd>
        </button>
      </p>
      {open ? (
        <Table caption={caption} columns={columns} rows={rows} onOpen={onOpen} digits={digits} />
      ) : (
        <div class="visually-hidden">
          <Plain caption={caption} columns={columns} rows={rows.slice(0, READ)} digits={digits} />
        </div>
      )}
    </>
  );
}
