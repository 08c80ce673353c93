/** The page around the views: what run this is, which views there are, and the one in sight. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Cache } from "../data/cache";
import type { Head } from "../data/types";
import { wear } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { number, visible } from "../ui/text";
import { VIEWS } from "../views";
import type { View } from "../views/view";
import { back, link, useAddress } from "./address";
import { Body } from "./body";
import { Help } from "./help";
import { Menu } from "./menu";
import { Pickers } from "./pickers";

interface Props {
  heads: readonly Head[];
  cache: Cache;
}

export function Shell({ heads, cache }: Props) {
  const [address, change] = useAddress();
  const head = heads.find((one) => one.run === address.values.run) ?? heads[0];
  const second = heads.find((one) => one !== head && one.run === address.values.second) ?? null;
  const named = VIEWS.find((one) => one.name === address.view);
  const view = named ?? first(head);
  const { run, second: other } = address.values;
  const lost = [run, other].filter((one) => one && !heads.some((held) => held.run === one));
  const unknown = address.view !== "" && !named;
  const main = useRef<HTMLElement>(null);
  useTitle(head, unknown ? NOWHERE : view?.title);
  useFocus(main.current, view);
  const theme = address.values.theme ?? "";
  useEffect(() => wear(theme), [theme]);
  useKeys([{ key: "Escape", does: "back", run: back }]);
  if (!head || !view) return <p class="alone">This page holds no run.</p>;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <header class="top">
        <h1>{visible(head.study, 120) || "socialcircuits"}</h1>
        <Labels heads={inSight(heads, head, second, view)} />
        <Counts head={head} />
        <div class="tools">
          <Help />
          <Theme theme={theme} change={(next) => change({ theme: next }, { replace: true })} />
        </div>
      </header>
      <div class="frame">
        <Menu address={address} head={head} now={unknown ? null : view} />
        <main id="main" tabIndex={-1} ref={main}>
          <h2>{unknown ? NOWHERE : view.title}</h2>
          {!unknown && <p class="question">{view.question}</p>}
          {!unknown && <Pickers heads={heads} head={head} second={second} view={view} />}
          {unknown && <Lost>There is no view {visible(address.view, 120)}.</Lost>}
          {lost.map((one) => (
            <Lost key={one}>This page does not hold {visible(one ?? "", 300)}.</Lost>
          ))}
          {lost.length > 0 && !unknown && (
            <a href={link(address, view.name, lost.includes(run) ? ALONE : BESIDE)}>
              {view.title} of what it holds
            </a>
          )}
          {!unknown && lost.length === 0 && (
            <Body view={view} head={head} second={second} cache={cache} />
          )}
        </main>
      </div>
    </>
  );
}

/** What goes from the address with a run that is not here, as the one in sight or as that beside. */
const BESIDE = { second: "", secondtrial: "" };
const ALONE = { ...BESIDE, run: "", trial: "", seat: "", round: "", step: "", row: "" };

function Lost({ children }: { children: ComponentChildren }) {
  return (
    <p class="loud" role="alert">
      {children}
    </p>
  );
}

/** The runs that the view draws from. */
function inSight(
  heads: readonly Head[],
  head: Head,
  second: Head | null,
  view: View,
): readonly Head[] {
  if (view.wide || view.of === "runs") return heads;
  return second && !view.alone ? [head, second] : [head];
}

/** What kind of agents sat in the runs in sight; a label that all share is said once. */
function Labels({ heads }: { heads: readonly Head[] }) {
  const labels = [...new Set(heads.map((one) => one.label))];
  return (
    <>
      {labels.map((label) => {
        const own = heads.filter((one) => one.label === label);
        const runs = labels.length > 1 ? `${own.map((one) => one.run).join(", ")}: ` : "";
        return (
          <p key={label} class={own.some((one) => one.simulated) ? "label simulated" : "label"}>
            {visible(runs, 300)}
            {visible(label, 300)}
          </p>
        );
      })}
    </>
  );
}

function first(head: Head | undefined): View | undefined {
  const usable = VIEWS.filter((view) => head && !view.needs(head));
  return usable[0] ?? VIEWS[0];
}

const NOWHERE = "Not found";

function useTitle(head: Head | undefined, title = ""): void {
  useEffect(() => {
    document.title = `${title} - ${visible(head?.study ?? "", 120)} - socialcircuits`;
  }, [head, title]);
}

/** Another view takes the focus, so that what comes next is read and reached from its beginning. */
function useFocus(main: HTMLElement | null, view: View | undefined): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current !== view) main?.focus({ preventScroll: true });
    before.current = view;
  }, [main, view]);
}

function Counts({ head }: { head: Head }) {
  const { completed, planned, failed = 0, made, invalid } = head.counts;
  const outside = head.trials.role.filter((role) => role !== "estimate").length;
  return (
    <p class="label">
      {number(completed)} of {number(planned)} trials
      {outside > 0 && `, ${number(outside)} of them outside estimates`}
      {made !== undefined && `; ${number(invalid ?? 0)} of ${number(made)} replies invalid`}
      {failed > 0 && <span class="loud"> {number(failed)} failed</span>}
      {head.unfinished && <span class="loud"> unfinished</span>}
    </p>
  );
}

const THEMES = ["", "light", "dark"];

function Theme({ theme, change }: { theme: string; change: (next: string) => void }) {
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "";
  return (
    <button type="button" class="theme" onClick={() => change(next)}>
      Theme: {theme === "light" || theme === "dark" ? theme : "system"}
    </button>
  );
}
