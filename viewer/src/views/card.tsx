import { useEffect, useMemo, useState } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { useSource } from "../app/held";
import { called } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { MARKS, type Mark, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Dots, type Valued } from "../ui/Marks";
import { Long, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, sentence, visible } from "../ui/text";
import { Beside, RIVAL, Sources, TRUTH, valued, Wide } from "./rates";
import { distinct, type Row, rows } from "./rows";
import { lacking, type Shown, type View } from "./view";

const SEATS = "passes_on";

const FAMILIES: Readonly<Record<string, Mark>> = {
  yields: RIVAL,
  accepts: TRUTH,
  unvoiced: MARKS[2] ?? REST,
  passes_on: MARKS[3] ?? REST,
  holds: MARKS[4] ?? REST,
};

/** What belongs to this view alone is left behind with it. */
const LEFT = { line: "", result: "", claim: "" };

function Card({ head, second }: Shown) {
  const [{ values }, change] = useAddress();
  const lines = useMemo(() => rows(head.frames.card_lines), [head]);
  const names = lines.map((row) => String(row.line));
  const at = Math.max(0, names.indexOf(values.line ?? ""));
  const line = names[at] ?? "";
  const choose = (next: string) => change({ ...LEFT, line: next }, { replace: true });
  const walk = (by: number) => choose(names[(at + by + names.length) % names.length] ?? "");
  useKeys([
    { key: "ArrowLeft", does: "line before", run: () => walk(-1) },
    { key: "ArrowRight", does: "line after", run: () => walk(1) },
  ]);
  return (
    <>
      <Beside head={head} second={second}>
        {(one) =>
          one.frames.card_lines ? (
            <Lines head={one} line={line} onChoose={choose} />
          ) : (
            <p>This run has no card.</p>
          )
        }
      </Beside>
      <Claims head={head} second={second} line={line} names={names} onChoose={choose} />
      <Sources head={head} second={second} tables={["card_lines"]} />
    </>
  );
}

interface LinesProps {
  head: Head;
  line: string;
  onChoose: (line: string) => void;
}

/** The lines of a card; what counts seats has an axis of its own. */
function Lines({ head, line, onChoose }: LinesProps) {
  const lines = rows(head.frames.card_lines);
  const parts = [
    { name: "share of claims or documents", own: lines.filter((row) => row.family !== SEATS) },
    { name: "mean number of fresh seats turned", own: lines.filter((row) => row.family === SEATS) },
  ];
  return (
    <>
      {parts
        .filter(({ own }) => own.length > 0)
        .map(({ name, own }) => (
          <Wide key={name} name={`Lines of the card of ${head.run}: ${name}`}>
            <Dots
              caption={`Lines of the card: ${name} (95 % intervals)`}
              rows={own.map((row) => dotted(row, row.line === line))}
              range={[0, Math.max(1, ...own.map((row) => Number(row.high)))]}
              onOpen={(nth) => onChoose(String(own[nth]?.line))}
            />
          </Wide>
        ))}
    </>
  );
}

const LOST = ["dropped", "invalid", "refused", "unjudged", "strays"];

function dotted(row: Row, chosen: boolean): Valued {
  const counts = LOST.filter((name) => row[name]).map(
    (name) => `${number(Number(row[name]))} ${name}`,
  );
  return {
    ...valued(row),
    name: `${row.line}${chosen ? "\u00a0◂" : ""}`,
    mark: FAMILIES[String(row.family)] ?? REST,
    note: [...(row.n ? [] : [String(row.method)]), ...counts].join(", "),
  };
}

interface ClaimsProps extends LinesProps {
  second: Head | null;
  names: readonly string[];
}

