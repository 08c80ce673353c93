import { useMemo, useState } from "preact/hooks";
import { type Address, link, useAddress, whole } from "../app/address";
import { value } from "../data/talk";
import type { Head, Label } from "../data/types";
import { useKeys } from "../ui/keys";
import { Dots, type Valued } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { FrameTable } from "../ui/Table";
import { number, visible } from "../ui/text";
import { Windowed } from "../ui/Windowed";
import { CHOICES, csv, disputed, relabelled, type Thing, useThings } from "./labels";
import { distinct, numeric, type Row, rows } from "./rows";
import { lacking, type Shown, type View } from "./view";
import "./words.css";

const SHOWN = [
  ["", "all labels"],
  ["disputed", "where judges disagree"],
  ["open", "without a label of mine"],
  ["mine", "with a label of mine"],
] as const;

function Judge({ head, second }: Shown) {
  return (
    <>
      <Agreement head={head} keyed />
      {second && <Agreement head={second} />}
      <Labels head={head} />
    </>
  );
}

/** Share alike and kappa of each part of a rubric, and what was confused in the chosen one. */
function Agreement({ head, keyed = false }: { head: Head; keyed?: boolean }) {
  const [address, change] = useAddress();
  const { rubric = "", part = "" } = address.values;
  const frame = head.frames.agreement;
  const all = useMemo(() => rows(frame), [frame]);
  const found = all.filter((row) => !rubric || row.rubric === rubric);
  const several = distinct(all, "judges").length > 1;
  const named = (row: Row) =>
    [several && row.judges, plain(row.rubric), plain(row.part)].filter(Boolean).join(", ");
  const chosen = found.find((row) => named(row) === part) ?? found[0];
  const name = keyed ? "" : `${visible(head.run)}: `;
  if (!chosen || !frame)
    return (
      <p>
        {name}
        {all.length > 0
          ? "of this rubric the judges have labelled nothing in common."
          : `labelled by ${visible(head.judges.join(", "))} alone, so there is nothing to compare. ` +
            "socialcircuits judge RUN --with MODEL has another judge read the same trials."}
      </p>
    );
  const dots = (what: "kappa" | "share") =>
    found.map(
      (row): Valued => ({
        name: named(row),
        value: numeric(row[what]),
        low: numeric(row[`${what}_low`]),
        high: numeric(row[`${what}_high`]),
        n: numeric(row.n),
      }),
    );
  const open = (nth: number) =>
    change({ part: found[nth] ? named(found[nth]) : "" }, { replace: true });
  return (
    <section aria-label={`${name}agreement`}>
      <h3>
        {name}
        {several ? "judges two by two" : visible(String(chosen.judges))}
      </h3>
      <div class="panels">
        <div>
          <Dots
            caption="Cohen's kappa by part of a rubric (95 % interval); dashed: as by chance"
            rows={dots("kappa")}
            range={[Math.min(0, ...dots("kappa").map((row) => row.low ?? row.value ?? 0)), 1]}
            reference={0}
            onOpen={open}
          />
          <Dots
            caption="Share that both label alike (95 % interval)"
            rows={dots("share")}
            range={[0, 1]}
            onOpen={open}
          />
        </div>
        <Confusion head={head} chosen={chosen} name={named(chosen)} />
      </div>
      {keyed && address.values.table === "1" && <FrameTable frame={frame} />}
    </section>
  );
}

