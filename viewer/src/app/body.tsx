/** The view in sight, with the trials that it needs; what goes wrong in it is said in its place. */

import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Cache } from "../data/cache";
import type { Head, Trial } from "../data/types";
import { sentence, visible } from "../ui/text";
import type { View } from "../views/view";
import { useAddress, whole } from "./address";

interface Props {
  view: View;
  head: Head;
  second: Head | null;
  cache: Cache;
}

export function Body({ view, head, second, cache }: Props) {
  const [address] = useAddress();
  const own = whole(address.values, "trial", head.trials.number[0] ?? 0);
  const other = whole(address.values, "secondtrial", own);
  const lacking = view.needs(head);
  const needed = view.of === "trial" && !lacking;
  const trial = useTrial(cache, needed ? head.run : "", own);
  const beside = useTrial(cache, needed && second ? second.run : "", other);
  const why = trial.why || beside.why;
  const unfit = lacking ?? (trial.found && view.needs(head, trial.found));
  const waits = needed && !unfit && !trial.found && !why;
  return (
    <>
      <p class="visually-hidden" role="status">
        {waits ? `Unpacking trial ${own}` : why ? "" : `${view.title} is shown`}
      </p>
      {why && <Failed what={`Trial ${own} cannot be read.`} why={why} />}
      {unfit && <p>{visible(unfit)}</p>}
      {waits && <p aria-hidden="true">Unpacking trial {own} ...</p>}
      {!unfit && (!needed || trial.found) && (
        <Boundary key={`${view.name} ${head.run} ${trial.found?.number}`} title={view.title}>
          <view.Component
            head={head}
            trial={trial.found}
            second={second}
            secondTrial={beside.found}
          />
        </Boundary>
      )}
    </>
  );
}

function Failed({ what, why }: { what: string; why: string }) {
  return (
    <p class="loud" role="alert">
      {what} {visible(sentence(why))}
    </p>
  );
}

interface BoundaryProps {
  title: string;
  children: ComponentChildren;
}

/** A view that throws does not take the page down. */
class Boundary extends Component<BoundaryProps, { why: string }> {
  override state = { why: "" };

  static override getDerivedStateFromError(error: unknown) {
    return { why: error instanceof Error ? error.message : String(error) };
  }

  render() {
    const { title, children } = this.props;
    if (!this.state.why) return children;
    return <Failed what={`${title} cannot be drawn.`} why={this.state.why} />;
  }
}

interface Unpacked {
  key: string;
  found: Trial | null;
  why: string;
}

function useTrial(cache: Cache, run: string, wanted: number): Unpacked {
  const [state, set] = useState<Unpacked>({ key: "", found: null, why: "" });
  const key = run ? `${wanted} ${run}` : "";
  const asked = useRef(key);
  asked.current = key;
  useEffect(() => {
    if (!run) return;
    // What was asked for last stands, whichever is unpacked first.
    const keep = (next: Omit<Unpacked, "key">) => asked.current === key && set({ key, ...next });
    cache.trial(run, wanted).then(
      (found) => keep({ found, why: "" }),
      (error: Error) => keep({ found: null, why: error.message }),
    );
  }, [cache, run, wanted, key]);
  if (!run) return { key, found: null, why: "" };
  return state.key === key ? state : { key, found: null, why: "" };
}
