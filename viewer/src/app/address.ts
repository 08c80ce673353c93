/** The address is the whole state of the page: a link that is mailed shows what the sender saw. */

import { useEffect, useState } from "preact/hooks";

export interface Address {
  view: string;
  /** Every other part: run, trial, seat, round, second, and what a view needs. */
  values: Readonly<Record<string, string>>;
}

type Changes = Record<string, string | number>;

export function parse(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path, values: Object.fromEntries(new URLSearchParams(query)) };
}

export function format(address: Address): string {
  const used = Object.entries(address.values).filter(([, value]) => value !== "");
  const query = new URLSearchParams(used).toString();
  return `#/${address.view}${query ? `?${query}` : ""}`;
}

function changed(now: Address, view: string, changes: Changes): Address {
  const texts = Object.entries(changes).map(([name, value]) => [name, `${value}`]);
  return { view, values: { ...now.values, ...Object.fromEntries(texts) } };
}

/** The link to another address; values that are not named stay as they are, "" takes one out. */
export function link(now: Address, view: string, changes: Changes = {}): string {
  return format(changed(now, view, changes));
}

let now = parse(location.hash);
const watchers = new Set<() => void>();
let late = 0;

/** Browsers refuse a page that writes its address at every frame. */
const PAUSE = 300;

/** How many steps of the history are this page's: further back is another page. */
let depth: number = history.state?.depth ?? 0;

addEventListener("hashchange", () => {
  // A link makes a step without a state.
  if (history.state === null) history.replaceState({ depth: depth + 1 }, "");
  depth = history.state?.depth ?? 0;
  show(parse(location.hash));
});

function show(next: Address): void {
  now = next;
  for (const watcher of [...watchers]) watcher();
}

function write(): void {
  clearTimeout(late);
  late = 0;
  if (location.hash !== format(now)) history.replaceState({ depth }, "", format(now));
}

function change(changes: Changes, options: { view?: string; replace?: boolean } = {}): void {
  const next = changed(now, options.view ?? now.view, changes);
  if (options.replace) {
    show(next);
    late ||= setTimeout(write, PAUSE);
    return;
  }
  if (late) write();
  if (format(next) !== format(now)) {
    depth += 1;
    history.pushState({ depth }, "", format(next));
  }
  show(next);
}

/** To the address before, if it was this page's. */
export function back(): void {
  if (late) write();
  if (depth > 0) history.back();
}

/**
 * The address and a way to change parts of it. `replace` leaves no step in the history: for
 * scrubbing and typing.
 */
export function useAddress(): [Address, typeof change] {
  const [address, read] = useState(now);
  useEffect(() => {
    const watcher = () => read(now);
    watcher();
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return [address, change];
}

/** A part of the address as a whole number, or a default. */
export function whole(
  values: Readonly<Record<string, string>>,
  name: string,
  otherwise: number,
): number {
  const number = Number(values[name]);
  return values[name] && Number.isInteger(number) ? number : otherwise;
}
