/** Which run, which other run beside it, and which trial. */

import type { Head } from "../data/types";
import { useKeys } from "../ui/keys";
import { Select } from "../ui/parts";
import { number } from "../ui/text";
import type { View } from "../views/view";
import { useAddress, whole } from "./address";
import { conditioned, ended } from "./words";

interface Props {
  heads: readonly Head[];
  head: Head;
  second: Head | null;
  view: View;
}

/** What belongs to one trial is left behind with it. */
const LEFT = { seat: "", step: "", row: "" };

export function Pickers({ heads, head, second, view }: Props) {
  const [, change] = useAddress();
  const runs = heads.map((one) => [one.run, one.run] as const);
  const others = runs.filter(([run]) => run !== head.run);
  if (view.of === "runs") return null;
  return (
    <div class="controls">
      {heads.length > 1 && (
        <>
          <Select
            label="Run"
            value={head.run}
            options={runs}
            onChange={(run) => change({ run, trial: "", round: "", ...LEFT })}
          />
          {!view.alone && (
            <Select
              label="beside"
              value={second?.run ?? ""}
              options={[["", "nothing"], ...others]}
              onChange={(run) => change({ second: run, secondtrial: "" })}
            />
          )}
        </>
      )}
      {view.of === "trial" && <Trials head={head} value="trial" label="Trial" keyed />}
      {view.of === "trial" && second && !view.alone && (
        <Trials head={second} value="secondtrial" label="Trial beside" />
      )}
    </div>
  );
}

interface TrialsProps {
  head: Head;
  /** Its name in the address. */
  value: string;
  label: string;
  keyed?: boolean;
}

const MANY = 400;

function Trials({ head, value, label, keyed = false }: TrialsProps) {
  const [address, change] = useAddress();
  const { number: numbers, condition, seed, endpoint } = head.trials;
  const now = whole(address.values, value, whole(address.values, "trial", numbers[0] ?? 0));
  const at = numbers.indexOf(now);
  const go = (to: number) => {
    const next = numbers[to];
    if (next !== undefined) change({ [value]: next, ...(keyed ? LEFT : {}) });
  };
  useKeys(
    keyed
      ? [
          { key: "[", does: "trial before", run: () => go(at - 1) },
          { key: "]", does: "trial after", run: () => go(at + 1) },
        ]
      : [],
  );
  // A list of thousands is slow to open: those around the trial are enough, the runs list them all.
  const from = numbers.length > MANY ? Math.max(0, at - MANY / 2) : 0;
  const options = numbers.slice(from, from + MANY).map((one, nth) => {
    const place = from + nth;
    const set = conditioned(head.conditions[condition[place] ?? 0] ?? {});
    const end = ended(endpoint[place] ?? "");
    const words = [`${one}`, set, `seed ${seed[place]}`, end].filter(Boolean);
    return [`${one}`, words.join(" · ")] as const;
  });
  return (
    <>
      <Select
        label={label}
        value={`${now}`}
        options={options}
        onChange={(to) => go(numbers.indexOf(Number(to)))}
      />
      <span class="pair">
        <button
          type="button"
          disabled={at <= 0}
          onClick={() => go(at - 1)}
          aria-label={`${label} before`}
        >
          ‹{keyed && <kbd>[</kbd>}
        </button>
        <button
          type="button"
          disabled={at >= numbers.length - 1}
          onClick={() => go(at + 1)}
          aria-label={`${label} after`}
        >
          ›{keyed && <kbd>]</kbd>}
        </button>
      </span>
      <span class="soft">
        {number(at + 1)} of {number(numbers.length)}
      </span>
    </>
  );
}
