import { useMemo } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { beliefs, called, cellText, drawn } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { About, useSeat } from "../ui/About";
import { BLANK, MARKS, type Mark, NONE, REST } from "../ui/colours";
import { Flag } from "../ui/Flag";
import { useKeys } from "../ui/keys";
import { Bars, Key, Scatter, Sign } from "../ui/Marks";
import { Behind, Note } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import { Table, type Value } from "../ui/Table";
import { number, visible } from "../ui/text";
import { numeric, rows } from "./rows";
import type { Shown, View } from "./view";

/** As `cellText` says it. */
const NOTHING = "not asked";
const FITS = ["truth alone", "rival alone", "both", "neither"] as const;
type Fit = (typeof FITS)[number] | "not known";

interface Share {
  share: number;
  n: number | null;
}

/** One seat with what it sees. */
interface Holder {
  seat: number;
  text: string;
  x: number;
  y: number;
  placed: boolean;
  fits: readonly number[] | null;
  fit: Fit;
  share: Share | undefined;
}

function Evidence({ head, trial, second, secondTrial }: Shown) {
  const last = Math.max(trial?.cut ?? 0, secondTrial?.cut ?? 0, 0);
  const [round, setRound] = useRound(last);
  if (!trial) return null;
  return (
    <>
      {last > 0 && <Scrubber last={last} value={round} onChange={setRound} />}
      <One head={head} trial={trial} round={round} keyed />
      {second && secondTrial && (
        <section aria-label={visible(second.run)}>
          <h3>Beside: {visible(second.run)}</h3>
          <One head={second} trial={secondTrial} round={round} />
        </section>
      )}
    </>
  );
}

interface Props {
  head: Head;
  trial: Trial;
  round: number;
  keyed?: boolean;
}

function One({ head, trial, round, keyed = false }: Props) {
  const seen = useMemo(() => holders(head, trial), [head, trial]);
  const grid = useMemo(() => beliefs(trial), [trial]);
  const look = useMemo(() => drawn(grid), [grid]);
  const [seat, choose] = useSeat(seen.map((one) => one.seat));
  const at = seen.findIndex((one) => one.seat === seat);
  const chosen = seen[at];
  const pick = (next: number) => {
    const one = seen[next];
    if (one) choose(one.seat);
  };
  useKeys(
    keyed
      ? [
          { key: "ArrowUp", does: "crop before", run: () => pick(at - 1) },
          { key: "ArrowDown", does: "crop after", run: () => pick(at + 1) },
        ]
      : [],
  );
  const now = (place: number) => cellText(grid, place, Math.min(round, grid.columns.length - 1));
  // Where nothing was asked in a round, and before the first, what a seat said alone stands.
  const alone = (place: number) => !round || now(place) === NOTHING;
  const says = (place: number) => (alone(place) ? guess(trial, place) : null) ?? now(place);
  const show = (one: Holder): Mark => {
    if (one.share) return side(one.share.share);
    const answer = grid.answers.indexOf(says(one.seat));
    if (answer < 0) return says(one.seat) === "invalid" ? NONE : BLANK;
    return look.marks[look.codes[answer] ?? -1] ?? REST;
  };
  const name = keyed ? "" : `${head.run}: `;
  const shares = seen.some((one) => one.share);
  const placed = seen.some((one) => one.placed);
  return (
    <>
      <About trial={trial} />
      {trial.canvas && placed && (
        <div class="panels">
          <div>
            <Flag
              rows={trial.canvas.rows}
              colours={trial.canvas.colours}
              label={`The flag of ${visible(trial.truth)}, with ${seen.length} crops`}
              width={620}
              faded
              spots={spots(seen, trial.canvas.crop, show)}
              frame={chosen?.placed ? framed(chosen, trial.canvas.crop) : null}
              onPick={pick}
            />
            <Key marks={shares ? SIDES : look.key} />
            <Note>
              A dot stands at the centre of each of {number(seen.length)} crops, in the colour of{" "}
              {shares
                ? "what most of its two-way probes say"
                : `what its seat holds ${told(round)}`}
              ; crops of one place stand side by side.
            </Note>
          </div>
          {chosen && (
            <Detail
              trial={trial}
              one={chosen}
              said={`${says(chosen.seat)} ${told(alone(chosen.seat) ? 0 : round)}`}
              mark={show(chosen)}
            />
          )}
        </div>
      )}
      <Counts trial={trial} seen={seen} />
      {shares && <Shares seen={seen} seat={seat} pick={pick} />}
      {trial.canvas && placed ? (
        <Behind
          caption={`${name}Evidence of each seat, and what it holds ${told(round)}`}
          columns={COLUMNS}
          rows={() => listed(seen, says)}
          version={`${head.run} ${trial.number} ${round}`}
          onOpen={pick}
        />
      ) : (
        <Table
          caption={`${name}Who has what, and what each seat holds ${told(round)}`}
          columns={["seat", "role", "mind", "holds", "evidence"]}
          rows={trial.seats.map((one, place) => [
            called(trial, place),
            one.role,
            one.mind,
            says(place),
            one.evidence === null ? "none" : (trial.evidence[one.evidence]?.text ?? null),
          ])}
        />
      )}
    </>
  );
}

