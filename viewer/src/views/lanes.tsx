import { useMemo } from "preact/hooks";
import { useAddress } from "../app/address";
import { called } from "../data/beliefs";
import { labelled } from "../data/talk";
import type { Trial } from "../data/types";
import { About, useSeat } from "../ui/About";
import { MARKS, type Mark, NONE, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Glyph, Key } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import { visible } from "../ui/text";
import type { Shown, View } from "./view";

const [TRUE_MARK = REST, FALSE_MARK = REST, THIRD = REST, FOURTH = REST] = MARKS;
const ADVERSARY: Mark = MARKS[5] ?? REST;

/** What is said of the planted answer. */
const STANCES: Record<string, Mark> = {
  endorse: FALSE_MARK,
  reject: TRUE_MARK,
  hedge: THIRD,
  ignore: FOURTH,
  unrelated: REST,
  invalid: NONE,
};

/** What is held in private. */
const PRIVATE: Record<string, Mark> = {
  FALSE: FALSE_MARK,
  TRUE: TRUE_MARK,
  ambiguous: THIRD,
  neither: REST,
  invalid: NONE,
};

const KEY = [
  { name: "says or holds the planted answer", mark: FALSE_MARK },
  { name: "rejects it, or holds the right one", mark: TRUE_MARK },
  { name: "hedges, or holds both", mark: THIRD },
  { name: "ignores the claim", mark: FOURTH },
  { name: "unrelated, or holds neither", mark: REST },
  { name: "invalid", mark: NONE },
  { name: "adversary: not probed", mark: ADVERSARY },
];

/** Stances in which what is held stays unsaid. */
const SILENT = ["hedge", "ignore", "unrelated"];

interface Cell {
  step: number;
  stance: string;
  held: string;
  unvoiced: boolean;
}

function Lanes({ trial }: Shown) {
  return trial && <Room trial={trial} />;
}

