/** What the views of rates have in common: plots with bands and intervals, conditions, trials. */

import type { ComponentChildren } from "preact";
import { useId, useMemo } from "preact/hooks";
import { useAddress, whole } from "../app/address";
import type { Head } from "../data/types";
import { MARKS, type Mark, REST } from "../ui/colours";
import { useKeys } from "../ui/keys";
import { Glyph, ticks, tickText, type Valued } from "../ui/Marks";
import { Behind, Note } from "../ui/parts";
import { Table } from "../ui/Table";
import { visible } from "../ui/text";
import { type Axis, Rising, type Spot, Text } from "./curves";
import { distinct, grouped, numeric, type Row, ranged, rows, trialsWith, type Value } from "./rows";

export const TRUTH: Mark = MARKS[0] ?? REST;
export const RIVAL: Mark = MARKS[1] ?? REST;

export interface Layer {
  mark: Mark;
  spots: readonly Spot[];
  /** Points with whiskers, a line with a band and a glyph at its end, or one on each place. */
  as: "points" | "line" | "both";
  dash?: string;
  /** A thin line, without a glyph. */
  thin?: boolean;
}

interface Props {
  label: string;
  x: Axis;
  y: Axis;
  layers: readonly Layer[];
  /** An area with lines across, from `low` to `high`. */
  hatched?: readonly Spot[];
  /** Lines of text under the places of the axis, such as n. */
  under?: readonly { at: number; texts: readonly string[] }[];
  selected?: number | undefined;
  onPick?: ((key: number) => void) | undefined;
  /** Units across: fewer for a small drawing, so that its letters stay large. */
  width?: number;
}

const [LEFT, TOP, FOOT, LETTERS] = [44, 10, 216, 14];

export function Plot(props: Props) {
  const { label, x, y, layers, hatched = [], under = [], width = 400 } = props;
  const id = useId();
  const right = width - 12;
  const across = (at: number) => LEFT + portion(at, x.ends) * (right - LEFT);
  const up = (value: number) => FOOT - portion(value, y.ends) * (FOOT - TOP);
  const lines = Math.max(0, ...under.map(({ texts }) => texts.length));
  const foot = FOOT + 33 + lines * LETTERS;
  return (
    <svg
      class="scatter"
      viewBox={`0 0 ${width} ${foot + 6}`}
      role="img"
      aria-label={visible(label)}
    >
      <Rising axis={y} up={up} from={LEFT} to={right} />
      {[...x.ticks.map(({ at, text }) => ({ at, texts: [text] })), ...under].map((one, nth) =>
        one.texts.map((text, line) => (
          <Text
            key={`${nth} ${line}`}
            x={across(one.at)}
            y={FOOT + 17 + LETTERS * (line + (nth < x.ticks.length ? 0 : 1))}
          >
            {visible(text)}
          </Text>
        )),
      )}
      <Text x={(LEFT + right) / 2} y={foot}>
        {visible(x.label)}
      </Text>
      <clipPath id={`${id}in`}>
        <rect x={LEFT} y={TOP} width={right - LEFT} height={FOOT - TOP} />
      </clipPath>
      {hatched.length > 1 && (
        <>
          <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0,6L6,0" stroke="var(--soft)" />
          </pattern>
          <path d={area(hatched, across, up)} fill={`url(#${id})`} />
        </>
      )}
      {layers.map((layer, nth) => (
        <Drawn key={nth} {...{ layer, across, up }} {...props} inside={`url(#${id}in)`} />
      ))}
    </svg>
  );
}

type Place = (value: number) => number;

