/** The page around the views: what run this is, which views there are, and the one in sight. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Cache } from "../data/cache";
import type { Head, Trial } from "../data/types";
import { number, visible } from "../ui/text";
import { VIEWS } from "../views";
import type { View } from "../views/view";
import { type Address, link, useAddress, whole } from "./address";

interface Props {
  heads: readonly Head[];
  cache: Cache;
}

export function Shell({ heads, cache }: Props) {
  const [address] = useAddress();
  const head = heads.find((one) => one.run === address.values.run) ?? heads[0];
  const second = heads.find((one) => one.run === address.values.second) ?? null;
  const usable = VIEWS.filter((view) => head && !view.needs(head));
  const view = VIEWS.find((one) => one.name === address.view) ?? usable[0] ?? VIEWS[0];
  useTitle(head, view);
  if (!head || !view) return <p>This page holds no run.</p>;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <header class="top">
        <h1>{visible(head.study)}</h1>
        <p class="label">{visible(head.label)}</p>
        <Counts head={head} />
      </header>
      <div class="frame">
        <Menu address={address} head={head} now={view} />
        <main id="main" tabIndex={-1}>
          <h2>{view.title}</h2>
          <p class="question">{view.question}</p>
          {view.needs(head) ? (
            <p>{view.needs(head)}</p>
          ) : (
            <Held
              key={view.name}
              view={view}
              head={head}
              second={second}
              address={address}
              cache={cache}
            />
          )}
        </main>
      </div>
    </>
  );
}

function useTitle(head: Head | undefined, view: View | undefined): void {
  useEffect(() => {
    document.title = `${view?.title ?? ""} - ${visible(head?.study ?? "")} - socialcircuits`;
  }, [head, view]);
}

function Counts({ head }: { head: Head }) {
  const {
    completed = 0,
    planned = 0,
    failed = 0,
    excluded = 0,
    made = 0,
    invalid = 0,
  } = head.counts;
  return (
    <p class="label">
      {number(completed)} of {number(planned)} trials, {number(excluded)} outside estimates,{" "}
      {number(invalid)} of {number(made)} replies invalid
      {failed > 0 && <span class="loud"> {number(failed)} trials failed</span>}
      {head.unfinished && <span class="loud"> unfinished</span>}
    </p>
  );
}

function Menu({ address, head, now }: { address: Address; head: Head; now: View }) {
  return (
    <nav class="views" aria-label="Views">
      <ul>
        {VIEWS.map((view) => {
          const lacking = view.needs(head);
          return (
            <li key={view.name}>
              {lacking ? (
                <span class="off" title={lacking}>
                  {view.title}
                </span>
              ) : (
                <a href={link(address, view.name)} aria-current={view === now ? "page" : undefined}>
                  {view.title}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

interface HeldProps {
  view: View;
  head: Head;
  second: Head | null;
  address: Address;
  cache: Cache;
}

/** A view with the trials that it needs, when they are unpacked. */
function Held({ view, head, second, address, cache }: HeldProps) {
  const own = whole(address.values, "trial", head.trials.number[0] ?? 0);
  const other = whole(address.values, "secondtrial", own);
  const trial = useTrial(cache, view.of === "trial" ? head : null, own);
  const beside = useTrial(cache, view.of === "trial" ? second : null, other);
  if (view.of === "trial" && trial.why) return <p class="loud">{visible(trial.why)}</p>;
  if (view.of === "trial" && !trial.found) return <p aria-busy="true">Unpacking trial {own} ...</p>;
  return (
    <view.Component head={head} trial={trial.found} second={second} secondTrial={beside.found} />
  );
}

interface Unpacked {
  found: Trial | null;
  why: string;
}

function useTrial(cache: Cache, head: Head | null, wanted: number): Unpacked {
  const [state, set] = useState<Unpacked>({ found: null, why: "" });
  const asked = useRef("");
  const run = head?.run ?? "";
  useEffect(() => {
    const key = `${wanted} ${run}`;
    asked.current = key;
    if (!run) return set({ found: null, why: "" });
    // What was asked for last stands, whichever is unpacked first.
    const keep = (next: Unpacked) => asked.current === key && set(next);
    cache.trial(run, wanted).then(
      (found) => keep({ found, why: "" }),
      (error: Error) => keep({ found: null, why: error.message }),
    );
  }, [cache, run, wanted]);
  return state;
}
