/** The views; those that do not apply are listed with why. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Head } from "../data/types";
import { VIEWS } from "../views";
import type { View } from "../views/view";
import { type Address, link } from "./address";

interface Props {
  address: Address;
  head: Head;
  /** null where there is none of the name in the address. */
  now: View | null;
}

export function Menu({ address, head, now }: Props) {
  const lacking = useMemo(() => VIEWS.map((view) => view.needs(head)), [head]);
  const current = useRef<HTMLLIElement>(null);
  // On narrow screens the menu is one line that scrolls.
  useEffect(() => current.current?.scrollIntoView({ block: "nearest", inline: "center" }), [now]);
  const off = VIEWS.map((view, place) => ({ view, why: lacking[place] })).filter(({ why }) => why);
  return (
    <nav class="views" aria-label="Views">
      <ul>
        {VIEWS.map(
          (view, place) =>
            !lacking[place] && (
              <li key={view.name} ref={view === now ? current : null}>
                <a href={link(address, view.name)} aria-current={view === now ? "page" : undefined}>
                  {view.title}
                </a>
              </li>
            ),
        )}
      </ul>
      {off.length > 0 && (
        <details>
          <summary>{off.length} views do not apply</summary>
          <dl>
            {off.map(({ view, why }) => (
              <div key={view.name}>
                <dt>{view.title}</dt>
                <dd>{why}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </nav>
  );
}
