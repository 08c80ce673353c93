/** Runs that are not finished are read again from time to time. */

import { useEffect, useState } from "preact/hooks";
import type { Cache } from "../data/cache";
import { ServerSource } from "../data/source";
import type { Head, Source } from "../data/types";
import { Heads } from "./held";
import { Shell } from "./shell";

const PAUSE = 10_000;

interface Props {
  heads: readonly Head[];
  from: Source;
  cache: Cache;
}

export function Live({ heads: opened, from, cache }: Props) {
  const [heads, set] = useState(opened);
  const [missed, miss] = useState(0);
  useEffect(() => {
    if (!(from instanceof ServerSource) || !heads.some((head) => head.unfinished)) return;
    // A server that is gone leaves the page as it is; it may come back.
    const timer = setTimeout(() => from.heads().then(set, () => miss(missed + 1)), PAUSE);
    return () => clearTimeout(timer);
  }, [from, heads, missed]);
  return (
    <Heads.Provider value={heads}>
      <Shell heads={heads} cache={cache} />
    </Heads.Provider>
  );
}
