/** The last trials that were opened: scrubbing back is free, and memory stays bounded. */

import type { Source, Trial } from "./types";

const KEPT = 8;

export class Cache {
  private readonly held = new Map<string, Promise<Trial>>();

  constructor(private readonly source: Source) {}

  trial(run: string, number: number): Promise<Trial> {
    const key = `${number} ${run}`;
    const found = this.held.get(key) ?? this.source.trial(run, number);
    this.held.delete(key);
    this.held.set(key, found);
    found.catch(() => this.held.delete(key));
    for (const oldest of this.held.keys()) {
      if (this.held.size <= KEPT) break;
      this.held.delete(oldest);
    }
    return found;
  }
}