function Drawn(props: Props & { layer: Layer; across: Place; up: Place; inside: string }) {
  const { layer, across, up, selected, onPick } = props;
  const { mark, spots, dash } = layer;
  const colour = `var(${mark.colour})`;
  const there = spots.filter(({ value }) => value !== null);
  const height = (spot: Spot) => up(spot.value ?? 0);
  const end = there.at(-1);
  if (!end) return null;
  return (
    <g>
      {layer.as !== "points" && (
        <g clip-path={props.inside}>
          <path d={area(there, across, up)} fill={colour} opacity="0.2" />
          <path
            d={`M${there.map((spot) => `${across(spot.at)},${height(spot)}`).join("L")}`}
            fill="none"
            stroke={colour}
            stroke-width={layer.thin ? 1.2 : 2}
            stroke-dasharray={dash}
          />
        </g>
      )}
      {layer.as === "line" && !layer.thin && (
        <Glyph mark={mark} x={across(end.at) + 9} y={height(end)} size={9} hollow />
      )}
      {layer.as !== "line" &&
        there.map((spot) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys pick the same points
          <g
            key={spot.at}
            class={onPick && "pick"}
            onClick={() => spot.key !== undefined && onPick?.(spot.key)}
          >
            <title>{visible(spot.name ?? "")}</title>
            {layer.as === "points" && spot.low != null && spot.high != null && (
              <path d={`M${across(spot.at)},${up(spot.low)}V${up(spot.high)}`} stroke={colour} />
            )}
            {spot.key !== undefined && spot.key === selected && (
              <circle
                cx={across(spot.at)}
                cy={height(spot)}
                r="9"
                fill="none"
                stroke="var(--ink)"
              />
            )}
            <Glyph mark={mark} x={across(spot.at)} y={height(spot)} size={9} />
          </g>
        ))}
    </g>
  );
}

function portion(value: number, [low, high]: readonly [number, number]): number {
  return (value - low) / (high - low || 1);
}

function area(spots: readonly Spot[], across: Place, up: Place): string {
  const side = (end: "low" | "high") =>
    spots.flatMap((spot) => {
      const value = spot[end];
      return value == null ? [] : [`${across(spot.at)},${up(value)}`];
    });
  const back = side("low").reverse();
  return back.length > 1 ? `M${side("high").join("L")}L${back.join("L")}Z` : "";
}

/** An axis of shares from 0, to 1 or to the next tenth above what there is. */
export function shares(label: string, top = 1): Axis {
  const ends: [number, number] = [0, Math.max(0.2, Math.ceil(10 * top - 1e-9) / 10)];
  return { label, ticks: ticks(ends).map((at) => ({ at, text: tickText(at, ends) })), ends };
}

/** An axis of whole numbers from 0, such as rounds. */
export function counts(label: string, last: number): Axis {
  const every = last > 10 ? ticks([0, last]) : Array.from({ length: last + 1 }, (_, at) => at);
  return { label, ticks: every.map((at) => ({ at, text: `${at}` })), ends: [-0.3, last + 0.3] };
}

/** A row's value, with its interval and whatever else a spot holds. */
export function spot(row: Row, at: number, more: Partial<Spot> = {}): Spot {
  return { at, ...ranged(row), ...more };
}

/** A condition of a table: its settings in words, and its rows. */
export interface Case {
  name: string;
  own: Row[];
}

/**
 * The conditions of a table, named by what differs between those of the run; `at` is the place of a
 * row in the table.
 */
export function cases(head: Head, table: string): Case[] {
  const differ = head.axes.filter((axis) => distinct(head.conditions, axis).length > 1);
  const placed = rows(head.frames[table]).map((row, at): Row => ({ ...row, at }));
  const made = grouped(placed, differ);
  return [...made].map(([name, own]) => ({ name: unbroken(name) || "all trials", own }));
}

/** Settings in words that break between settings only. */
export function unbroken(words: string): string {
  return words.replaceAll(" ", "\u00a0").replaceAll(",\u00a0", ", ");
}

/** A value of a row beside its interval and n: the columns `name`, `name_low` and so on. */
export function valued(row: Row, name = ""): Omit<Valued, "name"> {
  return { ...ranged(row, name), n: numeric(row[name ? `${name}_n` : "n"]) };
}

/** Which of several the address names (`at`), and how to choose another; arrow keys walk. */
export function useChosen(many: number, what: string): [number, (at: number) => void] {
  const [{ values }, change] = useAddress();
  const at = Math.min(Math.max(whole(values, "at", 0), 0), Math.max(0, many - 1));
  const choose = (next: number) => change({ at: (next + many) % many }, { replace: true });
  useKeys([
    { key: "ArrowLeft", does: `${what} before`, run: () => choose(at - 1) },
    { key: "ArrowRight", does: `${what} after`, run: () => choose(at + 1) },
  ]);
  return [at, choose];
}