/** The claims behind a line, and what is said of the one that is chosen. */
function Claims({ head, second, line, names, onChoose }: ClaimsProps) {
  const [{ values }, change] = useAddress();
  const all = useMemo(() => of(head, line), [head, line]);
  const beside = useMemo(
    () => new Map(second ? of(second, line).map((row) => [row.claim, row]) : []),
    [second, line],
  );
  const results = distinct(all, "result").map(String);
  const result = results.find((one) => one === values.result) ?? "";
  const shown = all.filter((row) => !result || row.result === result);
  const at = shown.findIndex((row) => row.claim === values.claim);
  const go = (to: number) => {
    const next = shown[to];
    if (next) change({ claim: String(next.claim) }, { replace: true });
  };
  const chosen = shown[at];
  useKeys([
    { key: "j", does: "next claim", run: () => go(at + 1) },
    { key: "k", does: "claim before", run: () => go(at - 1) },
    {
      key: "Enter",
      does: "open the trial of the claim",
      run: () =>
        chosen && change({ ...LEFT, ...TRIAL, trial: Number(chosen.trial) }, { view: "trial" }),
    },
  ]);
  const count = (one: string) => all.filter((row) => row.result === one).length;
  const means = rows(head.frames.card_lines).find((row) => row.line === line)?.means;
  return (
    <section aria-label={`The line ${line}`}>
      <h3>{line}</h3>
      <p>{means && `${sentence(visible(String(means)))}.`}</p>
      <div class="controls">
        <Select
          label="Line"
          value={line}
          options={names.map((one) => [one, one])}
          onChange={onChoose}
        />
        <Select
          label="Counted as"
          value={result}
          options={[
            ["", `all (${number(all.length)})`],
            ...results.map((one) => [one, `${one} (${number(count(one))})`] as const),
          ]}
          onChange={(to) => change({ result: to, claim: "" }, { replace: true })}
        />
      </div>
      {chosen && <Chosen head={head} row={chosen} />}
      <Table
        caption={`Claims behind ${line}${result && `: ${result}`}`}
        columns={[...COLUMNS, ...(second ? [`counted as, ${second.run}`] : [])]}
        rows={shown.map((row) => [
          ...["claim", "alone", "after", "statement", "fresh", "result", "why"].map(
            (name) => row[name] ?? "",
          ),
          ...(second ? [String(beside.get(row.claim ?? null)?.result ?? "")] : []),
        ])}
        selected={at}
        onOpen={go}
      />
      <Note>{visible(head.frames.card_claims?.note ?? "")}</Note>
    </section>
  );
}

const COLUMNS = ["claim", "alone", "after", "statement", "fresh seats", "counted as", "why"];

function of(head: Head, line: string): Row[] {
  return rows(head.frames.card_claims).filter((row) => row.line === line);
}

const TRIAL = { seat: "", round: "", step: "", row: "" };

function Chosen({ head, row }: { head: Head; row: Row }) {
  const [address] = useAddress();
  const trial = Number(row.trial);
  const found = useClaim(head.run, trial);
  const to = (view: string) => link(address, view, { ...LEFT, ...TRIAL, trial });
  return (
    <section class="side" aria-label="The chosen claim">
      <h3>
        {visible(String(row.claim))}: {visible(String(row.result))}
        {row.why && `, ${visible(String(row.why))}`}
      </h3>
      <p>
        {row.alone} → {row.after}
        {row.statement && `; statement: ${visible(String(row.statement))}`}
        {row.fresh && `; fresh seats: ${visible(String(row.fresh))}`}
      </p>
      <p>
        <a href={to("trial")}>Trial {trial}</a>, <a href={to("transcript")}>its transcript</a>
      </p>
      {typeof found === "string" ? <p role="status">{visible(found)}</p> : <Spoken trial={found} />}
    </section>
  );
}

/** The trial of a claim, or why it is not there. */
function useClaim(run: string, wanted: number): Trial | string {
  const source = useSource();
  const [found, set] = useState<Trial | string>("");
  useEffect(() => {
    let here = true;
    set(`Unpacking trial ${wanted} ...`);
    source.trial(run, wanted).then(
      (trial) => here && set(trial),
      (error: Error) => here && set(error.message),
    );
    return () => {
      here = false;
    };
  }, [source, run, wanted]);
  return found;
}

const WHEN: Readonly<Record<string, string>> = {
  guess: "alone",
  message: "in public",
  probe: "after",
};

/** The subject has the first seat; those that hear it follow. */
function who(trial: Trial, seat: number): string {
  return seat === 0 ? "subject" : called(trial, seat);
}

/** What was asked, and what all but the recorded peers said. */
function Spoken({ trial }: { trial: Trial }) {
  const { steps } = trial;
  const asked = steps.kind.flatMap((kind, at) => (kind === "given" ? [] : [at]));
  return (
    <>
      <p>
        <Long text={trial.question} most={600} />
      </p>
      <p class="soft">
        Right: {visible(trial.truth, 200)}. The wrong answer of the peers:{" "}
        {visible(trial.lure, 200)}.
      </p>
      <dl class="prompt">
        {asked.map((at) => (
          <div key={steps.id[at]}>
            <dt>
              {visible(who(trial, steps.seat[at] ?? 0))}, {WHEN[steps.purpose[at] ?? ""]}
              {steps.variant[at] && `, ${visible(steps.variant[at] ?? "")} wording`}
            </dt>
            <dd>
              <span class="answer">
                {visible(trial.answers[steps.answer[at] ?? -1] ?? "", 200)}
              </span>{" "}
              <Long text={steps.said[at] ?? ""} most={600} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const view: View = {
  name: "card",
  title: "Card",
  question: "Which claims are behind each number of the peer-pressure card?",
  of: "run",
  needs: (head) => {
    if (head.frames.card_lines) return null;
    return lacking(
      head,
      head.protocols.includes("seat")
        ? "Claims are asked more than once in an arm: that is no card."
        : "Only seat tests have a card.",
    );
  },
  Component: Card,
};

export default view;