function Room({ trial }: { trial: Trial }) {
  const [address, change] = useAddress();
  const judges = useMemo(
    () => [
      ...new Set(trial.labels.filter((one) => one.rubric === "stance").map((one) => one.judge)),
    ],
    [trial],
  );
  const judge = judges.find((one) => one === address.values.judge) ?? judges.at(-1) ?? "";
  const cells = useMemo(() => laid(trial, judge), [trial, judge]);
  const seats = useMemo(
    () => trial.seats.flatMap((one, at) => (one.role === "monitor" ? [] : [at])),
    [trial],
  );
  const rounds = Array.from({ length: trial.cut + 1 }, (_, round) => round);
  const [round, go] = useRound(trial.cut);
  const hostile = (one: number) => trial.seats[one]?.adversary ?? false;
  const benign = seats.filter((one) => !hostile(one));
  const [seat, pick] = useSeat([...benign, ...seats.filter(hostile)]);
  const step = (by: number) => {
    const next = seats[seats.indexOf(seat) + by];
    if (next !== undefined) pick(next);
  };
  useKeys([
    { key: "ArrowUp", does: "agent above", run: () => step(-1) },
    { key: "ArrowDown", does: "agent below", run: () => step(1) },
    {
      key: "Enter",
      does: "open the agent",
      run: () => change({ seat, round, step: "" }, { view: "trial" }),
    },
  ]);
  const now = cells.get(`${seat}.${round}`);
  return (
    <>
      <About trial={trial} />
      {judges.length > 1 && (
        <Select
          label="Stances by"
          value={judge}
          options={judges.map((one) => [one, one])}
          onChange={(to) => change({ judge: to }, { replace: true })}
        />
      )}
      <Scrubber last={trial.cut} value={round} onChange={go} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
      <section class="scroll lanes" tabIndex={0} aria-label="Lanes of the agents">
        <table>
          <caption>
            Each cell: above, what the agent said; below, what it held after the round
          </caption>
          <thead>
            <tr>
              <th scope="col">agent</th>
              {rounds.map((one) => (
                <th scope="col" key={one} class={one === round ? "now" : ""}>
                  {one}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seats.map((one) => (
              <tr key={one} class={one === seat ? "now" : ""}>
                <th scope="row">{visible(called(trial, one))}</th>
                {rounds.map((when) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys pick as well
                  <td
                    key={when}
                    class={one === seat && when === round ? "now" : ""}
                    onClick={() => {
                      pick(one);
                      go(when);
                    }}
                  >
                    <Split cell={cells.get(`${one}.${when}`)} adversary={hostile(one)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Key marks={KEY} />
      <Note>
        Outlined: held in private and not said (it hedges, ignores the claim or speaks of something
        else). Estimates count such turns only after an adversary has spoken. n = {benign.length}{" "}
        benign agents, {rounds.length - 1} rounds.
      </Note>
      <section class="side" aria-label="The selected turn">
        <h3>
          Agent {visible(called(trial, seat))}, round {round}
        </h3>
        <p>
          {hostile(seat) && "An adversary: not probed. "}
          {now ? words(now) : "Nothing was asked of it in this round."}
        </p>
        {now && now.step >= 0 && <Long text={trial.steps.said[now.step] ?? ""} />}
      </section>
      <Behind
        caption="Stance and private answer of each turn"
        columns={["agent", "round", "stance", "holds", "unvoiced"]}
        rows={() =>
          seats.flatMap((one) =>
            rounds.flatMap((when) => {
              const cell = cells.get(`${one}.${when}`);
              const name = called(trial, one);
              return cell
                ? [
                    [
                      name,
                      when,
                      cell.stance || null,
                      cell.held || null,
                      cell.unvoiced ? "yes" : "no",
                    ],
                  ]
                : [];
            }),
          )
        }
        version={`${trial.number} ${judge}`}
      />
    </>
  );
}

function words(cell: Cell): string {
  const silent = cell.step < 0 ? "Says nothing" : "Speaks, its stance not judged";
  const stance = cell.stance ? `Says: ${cell.stance}` : silent;
  const held = cell.held ? `; holds: ${cell.held}` : "";
  return `${stance}${held}${cell.unvoiced ? "; believed but not said" : ""}`;
}

/** Seat and round -> what was said and held there. */
function laid(trial: Trial, judge: string): Map<string, Cell> {
  const found = new Map<string, Cell>();
  const labels = labelled(trial);
  const { purpose, seat, round, valid } = trial.steps;
  purpose.forEach((kind, step) => {
    if (kind !== "message") return;
    const own = labels.get(step)?.filter((label) => label.rubric === "stance") ?? [];
    const label = own.find((one) => one.judge === judge) ?? own[0];
    const said = (label?.value as { stance?: string } | null)?.stance ?? "";
    const stance = valid[step] ? said : "invalid";
    found.set(`${seat[step]}.${round[step]}`, { step, stance, held: "", unvoiced: false });
  });
  for (const [one, states] of Object.entries(trial.held))
    states.forEach((held, when) => {
      const key = `${one}.${when}`;
      const cell = found.get(key) ?? { step: -1, stance: "", held, unvoiced: false };
      const unvoiced = held === "FALSE" && SILENT.includes(cell.stance);
      found.set(key, { ...cell, held, unvoiced });
    });
  return found;
}

function Split({ cell, adversary }: { cell: Cell | undefined; adversary: boolean }) {
  if (!cell) return null;
  const above = STANCES[cell.stance];
  const below = adversary ? ADVERSARY : PRIVATE[cell.held];
  return (
    <>
      <svg width="24" height="34" aria-hidden="true">
        {above && <Half mark={above} top={1} />}
        {below && <Half mark={below} top={18} />}
        {cell.unvoiced && (
          <rect class="unvoiced" x="1.2" y="1.2" width="21.6" height="31.6" fill="none" />
        )}
      </svg>
      <span class="visually-hidden">
        {adversary && "Adversary: not probed. "}
        {words(cell)}
      </span>
    </>
  );
}

function Half({ mark, top }: { mark: Mark; top: number }) {
  return (
    <>
      <rect x="2" y={top} width="20" height="15" fill={`var(${mark.colour})`} opacity="0.22" />
      <Glyph mark={mark} x={12} y={top + 7.5} size={10} />
    </>
  );
}

const view: View = {
  name: "lanes",
  title: "Lanes",
  question: "Who believes it and does not say so?",
  of: "trial",
  alone: true,
  needs: (head, trial) => {
    if (!head.protocols.includes("chatroom")) return "Only chatrooms ask for private answers.";
    if (head.trials.number.length === 0) return "No trial is completed.";
    return trial && trial.protocol !== "chatroom" ? "This trial is no chatroom." : null;
  },
  Component: Lanes,
};

export default view;
