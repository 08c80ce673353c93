/**
 * Where chunks come from: script blocks of the page itself (a mailed file), or the server on this
 * machine. Both hold the same chunks: gzipped JSON in base64.
 */

import type { Head, Prompt, Source, Trial } from "./types";

/** Unpack a chunk. */
export async function unpack<T>(base64: string): Promise<T> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as T;
}

/** The chunks of a page that works from disk. Block ids: `head-RUN`, `trial-RUN-NUMBER`. */
export class FileSource implements Source {
  constructor(private readonly page: Document) {}

  async heads(): Promise<Head[]> {
    const blocks = [...this.page.querySelectorAll("script[data-head]")];
    return Promise.all(blocks.map((block) => unpack<Head>(block.textContent ?? "")));
  }

  async trial(run: string, number: number): Promise<Trial> {
    return unpack<Trial>(this.block("trial", run, number).textContent ?? "");
  }

  async prompt(): Promise<Prompt | null> {
    return null;
  }

  private block(kind: string, run: string, number: number): Element {
    // Names of runs are anybody's: compared as text, never put into a selector.
    for (const block of this.page.querySelectorAll(
      `script[data-${kind}="${Math.trunc(number)}"]`,
    )) {
      if (block.getAttribute("data-run") === run) return block;
    }
    throw new Error(`this page does not hold trial ${number} of ${run}`);
  }
}

/** The chunks of a server on this machine. */
export class ServerSource implements Source {
  async heads(): Promise<Head[]> {
    const listed = await this.json<{ runs: string[] }>("runs");
    return Promise.all(listed.runs.map((_, place) => this.chunk<Head>(`run/${place}/head`)));
  }

  async trial(run: string, number: number): Promise<Trial> {
    return this.chunk<Trial>(`run/${await this.place(run)}/trial/${Math.trunc(number)}`);
  }

  async prompt(run: string, trial: number, step: number): Promise<Prompt | null> {
    const path = `run/${await this.place(run)}/prompt/${Math.trunc(trial)}/${Math.trunc(step)}`;
    return this.chunk<Prompt | null>(path);
  }

  private async place(run: string): Promise<number> {
    const { runs } = await this.json<{ runs: string[] }>("runs");
    const place = runs.indexOf(run);
    if (place < 0) throw new Error(`the server does not hold the run ${run}`);
    return place;
  }

  private async chunk<T>(path: string): Promise<T> {
    return unpack<T>(await (await this.get(path)).text());
  }

  private async json<T>(path: string): Promise<T> {
    return (await (await this.get(path)).json()) as T;
  }

  private async get(path: string): Promise<Response> {
    const answer = await fetch(`data/${path}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${path}`);
    return answer;
  }
}

export function source(page: Document): Source {
  return page.querySelector("script[data-head]") ? new FileSource(page) : new ServerSource();
}
