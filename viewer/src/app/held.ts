/** What the page holds, for views that are of all runs. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Head, Source } from "../data/types";

export const Heads = createContext<readonly Head[]>([]);
export const Chunks = createContext<Source | null>(null);

export function useHeads(): readonly Head[] {
  return useContext(Heads);
}

export function useSource(): Source {
  const found = useContext(Chunks);
  if (!found) throw new Error("no source of chunks");
  return found;
}
