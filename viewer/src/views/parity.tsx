import { useMemo } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import { useHeads } from "../app/held";
import type { Condition, Head } from "../data/types";
import { useKeys } from "../ui/keys";
import { Behind, Long, Note, Select } from "../ui/parts";
import { Table } from "../ui/Table";
import { cut, number, visible } from "../ui/text";
import { rows } from "./rows";
import type { Shown, View } from "./view";
import "./words.css";

interface Difference {
  place: string;
  side: "both" | "first" | "second";
  against: string;
  lines: string[];
}

interface Contrast {
  first: string;
  second: string;
  identical: number;
  differences: Difference[];
}

interface Group {
  told: string;
  conditions: Condition[];
  beside: Record<string, (string | number)[]>;
}

/** `Parity.as_json` of Python. */
interface Told {
  imagined: boolean;
  groups: Group[];
  contrasts: Contrast[];
}

function Parity({ head, second }: Shown) {
  const told = head.parity as unknown as Told;
  const first = useHeads()[0];
  const between = useMemo(
    () => [contrasts(head), second && contrasts(second)].find((found) => found?.length) ?? [],
    [head, second],
  );
  const apart = second && (head === first || second === first);
  return (
    <>
      {told.imagined && (
        <p class="loud">
          Simulated agents read no prompts: this is what a model that reads text would be told.
        </p>
      )}
      <Groups head={head} keyed />
      {second?.parity && <Groups head={second} />}
      {!second ? (
        <Contrasts
          found={told.contrasts}
          none={
            told.groups.length > 1
              ? ""
              : "All conditions of this run tell their agents the same: one group, nothing differs."
          }
        />
      ) : (
        <Contrasts
          found={apart ? between : []}
          none={
            apart && first
              ? `The page does not hold what these two runs tell differently: socialcircuits parity ${first.run} ${(second === first ? head : second).run} tells.`
              : "Each run of a page is compared with its first one: choose that as one of the two, or ask socialcircuits parity RUN_A RUN_B."
          }
        />
      )}
      <Prompts head={head} />
      {second && <Prompts head={second} />}
    </>
  );
}

/** Groups of conditions by what they are told; a row shows it. */
function Groups({ head, keyed = false }: { head: Head; keyed?: boolean }) {
  const [{ values }, change] = useAddress();
  const { groups } = head.parity as unknown as Told;
  const settings = Object.keys(groups[0]?.beside ?? {});
  const open = (group: number) => change({ group, at: "" }, { replace: true });
  return (
    <Table
      caption={`${head.run}: conditions by what their agents are told`}
      {...(keyed && head.frames.prompts && { onOpen: open, selected: whole(values, "group", 0) })}
      columns={["prompts", "conditions", "n", ...settings]}
      rows={groups.map((group) => [
        group.told.slice(0, 8),
        worded(group.conditions),
        group.conditions.length,
        ...settings.map((name) => (group.beside[name] ?? []).join(", ")),
      ])}
    />
  );
}

/** What the agents of a group of conditions are told, place by place. */
function Prompts({ head }: { head: Head }) {
  const [{ values }, change] = useAddress();
  const { groups } = head.parity as unknown as Told;
  const found = useMemo(() => rows(head.frames.prompts), [head]);
  const group = groups[whole(values, "group", 0)] ?? groups[0];
  const own = found.filter((row) => row.told === group?.told);
  const shown = own[whole(values, "at", 0)] ?? own[0];
  if (!group || !shown) return null;
  return (
    <section aria-label={visible(`What agents are told: ${head.run}`)}>
      <h3>
        What {group.told.slice(0, 8)} tells{groups.length > 1 && `: ${worded(group.conditions)}`}
      </h3>
      <div class="controls">
        <Select
          label="Place"
          value={`${own.indexOf(shown)}`}
          options={own.map((row, nth) => [`${nth}`, `${row.place} · ${row.models}`])}
          onChange={(at) => change({ at }, { replace: true })}
        />
      </div>
      <section
        class="scroll change prompted"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
        tabIndex={0}
        aria-label={visible(`Prompt: ${head.run}, ${shown.place}`)}
      >
        <Long text={String(shown.text)} most={LONG} />
      </section>
      <Note>{visible(head.frames.prompts?.note ?? "")}</Note>
    </section>
  );
}

/** Conditions in words; more than five values of a setting are counted. */
function worded(conditions: readonly Condition[]): string {
  const axes = [...new Set(conditions.flatMap((one) => Object.keys(one)))];
  const words = axes.map((axis) => {
    const found = [...new Set(conditions.flatMap((one) => (axis in one ? [one[axis]] : [])))];
    return found.length > 5 ? `${axis}: ${found.length} values` : `${axis} = ${found.join(", ")}`;
  });
  return words.join("; ") || "all trials";
}

/** What two runs tell differently, from Python's table of it. */
function contrasts(head: Head): Contrast[] {
  const found = new Map<string, Contrast>();
  for (const row of rows(head.frames.told)) {
    const [first, second] = [String(row.first), String(row.second)];
    const key = JSON.stringify([first, second]);
    const own = found.get(key) ?? {
      first,
      second,
      identical: Number(row.identical),
      differences: [],
    };
    if (row.place !== null)
      own.differences.push({
        place: String(row.place),
        side: String(row.side) as Difference["side"],
        against: String(row.against),
        lines: JSON.parse(String(row.lines)),
      });
    found.set(key, own);
  }
  return [...found.values()];
}

