import { useMemo } from "preact/hooks";
import { link, useAddress } from "../app/address";
import type { Head } from "../data/types";
import { useKeys } from "../ui/keys";
import { interval } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { number, visible } from "../ui/text";
import { Windowed } from "../ui/Windowed";
import { CHOICES, parts, type Thing, useThings } from "./labels";
import { grouped, numeric, type Row, rows, settings } from "./rows";
import { lacking, type Shown, type View } from "./view";
import "./words.css";

const PREFIX = "tactic_";
const RULES = "rules";
const NAMES = Object.keys(CHOICES.tactics ?? {});

function Tactics({ head, second }: Shown) {
  const [address, change] = useAddress();
  const tactic = NAMES.find((name) => name === address.values.tactic) ?? NAMES[0] ?? "";
  const strips = useMemo(
    () => [head, ...(second?.frames.labelled ? [second] : [])].flatMap(cut),
    [head, second],
  );
  const move = (by: number) => {
    const next = NAMES[NAMES.indexOf(tactic) + by];
    if (next) change({ tactic: next, item: "" }, { replace: true });
  };
  useKeys([
    { key: "ArrowDown", does: "next tactic", run: () => move(1) },
    { key: "ArrowUp", does: "tactic before", run: () => move(-1) },
  ]);
  return (
    <>
      <Strip
        {...{ strips, tactic, beside: second !== null }}
        pick={(name) => change({ tactic: name, item: "" }, { replace: true })}
      />
      {second && !second.frames.labelled && <p>{visible(second.run)} holds no labelled tactics.</p>}
      <Note>
        Share of the deceivers' messages of a round in which a tactic stands; one message can have
        several. {visible(head.frames.labelled?.note ?? "")}
      </Note>
      <Behind
        caption="Tactics by round"
        columns={["run", "condition", "tactic", "round", "value", "low", "high", "n"]}
        rows={() =>
          strips.flatMap((strip) =>
            strip.rows.map((row) => [
              strip.run,
              strip.name,
              plain(String(row.measure).slice(PREFIX.length)),
              row.round ?? null,
              row.value ?? null,
              row.low ?? null,
              row.high ?? null,
              row.n ?? null,
            ]),
          )
        }
        version={strips.map((strip) => `${strip.run} ${strip.name}`).join()}
      />
      <Quotes head={head} tactic={tactic} keyed />
      {second?.frames.labelled && <Quotes head={second} tactic={tactic} />}
    </>
  );
}

interface Cut {
  run: string;
  name: string;
  rounds: number[];
  rows: Row[];
}

/** The tactics of each condition of a run. */
function cut(head: Head): Cut[] {
  const frame = head.frames.labelled;
  const found = rows(frame).filter((row) => String(row.measure).startsWith(PREFIX));
  return [...grouped(found, settings(found, frame, "measure"))].map(([name, own]) => ({
    run: head.run,
    name,
    rounds: [...new Set(own.map((row) => Number(row.round)))].sort((a, b) => a - b),
    rows: own,
  }));
}

interface StripProps {
  strips: readonly Cut[];
  tactic: string;
  beside: boolean;
  pick: (name: string) => void;
}

