/** What keys do. One listener for the page; views and parts say what their keys do while shown. */

import { useEffect, useRef } from "preact/hooks";

export interface Key {
  /** As in KeyboardEvent.key, such as "ArrowLeft", "j", " ". */
  key: string;
  /** What it does, for the list of keys; "" leaves it out. */
  does: string;
  run: (event: KeyboardEvent) => void;
}

type Held = { current: readonly Key[] };
const sets: Held[] = [];

/** Keys that work while the component is shown; what was added last goes first. */
export function useKeys(keys: readonly Key[]): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    sets.push(held);
    return () => void sets.splice(sets.indexOf(held), 1);
  }, []);
}

/** All keys that work now, for the list. */
export function keys(): readonly Key[] {
  return sets.flatMap((held) => held.current).filter((key) => key.does);
}

const NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
};

export function named(key: string): string {
  return NAMES[key] ?? key;
}

/** Whether the element that has the focus needs the key for itself. */
function own(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const kind = target instanceof HTMLInputElement ? target.type : target.localName;
  if (kind === "range") return /^(Arrow|Page|Home|End)/.test(key);
  if (kind === "select" || kind === "textarea") return true;
  if (target instanceof HTMLInputElement && kind !== "checkbox") return true;
  return (key === " " || key === "Enter") && /^(a|button|summary|checkbox)$/.test(kind);
}

export function listen(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (own(event.target, event.key)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    // A dialog closes itself; what is under it stays as it is.
    if (event.key !== "?" && document.querySelector("dialog[open]")) return;
    for (const held of [...sets].reverse()) {
      const found = held.current.find((key) => key.key === event.key);
      if (found) {
        event.preventDefault();
        found.run(event);
        return;
      }
    }
  });
}