function Contrasts({ found, none }: { found: readonly Contrast[]; none: string }) {
  const [address, change] = useAddress();
  const { values } = address;
  const contrast = found[whole(values, "contrast", 0)] ?? found[0];
  const alike = useMemo(() => merged(contrast?.differences ?? []), [contrast]);
  const at = Math.min(Math.max(0, whole(values, "place", 0)), Math.max(0, alike.length - 1));
  const beside = values.look === "beside";
  const go = (to: number) => alike[to] && change({ place: to }, { replace: true });
  const turn = () => change({ look: beside ? "" : "beside" }, { replace: true });
  useKeys([
    { key: "ArrowDown", does: "next difference", run: () => go(at + 1) },
    { key: "ArrowUp", does: "difference before", run: () => go(at - 1) },
    { key: "s", does: "side by side, or one under the other", run: turn },
  ]);
  if (!contrast) return <p>{visible(none)}</p>;
  const total = contrast.identical + contrast.differences.length;
  const shown = alike[at];
  return (
    <section aria-label="Differences of prompts">
      <div class="controls">
        {found.length > 1 && (
          <Select
            label="Compare"
            value={`${found.indexOf(contrast)}`}
            options={found.map((one, nth) => [`${nth}`, `${one.first} / ${one.second}`])}
            onChange={(to) => change({ contrast: to, place: "" }, { replace: true })}
          />
        )}
        {alike.length > 0 && (
          <Select
            label="Difference"
            value={`${at}`}
            options={alike.map((one, nth) => [
              `${nth}`,
              `${nth + 1} of ${alike.length}: ${one.places[0]?.place ?? ""}${one.places.length > 1 ? ` and ${one.places.length - 1} more` : ""}`,
            ])}
            onChange={(to) => go(Number(to))}
          />
        )}
        <button type="button" aria-pressed={beside} onClick={turn}>
          Side by side <kbd>s</kbd>
        </button>
      </div>
      <p>
        − {visible(contrast.first)}
        <br />+ {visible(contrast.second)}
        <br />
        <span class="soft">
          {number(contrast.identical)} of {number(total)} places identical
          {alike.length > 0 && `; ${number(alike.length)} different differences at the others`}
        </span>
      </p>
      {shown && (
        <>
          <h3>At {shown.places.map(where).join("; ")}</h3>
          {beside ? <Beside lines={shown.lines} /> : <Unified lines={shown.lines} />}
        </>
      )}
      <Note>
        A place: role, purpose, how evidence is shown, and what was heard before. Evidence, answers
        and what was heard are stood in for by words in brackets; one line stands around each
        change.
      </Note>
      <Behind
        caption="Places at which agents are told different things"
        columns={["place", "which side has it", "against", "difference"]}
        rows={() =>
          alike.flatMap((one, nth) =>
            one.places.map((place) => [place.place, place.side, place.against, nth + 1]),
          )
        }
        version={`${contrast.first} ${contrast.second}`}
      />
    </section>
  );
}

interface Merged {
  lines: string[];
  places: Difference[];
}

/** Differences that say the same at several places. */
function merged(found: readonly Difference[]): Merged[] {
  const alike = new Map<string, Merged>();
  for (const one of found) {
    const key = one.lines.join("\n");
    const own = alike.get(key) ?? { lines: one.lines, places: [] };
    own.places.push(one);
    alike.set(key, own);
  }
  return [...alike.values()];
}

function where(one: Difference): string {
  const only = one.side === "both" ? "" : ` (only the ${one.side} has it; against ${one.against})`;
  return visible(one.place + only);
}

const LONG = 4_000;

function Line({ line, sign }: { line: string; sign: string }) {
  const [text, more] = cut(line, LONG);
  const words = `${visible(text)}${more ? ` ... (${number(line.length)} letters)` : ""}`;
  if (sign === "-") return <del>− {words}</del>;
  return sign === "+" ? <ins>+ {words}</ins> : <span>{` ${words}`}</span>;
}

function Unified({ lines }: { lines: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="scroll change" tabIndex={0} aria-label="The difference, line by line">
      {lines.map((line, nth) => (
        <Line key={nth} line={line.slice(1)} sign={line[0] ?? " "} />
      ))}
    </section>
  );
}

function Beside({ lines }: { lines: readonly string[] }) {
  const pairs = useMemo(() => paired(lines), [lines]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="scroll change" tabIndex={0} aria-label="The difference, side by side">
      <table>
        <thead>
          <tr>
            <th scope="col">first</th>
            <th scope="col">second</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair, nth) => (
            <tr key={nth}>
              {pair.map((line, side) => (
                <td key={side}>
                  {line !== undefined && <Line line={line.slice(1)} sign={line[0] ?? " "} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Pair = [string | undefined, string | undefined];

/** The lines of a unified difference, what went beside what came. */
function paired(lines: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let [gone, come]: [string[], string[]] = [[], []];
  const close = () => {
    const most = Math.max(gone.length, come.length);
    for (let nth = 0; nth < most; nth++) pairs.push([gone[nth], come[nth]]);
    [gone, come] = [[], []];
  };
  for (const line of lines) {
    if (line[0] === "-" && come.length) close();
    if (line[0] === "-") gone.push(line);
    else if (line[0] === "+") come.push(line);
    else {
      close();
      pairs.push([line, line]);
    }
  }
  close();
  return pairs;
}

const view: View = {
  name: "parity",
  title: "Parity",
  question: "What was each agent told, and where do conditions tell different things?",
  of: "run",
  needs: (head) => (head.parity ? null : "The run does not say what its agents were told."),
  Component: Parity,
};

export default view;