/** What a seat answered to its evidence alone; null where it was not asked. */
function guess({ steps, answers }: Trial, seat: number): string | null {
  const step = steps.purpose.findIndex(
    (purpose, index) => purpose === "guess" && !steps.variant[index] && steps.seat[index] === seat,
  );
  return step < 0 ? null : (answers[steps.answer[step] ?? -1] ?? "invalid");
}

function told(round: number): string {
  return round ? `after round ${round}` : "alone, before anything is said";
}

const SIDES = [
  { name: "most two-way probes say the truth", mark: side(0) },
  { name: "most say the rival", mark: side(1) },
  { name: "as many say both", mark: side(0.5) },
];

function side(share: number): Mark {
  return (share === 0.5 ? REST : MARKS[share < 0.5 ? 0 : 1]) ?? REST;
}

function holders(head: Head, trial: Trial): Holder[] {
  const bearing = trial.seats.flatMap(({ evidence }, seat) => (evidence === null ? [] : [seat]));
  const shares = new Map<number | undefined, Share>();
  for (const row of rows(head.frames.evidence_share)) {
    const share = numeric(row.rival_share);
    if (row.trial === trial.number && share !== null)
      shares.set(bearing[numeric(row.crop) ?? -1], { share, n: numeric(row.n) });
  }
  const [truth, lure] = [trial.answers.indexOf(trial.truth), trial.answers.indexOf(trial.lure)];
  const found = trial.seats.flatMap(({ evidence }, seat) => {
    const piece = evidence === null ? undefined : trial.evidence[evidence];
    if (!piece) return [];
    const [x = 0, y = 0] = piece.position ?? [];
    const { text, fits } = piece;
    const fit = fitting(fits, truth, lure);
    return [
      { seat, text, x, y, placed: piece.position !== null, fits, fit, share: shares.get(seat) },
    ];
  });
  return found.sort((a, b) => a.y - b.y || a.x - b.x || a.seat - b.seat);
}

function fitting(fits: readonly number[] | null, truth: number, lure: number): Fit {
  if (!fits) return "not known";
  const [one, two] = [fits.includes(truth), fits.includes(lure)];
  return one ? (two ? "both" : "truth alone") : two ? "rival alone" : "neither";
}

function spots(
  seen: readonly Holder[],
  [wide, high]: readonly [number, number],
  show: (one: Holder) => Mark,
) {
  const before = new Map<string, number>();
  return seen.map((one) => {
    const key = `${one.x} ${one.y}`;
    const nth = before.get(key) ?? 0;
    before.set(key, nth + 1);
    // The golden angle spreads what has one place.
    const away = 0.55 * Math.sqrt(nth);
    return {
      x: one.x + wide / 2 + away * Math.cos(2.4 * nth),
      y: one.y + high / 2 + away * Math.sin(2.4 * nth),
      mark: show(one),
    };
  });
}

