import { useMemo } from "preact/hooks";
import { link, parse, useAddress } from "../app/address";
import { conditioned, ended } from "../app/words";
import type { Head, Printed } from "../data/types";
import { useKeys } from "../ui/keys";
import { Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { Windowed } from "../ui/Windowed";
import { VIEWS } from ".";
import type { Shown, View } from "./view";

/** Lines that stand in no part of a report. */
const HEAD = "first lines";

function Numbers({ head, second }: Shown) {
  const [{ values }, change] = useAddress();
  const { number: chosen = "", section = "", words = "" } = values;
  const shown = useMemo(() => found(head.printed, section, words), [head, section, words]);
  const beside = useMemo(() => new Map(second?.printed.map((one) => [placed(one), one])), [second]);
  const at = shown.findIndex((one) => one.id === chosen);
  const go = (to: number) => {
    const next = shown[to];
    if (next) change({ number: next.id }, { replace: true });
  };
  useKeys([
    { key: "j", does: "next number", run: () => go(at + 1) },
    { key: "k", does: "number before", run: () => go(at - 1) },
    { key: "/", does: "search", run: () => document.getElementById("words")?.focus() },
  ]);
  const one = head.printed.find((printed) => printed.id === chosen);
  return (
    <>
      <Filters head={head} section={section} words={words} />
      {one ? (
        <Chosen head={head} one={one} />
      ) : (
        chosen && (
          <p class="loud" role="alert">
            The report of {visible(head.run)} has no number {visible(chosen, 200)}.
          </p>
        )
      )}
      <Table
        caption={`Numbers of the report of ${head.run}`}
        columns={[
          "id",
          "part",
          "row",
          "number",
          "value",
          "95 %",
          "n",
          "of",
          "adjusted p",
          ...(second ? ["beside"] : []),
        ]}
        rows={shown.map((printed) => [
          printed.id,
          printed.section || HEAD,
          printed.row,
          printed.name.replaceAll("_", " "),
          printed.text,
          printed.interval,
          printed.n,
          printed.unit,
          printed.adjusted,
          ...(second ? [told(beside.get(placed(printed)))] : []),
        ])}
        selected={at}
        onOpen={(row) => go(row)}
      />
      <Note>
        The numbers as the report prints them; n is that of its units of evidence. A count has no n.
        {second && ` Beside: the same number of ${visible(second.run)}, with its n.`}
      </Note>
    </>
  );
}

function found(printed: readonly Printed[], asked: string, words: string): Printed[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return printed.filter((one) => {
    if (asked && (one.section || HEAD) !== asked) return false;
    const { id, section, row, name, text } = one;
    const all = `${id} ${section} ${row} ${name.replaceAll("_", " ")} ${text}`.toLowerCase();
    return sought.every((word) => all.includes(word));
  });
}

/** Where a number stands, whatever else is in the report: ids count rows. */
function placed({ id, row, name }: Printed): string {
  const parts = id.split(".");
  return JSON.stringify([parts[0], row, parts.at(-1), name]);
}

function told(one: Printed | undefined): string {
  if (!one) return "";
  const { text, interval, n } = one;
  return `${text}${interval && ` (${interval})`}${n === null ? "" : `, n ${number(n)}`}`;
}

function Filters({ head, section, words }: { head: Head; section: string; words: string }) {
  const [, change] = useAddress();
  const parts = [...new Set(head.printed.map((one) => one.section || HEAD))];
  return (
    <div class="controls">
      <label class="choice">
        <span>Search</span>
        <input
          id="words"
          type="search"
          value={words}
          onInput={(event) => change({ words: event.currentTarget.value }, { replace: true })}
        />
      </label>
      <Select
        label="Part"
        value={section}
        options={[["", "all"], ...parts.map((one) => [one, one] as const)]}
        onChange={(to) => change({ section: to }, { replace: true })}
      />
    </div>
  );
}

/** What belongs to this view alone is left behind with it. */
const LEFT = { number: "", section: "", words: "" };

function Chosen({ head, one }: { head: Head; one: Printed }) {
  const [address] = useAddress();
  const wanted = one.views.map(parse).flatMap(({ view, values }) => {
    const held = VIEWS.find((known) => known.name === view);
    const first = one.trials.includes(Number(address.values.trial)) ? {} : firstOf(one);
    return held && !held.needs(head) ? [{ held, values: { ...LEFT, ...first, ...values } }] : [];
  })[0];
  return (
    <section class="side" aria-label="The chosen number">
      <h3>
        {visible(one.text)}
        {one.interval && ` (${visible(one.interval)})`}
      </h3>
      <p>
        {visible(one.name.replaceAll("_", " "))}
        {one.row && `; ${visible(one.row, 600)}`}
        {one.n !== null && `; n = ${number(one.n)} ${visible(one.unit)}`}
        {one.adjusted && `; adjusted p ${visible(one.adjusted)}`}
      </p>
      {wanted && (
        <p>
          Seen in <a href={link(address, wanted.held.name, wanted.values)}>{wanted.held.title}</a>:{" "}
          {wanted.held.question}
        </p>
      )}
      <p>
        From it to the replies, in the folder of the run file:{" "}
        <code>
          socialcircuits explain {visible(head.file)}#{visible(one.id)}
        </code>
      </p>
      <Rests head={head} one={one} />
    </section>
  );
}

function firstOf(one: Printed): Record<string, number> {
  return one.trials[0] === undefined ? {} : { trial: one.trials[0] };
}

const TRIAL = { ...LEFT, seat: "", round: "", step: "", row: "" };

/** The trials that it rests on. */
function Rests({ head, one }: { head: Head; one: Printed }) {
  const [address] = useAddress();
  const { trials } = head;
  const places = useMemo(() => new Map(trials.number.map((name, at) => [name, at])), [trials]);
  const count = one.trials.length;
  if (count === 0) return <p>It is counted over the whole record.</p>;
  return (
    <>
      <h4>
        It rests on {number(count)} {count === 1 ? "trial" : "trials"}
      </h4>
      <Windowed
        label="Trials that the number rests on"
        count={count}
        guess={24}
        height={170}
        at={-1}
        version={`${head.run} ${one.id}`}
        row={(nth) => {
          const trial = one.trials[nth] ?? 0;
          const at = places.get(trial) ?? -1;
          const facts = [
            conditioned(head.conditions[trials.condition[at] ?? -1] ?? {}),
            `seed ${trials.seed[at]}`,
            ended(trials.endpoint[at] ?? ""),
          ];
          return (
            <span class="rest">
              <a href={link(address, "trial", { ...TRIAL, trial })}>Trial {trial}</a>{" "}
              <span class="soft">{facts.filter(Boolean).join(", ")}</span>
            </span>
          );
        }}
      />
    </>
  );
}

const view: View = {
  name: "numbers",
  title: "Numbers",
  question: "Which numbers does the report print, and what do they rest on?",
  of: "run",
  needs: (head) => {
    if (head.printed.length > 0) return null;
    return head.unfinished
      ? "The numbers of a report are those of a run that is through."
      : "The report of this run has no numbers.";
  },
  Component: Numbers,
};

export default view;