function Confusion({ head, chosen, name }: { head: Head; chosen: Row; name: string }) {
  const pairs = rows(head.frames.confusion).filter((row) =>
    ["judges", "rubric", "part"].every((column) => row[column] === chosen[column]),
  );
  const values = [...new Set(pairs.flatMap((row) => [String(row.first), String(row.second)]))];
  const [first = "first", other = "second"] = String(chosen.judges).split(" and ");
  const count = (one: string, two: string) =>
    numeric(pairs.find((row) => row.first === one && row.second === two)?.pairs) ?? 0;
  const most = Math.max(1, ...pairs.map((row) => numeric(row.pairs) ?? 0));
  return (
    <div>
      <h4>{visible(name)}</h4>
      <p class="soft">
        {number(numeric(chosen.agreed))} of {number(numeric(chosen.pairs))} things alike, n ={" "}
        {number(numeric(chosen.n))} items, Krippendorff's alpha {number(numeric(chosen.alpha))};{" "}
        {number(numeric(chosen.alone))} labelled by one only. Rows: {visible(first)}, columns:{" "}
        {visible(other)}.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
      <section class="scroll" tabIndex={0} aria-label={`Confusion: ${visible(name)}`}>
        <table class="confusion">
          <thead>
            <tr>
              <td />
              {values.map((one) => (
                <th scope="col" class="num" key={one}>
                  {visible(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {values.map((one) => (
              <tr key={one}>
                <th scope="row">{visible(one)}</th>
                {values.map((two) => (
                  <td key={two} class={one === two ? "num alike" : "num"}>
                    <i style={{ width: `${(100 * count(one, two)) / most}%` }} />
                    {number(count(one, two))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Labels({ head }: { head: Head }) {
  const [address, change] = useAddress();
  const { rubric = "", show = "", blind = "", item = "", only = "" } = address.values;
  const mine = relabelled(head.run);
  const [, again] = useState(0);
  const found = useThings(head, "", whole(address.values, "only", -1));
  const listed = useMemo(
    () => found.things.filter((one) => !only || `${one.trial}` === only),
    [found.things, only],
  );
  const rubrics = useMemo(() => [...new Set(listed.map((one) => one.rubric))].sort(), [listed]);
  const shown = useMemo(
    () =>
      listed.filter(
        (one) =>
          (!rubric || one.rubric === rubric) &&
          (show !== "disputed" || disputed(one)) &&
          (show !== "mine" || mine.has(one.key)) &&
          // What is being labelled stays in sight until the next one is chosen.
          (show !== "open" || !mine.has(one.key) || one.key === item),
      ),
    [listed, rubric, show, item, mine.size],
  );
  const at = shown.findIndex((one) => one.key === item);
  const go = (to: number) => {
    const next = shown[to];
    if (next) change({ item: next.key }, { replace: true });
  };
  const opened = shown[at];
  useKeys([
    { key: "j", does: "next label", run: () => go(at + 1) },
    { key: "k", does: "label before", run: () => go(at - 1) },
    { key: "ArrowDown", does: "next label", run: () => go(at + 1) },
    { key: "ArrowUp", does: "label before", run: () => go(at - 1) },
    { key: "b", does: "hide or show what judges say", run: () => toggle() },
    {
      key: "Enter",
      does: "open the transcript at the label",
      run: () => opened && change(place(head, opened), { view: "transcript" }),
    },
  ]);
  const toggle = () => change({ blind: blind ? "" : 1 }, { replace: true });
  const set = (name: string) => (to: string) => change({ [name]: to, item: "" }, { replace: true });
  const relabel = (thing: Thing, part: string, to: string) => {
    const { [part]: _, ...others } = mine.get(thing.key) ?? {};
    const next = to ? { ...others, [part]: to } : others;
    if (Object.keys(next).length > 0) mine.set(thing.key, next);
    else mine.delete(thing.key);
    again((times) => times + 1);
    change({ relabelled: mine.size || "" }, { replace: true });
  };
  const sent = whole(address.values, "relabelled", 0);
  const { length: all } = head.trials.number;
  const version = `${head.run} ${rubric} ${show} ${only} ${found.trials.length}`;
  return (
    <section aria-label="Labels">
      <h3>Labels</h3>
      <div class="controls">
        <Select
          label="Rubric"
          value={rubric}
          options={[["", "all"], ...rubrics.map((one) => [one, plain(one)] as const)]}
          onChange={(to) => change({ rubric: to, part: "", item: "" }, { replace: true })}
        />
        <Select label="Show" value={show} options={SHOWN} onChange={set("show")} />
        <Select
          label="Trial"
          value={only}
          options={[["", "all"], ...found.trials.map((one) => [`${one}`, `${one}`] as const)]}
          onChange={set("only")}
        />
        <button type="button" aria-pressed={blind !== ""} onClick={toggle}>
          Hide what judges say <kbd>b</kbd>
        </button>
        <button type="button" disabled={mine.size === 0} onClick={() => save(head)}>
          Save my {number(mine.size)} labels (CSV)
        </button>
      </div>
      {sent > mine.size && (
        <p class="soft">
          This link was made where {number(sent)} labels had been set; they are in the file that was
          saved there, never in a link.
        </p>
      )}
      <p class="soft" role="status">
        {number(shown.length)} of {number(listed.length)} labels, in a fixed random order;{" "}
        {number(found.trials.length)} of {number(all)} trials{found.busy && ", unpacking more"}
        {found.why && <span class="loud"> {visible(found.why)}</span>}
      </p>
      <Windowed
        label="The labels, one by one"
        count={shown.length}
        guess={110}
        height={620}
        at={at}
        version={version + blind}
        row={(nth) => {
          const thing = shown[nth];
          return thing ? (
            <One
              {...{ address, head, thing, relabel }}
              now={nth === at}
              blind={blind !== ""}
              mine={mine.get(thing.key) ?? {}}
              pick={() => go(nth)}
            />
          ) : null;
        }}
      />
      <Note>
        The words that a judge quotes are marked. Of several passes of a judge the last stands. The
        order is drawn from the run's digest: whoever labels the first 50 for an audit has a random
        part of these trials, and everybody the same. Labels of your own stay in this page until it
        is closed. The file has a row a part: run (digest), trial, step (its permanent name),
        rubric, part, value.
      </Note>
      <Behind
        caption="Labels"
        columns={["trial", "round", "agent", "step", "rubric", "judges say", "alike", "mine"]}
        rows={() =>
          shown.map((one) => [
            one.trial,
            one.round,
            one.agent,
            one.id,
            plain(one.rubric),
            blind
              ? "hidden"
              : one.labels.map((label) => `${label.judge}: ${value(label)}`).join("; "),
            blind || one.labels.length < 2 ? null : disputed(one) ? "no" : "yes",
            Object.entries(mine.get(one.key) ?? {})
              .map((pair) => pair.join(": "))
              .join("; "),
          ])
        }
        version={`${version} ${blind} ${mine.size}`}
        onOpen={go}
      />
    </section>
  );
}

/** Where a label stands in the transcript. */
function place(head: Head, thing: Thing) {
  const row = `${thing.round}.${thing.seat}`;
  return { run: head.run, trial: thing.trial, seat: "", talkround: "", purpose: "", q: "", row };
}

interface OneProps {
  address: Address;
  head: Head;
  thing: Thing;
  now: boolean;
  blind: boolean;
  mine: Record<string, string>;
  pick: () => void;
  relabel: (thing: Thing, part: string, to: string) => void;
}

function One({ address, head, thing, now, blind, mine, pick, relabel }: OneProps) {
  const choices = CHOICES[thing.rubric];
  const marked = blind ? [] : thing.labels.flatMap((label) => label.quote.split("\n"));
  const unlike = !blind && disputed(thing);
  return (
    <article class={now ? "talk now" : "talk"} aria-current={now}>
      <h3>
        <a href={link(address, "transcript", place(head, thing))}>{visible(thing.agent)}</a>
        <span class="soft">
          {visible(thing.purpose)}, round {thing.round}, trial {thing.trial}
        </span>
      </h3>
      <div>
        <span class="answer">{visible(thing.answer.slice(0, 300))}</span>{" "}
        <Long text={thing.said} most={now ? 2_000 : 400} marked={marked} />
      </div>
      <div class="private">
        <span class="soft">{visible(plain(thing.rubric))}</span>{" "}
        {unlike && <b class="loud">≠ judges differ</b>}
        {blind ? (
          <span class="soft">hidden</span>
        ) : (
          thing.labels.filter(telling).map((label) => <Said key={label.judge} label={label} />)
        )}
        {choices && !now && (
          <button type="button" onClick={pick}>
            {Object.keys(mine).length > 0
              ? `Mine: ${visible(Object.values(mine).join(", "))}`
              : "Set a label of mine"}
          </button>
        )}
        {choices && now && (
          <fieldset class="own">
            <legend>My label</legend>
            {Object.entries(choices).map(([part, values]) => (
              <Select
                key={part}
                label={plain(part)}
                value={mine[part] ?? ""}
                options={[["", "-"], ...values.map((one) => [one, one] as const)]}
                onChange={(to) => relabel(thing, part, to)}
              />
            ))}
          </fieldset>
        )}
      </div>
    </article>
  );
}

/** Of what only a reader can judge the rules say nothing, and that says nothing. */
function telling(label: Label): boolean {
  return label.value !== null || label.judge !== "rules";
}

function Said({ label }: { label: Label }) {
  return (
    <p class="judged">
      {visible(label.judge)}: <b>{visible(plain(value(label)).slice(0, 600))}</b>
      {label.quote && (
        <>
          {" "}
          “<Long text={label.quote} most={200} />”
        </>
      )}
      {label.reason && (
        <span class="soft">
          {" "}
          <Long text={label.reason} most={200} />
        </span>
      )}
    </p>
  );
}

function plain(name: Row[string] | undefined): string {
  return String(name ?? "").replaceAll("_", " ");
}

/** Hands the labels over as a file; nothing is sent anywhere. */
function save(head: Head): void {
  const address = URL.createObjectURL(new Blob([csv(head)], { type: "text/csv" }));
  const file = document.createElement("a");
  file.href = address;
  file.download = "labels.csv";
  file.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const view: View = {
  name: "judge",
  title: "Judge",
  question: "Can I trust the label?",
  of: "run",
  needs: (head) =>
    head.judges.length > 0 ? null : lacking(head, "Nothing of this run was judged."),
  Component: Judge,
};

export default view;