function framed({ x, y }: Holder, [width, height]: readonly [number, number]) {
  return { x, y, width, height };
}

interface DetailProps {
  trial: Trial;
  one: Holder;
  said: string;
  mark: Mark;
}

function Detail({ trial, one, said, mark }: DetailProps) {
  const [address] = useAddress();
  const fits = one.fits?.map((place) => trial.answers[place] ?? "");
  return (
    <div class="side" aria-live="polite" style={{ alignSelf: "start" }}>
      <h3>
        Seat {one.seat}, cells {one.x}, {one.y}
      </h3>
      <Flag
        rows={one.text.split("\n")}
        colours={trial.canvas?.colours ?? {}}
        label={`the crop of seat ${one.seat}`}
        width={150}
      />
      <p>
        <Sign mark={mark} /> says {visible(said)}
      </p>
      <p>
        Fits {one.fit}
        {fits && `; ${number(fits.length)} of ${number(trial.answers.length)} answers: `}
        {fits && visible(fits.join(", "))}
      </p>
      {one.share && (
        <p>
          Rival share {number(one.share.share)} of n = {number(one.share.n)} two-way probes
        </p>
      )}
      <a href={link(address, "trial", { seat: one.seat })}>What it heard and said</a>
    </div>
  );
}

function Counts({ trial, seen }: { trial: Trial; seen: readonly Holder[] }) {
  const known = seen.filter((one) => one.fit !== "not known");
  if (!seen.length) return <p>No seat has evidence of its own.</p>;
  if (!known.length) return null;
  const marks = [MARKS[0], MARKS[1], MARKS[2], REST];
  return (
    <Bars
      caption={`Seats by what their evidence fits: ${trial.truth} (truth), ${trial.lure || "no"} (rival)`}
      range={[0, known.length]}
      rows={FITS.map((name, place) => ({
        name,
        value: known.filter((one) => one.fit === name).length,
        n: known.length,
        mark: marks[place] ?? REST,
      }))}
    />
  );
}

interface SharesProps {
  seen: readonly Holder[];
  seat: number;
  pick: (place: number) => void;
}

function Shares({ seen, seat, pick }: SharesProps) {
  const probed = seen.flatMap((one, place) => (one.share ? [{ ...one, ...one.share, place }] : []));
  const sorted = probed.sort((a, b) => a.share - b.share || a.seat - b.seat);
  const counts = sorted.map(({ n }) => n ?? 0);
  const [few, many] = [Math.min(...counts), Math.max(...counts)];
  return (
    <>
      <Scatter
        label="rival share of the two-way probes of each crop, sorted; the table holds the numbers"
        xLabel="crops, sorted"
        yLabel="rival share"
        xRange={[0, sorted.length + 1]}
        yRange={[0, 1]}
        selected={sorted.findIndex((one) => one.seat === seat)}
        points={sorted.map((one, place) => ({
          name: `seat ${one.seat}: ${number(one.share)}, n = ${number(one.n)}`,
          x: place + 1,
          y: one.share,
          mark: side(one.share),
        }))}
        onPick={(place) => pick(sorted[place]?.place ?? -1)}
      />
      <Note>
        {number(sorted.length)} crops, n ={" "}
        {few === many ? number(few) : `${number(few)} to ${number(many)}`} two-way probes each.
      </Note>
    </>
  );
}

const COLUMNS = [
  "seat",
  "column",
  "row",
  "holds",
  "fits",
  "answers that fit",
  "rival share",
  "n",
  "crop",
];

function listed(seen: readonly Holder[], says: (seat: number) => string): Value[][] {
  return seen.map((one) => [
    one.seat,
    one.placed ? one.x : null,
    one.placed ? one.y : null,
    says(one.seat),
    one.fit,
    one.fits?.length ?? null,
    one.share?.share ?? null,
    one.share?.n ?? null,
    one.text.replaceAll("\n", " "),
  ]);
}

const view: View = {
  name: "evidence",
  title: "Evidence",
  question: "Was the evidence there?",
  of: "trial",
  needs: () => null,
  Component: Evidence,
};

export default view;
