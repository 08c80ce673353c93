/** The address is the whole state of the page: a link that is mailed shows what the sender saw. */

import { useEffect, useState } from "preact/hooks";

export interface Address {
  view: string;
  /** Every other part: run, trial, seat, round, second, and what a view needs. */
  values: Readonly<Record<string, string>>;
}

export function parse(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path, values: Object.fromEntries(new URLSearchParams(query)) };
}

export function format(address: Address): string {
  const used = Object.entries(address.values).filter(([, value]) => value !== "");
  const query = new URLSearchParams(used).toString();
  return `#/${address.view}${query ? `?${query}` : ""}`;
}

/** The link to another address; values that are not named stay as they are. */
export function link(
  now: Address,
  view: string,
  changes: Record<string, string | number> = {},
): string {
  const texts = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, `${value}`]),
  );
  return format({ view, values: { ...now.values, ...texts } });
}

/**
 * The address and a way to change parts of it. `replace` leaves no step in the history: for
 * scrubbing and typing.
 */
export function useAddress(): [
  Address,
  (
    changes: Record<string, string | number>,
    options?: { view?: string; replace?: boolean },
  ) => void,
] {
  const [address, read] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => read(parse(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const change = (
    changes: Record<string, string | number>,
    options: { view?: string; replace?: boolean } = {},
  ) => {
    const now = parse(location.hash);
    const target = link(now, options.view ?? now.view, changes);
    if (options.replace) {
      history.replaceState(null, "", target);
      dispatchEvent(new HashChangeEvent("hashchange"));
    } else {
      location.hash = target;
    }
  };
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
