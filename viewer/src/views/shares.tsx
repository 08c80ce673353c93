import { useMemo } from "preact/hooks";
import { type Beliefs, beliefs, type Drawn, drawn, shares } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { About } from "../ui/About";
import { Chart, type Line } from "../ui/Chart";
import { REST } from "../ui/colours";
import { Key } from "../ui/Marks";
import { Behind, Note } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import type { Shown, View } from "./view";

const DASHES: (number[] | undefined)[] = [undefined, [8, 5], [2, 3], [10, 3, 2, 3], [5, 3], [1, 4]];

function Shares({ head, trial, second, secondTrial }: Shown) {
  return trial && <Both head={head} trial={trial} second={second} secondTrial={secondTrial} />;
}

function Both({ head, trial, second, secondTrial }: Shown & { trial: Trial }) {
  const own = useMemo(() => beliefs(trial), [trial]);
  const other = useMemo(() => secondTrial && beliefs(secondTrial), [secondTrial]);
  const look = useMemo(() => drawn(own), [own]);
  const beside = useMemo(() => other && drawn(other, own), [other, own]);
  const longest = other && other.columns.length > own.columns.length ? other : own;
  const [column, go] = useRound(longest.columns.length - 1);
  const heads = longest.columns.map((one) => one.name);
  return (
    <>
      <Scrubber last={longest.columns.length - 1} value={column} onChange={go} heads={heads} />
      <div class={secondTrial ? "panels" : ""}>
        <One
          head={head}
          trial={trial}
          own={own}
          look={look}
          column={column}
          go={go}
          named={second !== null}
        />
        {second && secondTrial && other && beside && (
          <One
            head={second}
            trial={secondTrial}
            own={other}
            look={beside}
            column={column}
            go={go}
            named
          />
        )}
      </div>
      <Behind
        caption="Seats that hold each answer, by round"
        columns={[...(second ? ["run"] : []), "round", "answer", "seats", "n", "share"]}
        rows={() => [
          ...rows(trial, own, second ? head.run : ""),
          ...(second && secondTrial && other ? rows(secondTrial, other, second.run) : []),
        ]}
        version={`${head.run} ${trial.number} ${second?.run} ${secondTrial?.number}`}
      />
    </>
  );
}

interface OneProps {
  head: Head;
  trial: Trial;
  own: Beliefs;
  look: Drawn;
  column: number;
  go: (column: number) => void;
  named: boolean;
}

function One({ head, trial, own, look, column, go, named }: OneProps) {
  const { x, lines, levels, n } = useMemo(() => {
    const found = shares(trial, own);
    return {
      x: own.columns.map((_, place) => place),
      lines: folded(found.counts, found.n, own, look),
      levels: Object.entries(head.thresholds).map(([name, value]) => ({
        name: `${name.replaceAll("_", " ")} ${value}`,
        value,
      })),
      n: found.n,
    };
  }, [head, trial, own, look]);
  const gossip = trial.protocol === "pairwise";
  return (
    <div>
      <About trial={trial} name={named ? head.run : ""} />
      <Chart
        x={x}
        lines={lines}
        levels={levels}
        range={[0, 1]}
        xLabel={gossip ? "t / N (rounds)" : "round"}
        xText={(at) => own.columns[at]?.name ?? `${at}`}
        yLabel={`share of ${n} seats`}
        label={`Shares of the answers of ${n} seats over ${x.length} rounds`}
        cursor={Math.min(column, x.length - 1)}
        onPick={go}
      />
      <Key marks={look.key} />
      <Note>
        n = {n} seats in every round; an invalid answer is nobody's. The truth is solid, the rival
        dashed.
        {trial.readout.purpose === "vote" &&
          " Rounds show public answers, the last column the votes."}
      </Note>
    </div>
  );
}

/** A line for each answer with a mark of its own, and one for all others. */
function folded(
  counts: ReadonlyMap<string, number[]>,
  n: number,
  own: Beliefs,
  look: Drawn,
): Line[] {
  const sums = new Map<number, { name: string; values: number[] }>();
  for (const [answer, row] of counts) {
    const code = look.codes[own.answers.indexOf(answer)] ?? 0;
    const rest = look.marks[code] === REST;
    const line = sums.get(code) ?? { name: rest ? "others" : answer, values: row.map(() => 0) };
    row.forEach((count, place) => {
      line.values[place] = (line.values[place] ?? 0) + count / n;
    });
    sums.set(code, line);
  }
  return [...sums]
    .sort(([a], [b]) => b - a)
    .map(([code, line]) => {
      const dash = DASHES[code];
      return {
        ...line,
        colour: look.marks[code]?.colour ?? REST.colour,
        ...(dash ? { dash } : {}),
      };
    });
}

function rows(trial: Trial, own: Beliefs, run: string) {
  const { counts, n } = shares(trial, own);
  return own.columns.flatMap((column, place) =>
    [...counts]
      .map(([answer, row]) => [answer, row[place] ?? 0] as const)
      .filter(([, count]) => count > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([answer, count]) => [
        ...(run ? [run] : []),
        column.name,
        answer,
        count,
        n,
        n ? count / n : null,
      ]),
  );
}

const view: View = {
  name: "shares",
  title: "Shares",
  question: "Who wins, and when is it settled?",
  of: "trial",
  needs: (head, trial) => {
    if (head.trials.number.length === 0) return "No trial is completed.";
    return trial && trial.readout.seats.length < 2
      ? "The readout of this trial is no population's: there are no shares."
      : null;
  },
  Component: Shares,
};

export default view;