function Strip({ strips, tactic, beside, pick }: StripProps) {
  const columns = strips.flatMap((strip) =>
    strip.rounds.map((round) => ({
      round,
      own: strip.rows.filter((row) => row.round === round),
    })),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="scroll" tabIndex={0} aria-label="Tactics by round">
      <table class="tactics">
        <caption>Tactics by round: share of the deceivers' messages (95 % interval)</caption>
        <thead>
          <tr>
            <td />
            {strips.map((strip) => (
              <th scope="colgroup" colSpan={strip.rounds.length} key={`${strip.run} ${strip.name}`}>
                {visible([beside && strip.run, strip.name].filter(Boolean).join(", ")) ||
                  "all conditions"}
              </th>
            ))}
          </tr>
          <tr>
            <td />
            {columns.map(({ round, own }, at) => (
              <th scope="col" key={at}>
                round {round}, n = {number(numeric(own[0]?.n))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {NAMES.map((name) => (
            <tr key={name} class={name === tactic ? "chosen" : ""} aria-current={name === tactic}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => pick(name)}>
                  {plain(name)}
                </button>
              </th>
              {columns.map(({ own }, at) => (
                <Share key={at} row={own.find((row) => row.measure === PREFIX + name)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Share({ row }: { row: Row | undefined }) {
  const [value, low, high] = [row?.value, row?.low, row?.high].map(numeric);
  if (value == null) return <td>-</td>;
  const at = (one: number) => `${100 * one}%`;
  return (
    <td>
      <svg class="strip" aria-hidden="true" width="100%" height="12">
        <rect width="100%" y="1" height="10" fill="var(--panel)" />
        <rect width={at(value)} y="1" height="10" fill="var(--rival)" />
        {low != null && high != null && (
          <line x1={at(low)} x2={at(high)} y1="6" y2="6" stroke="var(--ink)" stroke-width="1.5" />
        )}
      </svg>
      {interval(value, low, high)}
    </td>
  );
}

function Quotes({ head, tactic, keyed = false }: { head: Head; tactic: string; keyed?: boolean }) {
  const [address, change] = useAddress();
  const found = useThings(head, "tactics");
  const { by = "" } = address.values;
  const judge = [by, String(head.settings.judge)].find((one) => head.judges.includes(one)) ?? RULES;
  const used = useMemo(
    () =>
      found.things
        .map((thing) => [thing, quote(thing, tactic, judge)] as const)
        .filter(([, words]) => words !== null),
    [found.things, tactic, judge],
  );
  const at = keyed ? used.findIndex(([thing]) => thing.key === address.values.item) : -1;
  const go = (to: number) => {
    const next = used[to]?.[0];
    if (next) change({ item: next.key }, { replace: true });
  };
  const opened = used[at]?.[0];
  useKeys(
    keyed
      ? [
          { key: "j", does: "next quote", run: () => go(at + 1) },
          { key: "k", does: "quote before", run: () => go(at - 1) },
          {
            key: "Enter",
            does: "open the transcript at the quote",
            run: () => opened && change(place(head, opened), { view: "transcript" }),
          },
        ]
      : [],
  );
  return (
    <section aria-label={`Quotes of ${head.run}`}>
      <h3>
        {!keyed && `${visible(head.run)}: `}
        {plain(tactic)}
      </h3>
      {head.judges.length > 1 && (
        <Select
          label="Labelled by"
          value={judge}
          options={head.judges.map((one) => [one, one])}
          onChange={(to) => change({ by: to }, { replace: true })}
        />
      )}
      <p class="soft" role="status">
        {number(used.length)} of {number(found.things.length)} labelled messages, of{" "}
        {number(found.trials.length)} trials{found.busy && ", unpacking more"}
        {found.why && <span class="loud"> {visible(found.why)}</span>}
      </p>
      <Windowed
        label={`Messages with ${plain(tactic)}, ${visible(head.run)}`}
        count={used.length}
        guess={70}
        height={420}
        at={at}
        version={`${head.run} ${tactic} ${judge} ${used.length}`}
        row={(nth) => {
          const [thing, words] = used[nth] ?? [];
          if (!thing) return null;
          return (
            <article class={nth === at ? "talk now" : "talk"}>
              <h3>
                <a href={link(address, "transcript", place(head, thing))}>{visible(thing.agent)}</a>
                <span class="soft">
                  round {thing.round}, trial {thing.trial}
                </span>
              </h3>
              <div class="whole">
                <span class="answer">{visible(thing.answer.slice(0, 300))}</span>{" "}
                <Long text={thing.said} most={700} marked={(words ?? "").split("\n")} />
              </div>
            </article>
          );
        }}
      />
    </section>
  );
}

/** The words that a judge quotes for a tactic; null where it has not found it. */
function quote(thing: Thing, tactic: string, judge: string): string | null {
  // As in estimates: where the judge has said nothing, the rules' label stands.
  const label = [judge, RULES]
    .map((name) => thing.labels.find((one) => one.judge === name && one.value !== null))
    .find(Boolean);
  if (!label) return null;
  const found = Object.entries(parts(label)).filter(([, used]) => used === "true");
  const nth = found.findIndex(([name]) => name === tactic);
  const lines = label.quote.split("\n");
  // A quote that serves two tactics is given once; then all are marked.
  if (nth < 0) return null;
  return lines.length === found.length ? (lines[nth] ?? "") : label.quote;
}

function place(head: Head, thing: Thing) {
  const row = `${thing.round}.${thing.seat}`;
  return { run: head.run, trial: thing.trial, seat: "", talkround: "", purpose: "", q: "", row };
}

function plain(name: string): string {
  return name.replaceAll("_", " ");
}

const view: View = {
  name: "tactics",
  title: "Tactics",
  question: "Which tactics do deceivers use, and when?",
  of: "run",
  needs: (head) =>
    rows(head.frames.labelled).some((row) => String(row.measure).startsWith(PREFIX))
      ? null
      : lacking(head, "No judge has labelled the tactics of deceivers in this run."),
  Component: Tactics,
};

export default view;
