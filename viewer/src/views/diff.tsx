import { useEffect, useMemo, useState } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { useHeads, useSource } from "../app/held";
import { conditioned } from "../app/words";
import type { Head } from "../data/types";
import { useKeys } from "../ui/keys";
import { Dots } from "../ui/Marks";
import { Behind, Long, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { type Divergence, differing, matched, type Pair, parted } from "./matching";
import { distinct, numeric, type Row, rows, settings, words } from "./rows";
import type { Shown, View } from "./view";
import "./words.css";

function Diff({ head, second }: Shown) {
  const heads = useHeads();
  if (second)
    return (
      <>
        <Settings {...{ head, second }} />
        <Deltas {...{ head, second, first: heads[0] }} />
        <Matched key={second.run} {...{ head, second }} />
      </>
    );
  return (
    <p>
      {heads.length > 1
        ? "Choose a run beside this one."
        : "This page holds one run: socialcircuits export RUN_A RUN_B --out page.html writes two, socialcircuits view RUN_A RUN_B shows them."}
    </p>
  );
}

interface Two {
  head: Head;
  second: Head;
}

function Settings({ head, second }: Two) {
  const found = useMemo(
    () => differing(head.settings, second.settings),
    [head.settings, second.settings],
  );
  if (found.length === 0) return <p>No setting differs.</p>;
  return (
    <Table
      caption="Settings that differ"
      columns={["setting", "first", "second"]}
      heads={["setting", head.run, second.run]}
      rows={found}
    />
  );
}

const ALL = "all";

/** Paired differences, as Python has them for each run of a page against its first. */
function Deltas({ head, second, first }: Two & { first: Head | undefined }) {
  const [address, change] = useAddress();
  const later = second === first ? head : second;
  const frame = later.frames.deltas;
  const all = useMemo(() => rows(frame).filter((row) => row.value !== null), [frame]);
  const names = useMemo(() => settings(all, frame, "measure"), [all, frame]);
  if ((head !== first && second !== first) || !first)
    return (
      <p>
        Paired differences are those from the first run of the page
        {first && `, ${visible(first.run)}`}: choose it as one of the two, or ask socialcircuits
        diff RUN_A RUN_B.
      </p>
    );
  if (all.length === 0 || !frame)
    return (
      <p>
        No paired differences: the runs have other study seeds or worlds, share no condition, or no
        measure is defined in both.
      </p>
    );
  const measures = distinct(all, "measure").map(String);
  const { measure = measures[0] ?? "" } = address.values;
  const shown = all.filter((row) => measure === ALL || row.measure === measure);
  const p = (row: Row) => (row.p === null ? "" : `p = ${number(numeric(row.p), 3)}`);
  return (
    <section aria-label="Paired differences">
      <h3>
        {visible(later.run)} less {visible(first.run)}, on matched seeds
      </h3>
      {measures.length > 1 && (
        <Select
          label="Measure"
          value={measure}
          options={[...measures, ALL].map((one) => [one, plain(one)])}
          onChange={(to) => change({ measure: to }, { replace: true })}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
      <section class="scroll" tabIndex={0} aria-label="Differences with their intervals">
        <Dots
          caption="Mean paired difference with its 95 % interval; n counts matched seeds or items"
          rows={shown.map((row) => ({
            name: [plain(String(row.measure)), words(row, names)].filter(Boolean).join(", "),
            value: numeric(row.value),
            low: numeric(row.low),
            high: numeric(row.high),
            n: numeric(row.n),
            note: p(row),
          }))}
          reference={0}
          digits={3}
        />
      </section>
      <Behind
        caption={frame.title}
        columns={frame.columns}
        rows={() => frame.rows}
        version={later.run}
      />
      <Note>{visible(frame.note)} No p value is corrected for the number of differences.</Note>
    </section>
  );
}

/** So many pairs are unpacked to see where they part. */
const MOST = 40;

function Matched({ head, second }: Two) {
  const [address, change] = useAddress();
  const pairs = useMemo(() => {
    const found = matched(head, second);
    const rank = (pair: Pair) => [-1, 1, 0].indexOf(pair.flip);
    return found.sort((a, b) => rank(a) - rank(b) || a.trials[0] - b.trials[0]);
  }, [head, second]);
  const opened = pairs.findIndex((pair) => `${pair.trials[0]}` === address.values.pair);
  const found = useParted(head, second, pairs, opened);
  const pick = (to: number) => {
    const pair = pairs[to];
    if (pair) change({ pair: pair.trials[0] }, { replace: true });
  };
  useKeys([
    { key: "j", does: "next pair of trials", run: () => pick(opened + 1) },
    { key: "k", does: "pair before", run: () => pick(opened - 1) },
  ]);
  if (pairs.length === 0)
    return (
      <p>
        No trials match: they share no condition and seed, or the runs deal equal seeds otherwise.
      </p>
    );
  const pair = pairs[opened] ?? pairs[0];
  const parting = pair && found.get(pair);
  const row = (one: Pair) => {
    const part = found.get(one);
    return [
      one.trials[0],
      one.trials[1],
      ...about(head, one),
      one.accuracy[0],
      one.accuracy[1],
      part ? place(part) : "",
    ];
  };
  const columns = [
    "trial",
    "trial beside",
    "condition",
    "seed",
    "item or truth",
    "accuracy",
    "beside",
  ];
  return (
    <section aria-label="Matched trials">
      <h3>Matched trials</h3>
      <div class="panels">
        {([-1, 1] as const).map((way) => (
          <Flips key={way} {...{ head, second, pairs, way, pick }} />
        ))}
      </div>
      {pair && <Parting {...{ head, second, pair, parting }} />}
      <Table
        caption={`Matched trials of ${head.run} and ${second.run}, those that flip first`}
        columns={[...columns, "first otherwise at"]}
        rows={pairs.map(row)}
        selected={Math.max(opened, 0)}
        onOpen={pick}
      />
      <Note>
        Matched: equal condition, seed, item and truth. Accuracy: the share of the last readout that
        is right. First otherwise: the first step, in the order of the schedule, that both asked and
        that came to another reply; seen of {number(found.size)} of {number(pairs.length)} pairs.
      </Note>
    </section>
  );
}

function place(part: Divergence): string {
  if (part.hidden) return "withheld";
  return part.id === null ? "nowhere" : `round ${part.round}, ${part.purpose} of ${part.agent}`;
}

function about(head: Head, pair: Pair): [string, number, string] {
  const { condition, seed, item, truth } = head.trials;
  const [at] = pair.places;
  return [
    conditioned(head.conditions[condition[at] ?? 0] ?? {}),
    seed[at] ?? 0,
    (item[at] || truth[at]) ?? "",
  ];
}

interface FlipsProps extends Two {
  pairs: readonly Pair[];
  way: -1 | 1;
  pick: (place: number) => void;
}

/** The items that one of the runs gets right and the other does not, or less so. */
function Flips({ head, second, pairs, way, pick }: FlipsProps) {
  const places = pairs.flatMap((pair, at) => (pair.flip === way ? [at] : []));
  const judged = pairs.filter((pair) => pair.accuracy.every((one) => one !== null)).length;
  const words = way < 0 ? "right towards wrong" : "wrong towards right";
  const title = `From ${words}: ${number(places.length)} of ${number(judged)} pairs`;
  return (
    <div>
      <h4>{title}</h4>
      {places.length > 0 && (
        <Table
          caption={`${head.run} to ${second.run}, ${words}`}
          columns={["item or truth", "condition", "seed", "accuracy", "beside"]}
          rows={places.map((at) => {
            const pair = pairs[at] as Pair;
            const [settings, seed, item] = about(head, pair);
            return [item, settings, seed, ...pair.accuracy];
          })}
          onOpen={(nth) => pick(places[nth] ?? 0)}
          height={240}
        />
      )}
    </div>
  );
}

interface PartingProps extends Two {
  pair: Pair;
  parting: Divergence | undefined;
}

function Parting({ head, second, pair, parting }: PartingProps) {
  const [address] = useAddress();
  const [one, two] = pair.trials;
  const [settings, seed, item] = about(head, pair);
  const at = parting?.id ? { seat: parting.seat, round: parting.round } : { seat: "", round: "" };
  const both = { trial: one, second: second.run, secondtrial: two, step: "", ...at };
  const apart = {
    run: second.run,
    trial: two,
    second: head.run,
    secondtrial: one,
    step: "",
    ...at,
  };
  return (
    <section class="side" aria-label="The chosen pair">
      <h4>
        Trial {one} and trial {two} beside it:{" "}
        {visible([settings, `seed ${seed}`, item].filter(Boolean).join(", "))}
      </h4>
      {!parting && <p>Not unpacked yet.</p>}
      {parting?.hidden && <p>Texts are withheld: its question is not marked shareable.</p>}
      {parting?.id === null && !parting.hidden && (
        <p>All {number(parting.both)} steps that both asked came to the same reply.</p>
      )}
      {parting?.id && (
        <>
          <p>
            First otherwise: {visible(parting.purpose)} of agent {visible(parting.agent)} in round{" "}
            {parting.round} ({visible(parting.id)}); {number(parting.otherwise)} of{" "}
            {number(parting.both)} steps that both asked came to another reply.
          </p>
          <div class="panels">
            {[head, second].map((run, side) => (
              <div key={run.run}>
                <span class="soft">{visible(run.run)}</span>
                <br />
                <Long text={parting.said[side] ?? ""} most={600} />
              </div>
            ))}
          </div>
        </>
      )}
      <p>
        <a href={link(address, "trial", { run: head.run, ...both })}>
          Both trials there, {visible(head.run)} first
        </a>
        {" · "}
        <a href={link(address, "trial", apart)}>{visible(second.run)} first</a>
      </p>
    </section>
  );
}

/** Where pairs part; the opened one first, then in order. */
function useParted(
  head: Head,
  second: Head,
  pairs: readonly Pair[],
  opened: number,
): ReadonlyMap<Pair, Divergence> {
  const source = useSource();
  const [found, set] = useState<ReadonlyMap<Pair, Divergence>>(new Map());
  const chosen = pairs[opened];
  useEffect(() => {
    let asked = true;
    const read = async () => {
      const known = new Map(found);
      for (const pair of [...(chosen ? [chosen] : []), ...pairs.slice(0, MOST)]) {
        if (known.has(pair)) continue;
        const one = await source.trial(head.run, pair.trials[0]);
        const two = await source.trial(second.run, pair.trials[1]);
        if (!asked) return;
        known.set(pair, parted(one, two));
        set(new Map(known));
      }
    };
    // A trial that cannot be read is said where it is opened.
    read().catch(() => {});
    return () => {
      asked = false;
    };
  }, [source, head.run, second.run, pairs, chosen]);
  return found;
}

function plain(name: string): string {
  return name.replaceAll("_", " ");
}

const view: View = {
  name: "diff",
  title: "Difference",
  question: "What differs between two runs?",
  of: "run",
  needs: () => null,
  Component: Diff,
};

export default view;