/** A small drawing for each condition, under its name, which chooses it. */
export function Panels(props: {
  known: readonly Case[];
  /** That of the chosen one. */
  name: string;
  onChoose?: ((at: number) => void) | undefined;
  children: (of: Case) => ComponentChildren;
}) {
  const { known, name, onChoose, children } = props;
  return (
    <div class="multiples">
      {known.map((one, nth) => (
        <figure key={one.name}>
          <figcaption>
            {onChoose ? (
              <button type="button" aria-pressed={one.name === name} onClick={() => onChoose(nth)}>
                {visible(one.name)}
              </button>
            ) : (
              visible(one.name)
            )}
          </figcaption>
          {children(one)}
        </figure>
      ))}
    </div>
  );
}

/** The trials of a condition of a table. */
export function CaseTrials({ head, table, of }: { head: Head; table: string; of: Case }) {
  const names = head.axes.filter((axis) => head.frames[table]?.columns.includes(axis));
  return <Trials head={head} name={of.name} places={trialsWith(head, of.own[0] ?? {}, names)} />;
}

/** Trials by their places in the head; a row opens its trial. */
export function Trials(props: { head: Head; name: string; places: readonly number[] }) {
  const { head, name, places } = props;
  const [, change] = useAddress();
  const { trials } = head;
  return (
    <Table
      caption={`Trials: ${name}`}
      columns={["trial", "seed", "item", "truth", "endpoint", "accuracy", "calls", "invalid"]}
      rows={places.map((at) => [
        trials.number[at] ?? null,
        trials.seed[at] ?? null,
        trials.item[at] ?? "",
        trials.truth[at] ?? "",
        (trials.endpoint[at] ?? "").replaceAll("_", " "),
        trials.accuracy[at] ?? null,
        trials.calls[at] ?? null,
        trials.invalid[at] ?? null,
      ])}
      onOpen={(nth) => change({ trial: trials.number[places[nth] ?? 0] ?? 0 }, { view: "trial" })}
      height={300}
    />
  );
}

/** What is wider than a narrow screen moves under its own bar. */
export function Wide({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in
    <div class="scroll" role="group" tabIndex={0} aria-label={visible(name)}>
      {children}
    </div>
  );
}

/** What the report says beside its results, which a drawing of them cannot. */
export function Caveats({ head, second }: { head: Head; second: Head | null }) {
  const found = [head, second].flatMap((one) => rows(one?.frames.caveats));
  const sentences = [...new Set(found.map((row) => String(row.sentence)))];
  if (sentences.length === 0) return null;
  return (
    <ul class="note" aria-label="What the report says beside this">
      {sentences.map((one) => (
        <li key={one}>{visible(one)}</li>
      ))}
    </ul>
  );
}

/** The tables that a view is drawn from, one after the other, of both runs. */
export function Sources(props: { head: Head; second: Head | null; tables: readonly string[] }) {
  const { head, second, tables } = props;
  const found = useMemo(() => {
    const heads = second ? [head, second] : [head];
    return heads.flatMap((one) =>
      tables.flatMap((table) =>
        rows(one.frames[table]).map(
          (row): Row => ({
            ...(second && { run: one.run }),
            ...(tables.length > 1 && { table: one.frames[table]?.title ?? "" }),
            ...row,
          }),
        ),
      ),
    );
  }, [head, second]);
  const columns = [...new Set(found.flatMap(Object.keys))];
  return (
    <>
      {tables.map((table) => (
        <Note key={table}>{visible(head.frames[table]?.note ?? "")}</Note>
      ))}
      <Caveats head={head} second={second} />
      <Behind
        caption={tables.map((table) => head.frames[table]?.title ?? "").join("; ")}
        columns={columns}
        rows={() => found.map((row) => columns.map((name): Value => row[name] ?? null))}
        version={`${head.run} ${second?.run}`}
      />
    </>
  );
}

/** A run beside another, each under its name. */
export function Beside(props: {
  head: Head;
  second: Head | null;
  children: (head: Head) => ComponentChildren;
}) {
  const { head, second, children } = props;
  if (!second) return <>{children(head)}</>;
  return (
    <div class="panels">
      {[head, second].map((one) => (
        <section key={one.run} aria-label={visible(one.run)}>
          <h3>{visible(one.run)}</h3>
          {children(one)}
        </section>
      ))}
    </div>
  );
}
