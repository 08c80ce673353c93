import { useMemo } from "preact/hooks";
import { link, useAddress } from "../app/address";
import { beliefs, called, cellText, drawn } from "../data/beliefs";
import type { Head, Trial } from "../data/types";
import { points, RIVAL, THIRD, TRUTH, useArrows } from "../graphs/shown";
import { About, useSeat } from "../ui/About";
import { BLANK, type Mark, NONE, REST } from "../ui/colours";
import { Flag } from "../ui/Flag";
import { Bars, Key, Sign } from "../ui/Marks";
import { Behind, Note } from "../ui/parts";
import { Scrubber, useRound } from "../ui/Scrubber";
import { Table } from "../ui/Table";
import { number, visible } from "../ui/text";
import { Curves, range } from "./curves";
import { numeric, type Row, rows } from "./rows";
import type { Shown, View } from "./view";

const FITS = [
  { name: "truth alone", mark: TRUTH },
  { name: "rival alone", mark: RIVAL },
  { name: "both", mark: THIRD },
  { name: "neither", mark: REST },
];
const SIDES = [
  { name: "most two-way probes say the truth", mark: TRUTH },
  { name: "most say the rival", mark: RIVAL },
  { name: "as many say both", mark: REST },
];
/** As `cellText` says it. */
const NOTHING = "not asked";

/** One seat with what it sees. */
interface Holder {
  seat: number;
  text: string;
  x: number | null;
  y: number | null;
  fits: readonly number[] | null;
  /** Place in FITS. */
  fit: number | null;
  /** The row of its two-way probes. */
  probes: Row | undefined;
}

function Evidence({ head, trial, second, secondTrial }: Shown) {
  const last = Math.max(trial?.cut ?? 0, secondTrial?.cut ?? 0, 0);
  const [round, go] = useRound(last);
  return (
    trial && (
      <>
        {last > 0 && <Scrubber last={last} value={round} onChange={go} />}
        <One head={head} trial={trial} round={round} keyed />
        {second && secondTrial && (
          <>
            <h3>Beside: {visible(second.run)}</h3>
            <One head={second} trial={secondTrial} round={round} />
          </>
        )}
      </>
    )
  );
}

interface Props {
  head: Head;
  trial: Trial;
  round: number;
  keyed?: boolean;
}

function One({ head, trial, round, keyed = false }: Props) {
  const { canvas } = trial;
  const seen = useMemo(() => holders(head, trial), [head, trial]);
  const grid = useMemo(() => beliefs(trial), [trial]);
  const look = useMemo(() => drawn(grid), [grid]);
  const first = useMemo(() => guesses(trial), [trial]);
  const [seat, choose] = useSeat(seen.map((one) => one.seat));
  const at = seen.findIndex((one) => one.seat === seat);
  const chosen = seen[at];
  const pick = (next: number) => seen[next] && choose(seen[next].seat);
  useArrows("crop", (by) => pick(at + by), keyed);
  const says = (place: number): [answer: string, when: string] => {
    const now = cellText(grid, place, Math.min(round, grid.columns.length - 1));
    const alone = first.get(place);
    // Where nothing was asked in a round, and before the first, what a seat said alone stands.
    return alone && (!round || now === NOTHING) ? [alone, ALONE] : [now, round ? when : ALONE];
  };
  const when = `after round ${round}`;
  const mark = ({ seat, probes }: Holder): Mark => {
    if (probes) return side(share(probes));
    const [answer] = says(seat);
    const code = look.codes[grid.answers.indexOf(answer)] ?? -1;
    return look.marks[code] ?? (answer === NOTHING ? BLANK : NONE);
  };
  const probed = seen.some((one) => one.probes);
  const table = {
    caption: `${keyed ? "" : `${head.run}: `}Evidence of each seat, and what it says ${round ? when : ALONE}`,
    columns: COLUMNS,
    rows: seen.map((one) => [
      called(trial, one.seat),
      trial.seats[one.seat]?.role ?? "",
      one.x,
      one.y,
      says(one.seat)[0],
      FITS[one.fit ?? -1]?.name ?? null,
      one.fits?.length ?? null,
      one.probes?.rival_share ?? null,
      one.probes?.n ?? null,
      one.text.replaceAll("\n", " "),
    ]),
    onOpen: pick,
  };
  return (
    <>
      <About trial={trial} />
      {!chosen && <p>No seat has evidence of its own.</p>}
      {canvas && chosen && chosen.x !== null && chosen.y !== null && (
        <div class="panels">
          <div>
            <Flag
              rows={canvas.rows}
              colours={canvas.colours}
              label={`The flag of ${visible(trial.truth)}, with ${seen.length} crops`}
              width={620}
              faded
              spots={spots(seen, canvas.crop, mark)}
              frame={{ x: chosen.x, y: chosen.y, width: canvas.crop[0], height: canvas.crop[1] }}
              onPick={pick}
            />
            <Key marks={probed ? SIDES : look.key} />
            <Note>
              A dot at the centre of each of {seen.length} crops, in the colour of what{" "}
              {probed ? "most two-way probes say" : `its seat says ${round ? when : ALONE}`}; those
              of one place stand side by side.
            </Note>
          </div>
          <Detail trial={trial} one={chosen} said={says(seat).join(" ")} mark={mark(chosen)} />
        </div>
      )}
      {chosen?.fits && (
        <Bars
          caption={`Seats by what their evidence fits: ${trial.truth} (truth), ${trial.lure} (rival)`}
          range={[0, seen.length]}
          rows={FITS.map((fit, place) => ({
            ...fit,
            value: seen.filter((one) => one.fit === place).length,
            n: seen.length,
          }))}
        />
      )}
      {probed && <Shares seen={seen} seat={seat} pick={pick} />}
      {canvas ? (
        <Behind
          {...table}
          rows={() => table.rows}
          version={`${head.run} ${trial.number} ${round}`}
        />
      ) : (
        <Table {...table} />
      )}
    </>
  );
}

const ALONE = "alone, before anything is said";
const COLUMNS = "seat,role,column,row,says,fits,answers that fit,rival share,n,evidence".split(",");

/** What each seat answered to its evidence alone, where it was asked. */
function guesses({ steps, answers }: Trial): Map<number, string> {
  const found = new Map<number, string>();
  steps.purpose.forEach((purpose, step) => {
    const seat = steps.seat[step] ?? -1;
    if (purpose === "guess" && !steps.variant[step] && !found.has(seat))
      found.set(seat, answers[steps.answer[step] ?? -1] ?? "invalid");
  });
  return found;
}

function share(row: Row): number {
  return numeric(row.rival_share) ?? 0.5;
}

function side(share: number): Mark {
  return share === 0.5 ? REST : share < 0.5 ? TRUTH : RIVAL;
}

/** The seats that see something, from the upper left of the flag on. */
function holders(head: Head, trial: Trial): Holder[] {
  const probes = rows(head.frames.evidence_share).filter((row) => row.trial === trial.number);
  const [truth, lure] = [trial.answers.indexOf(trial.truth), trial.answers.indexOf(trial.lure)];
  const bearing = [...trial.seats.keys()].filter((seat) => trial.seats[seat]?.evidence !== null);
  const found = bearing.flatMap((seat, crop) => {
    const { text, position, fits } = trial.evidence[trial.seats[seat]?.evidence ?? -1] ?? NO_PIECE;
    const [x = null, y = null] = position ?? [];
    const fit =
      fits && (fits.includes(truth) ? (fits.includes(lure) ? 2 : 0) : fits.includes(lure) ? 1 : 3);
    return { seat, text, x, y, fits, fit, probes: probes.find((row) => row.crop === crop) };
  });
  return found.sort((a, b) => (a.y ?? 0) - (b.y ?? 0) || (a.x ?? 0) - (b.x ?? 0));
}

const NO_PIECE = { text: "", position: null, fits: null };

function spots(seen: readonly Holder[], crop: readonly number[], mark: (one: Holder) => Mark) {
  const [wide = 0, high = 0] = crop;
  return seen.map((one, place) => {
    const before = seen.slice(0, place).filter(({ x, y }) => x === one.x && y === one.y).length;
    // The golden angle spreads what has one place.
    const away = 0.55 * Math.sqrt(before);
    return {
      x: (one.x ?? 0) + wide / 2 + away * Math.cos(2.4 * before),
      y: (one.y ?? 0) + high / 2 + away * Math.sin(2.4 * before),
      mark: mark(one),
    };
  });
}

function Detail(props: { trial: Trial; one: Holder; said: string; mark: Mark }) {
  const { trial, one, said, mark } = props;
  const [address] = useAddress();
  const fits = one.fits?.map((place) => trial.answers[place]) ?? [];
  return (
    <div class="side" aria-live="polite" style={{ alignSelf: "start" }}>
      <h3>
        Seat {one.seat}, cells {one.x}, {one.y}
      </h3>
      <Flag
        rows={one.text.split("\n")}
        colours={trial.canvas?.colours ?? {}}
        label={`The crop of seat ${one.seat}`}
        width={150}
      />
      <p>
        {!one.probes && <Sign mark={mark} />} Says {visible(said)}
      </p>
      <p>
        Fits {FITS[one.fit ?? -1]?.name}, {fits.length} of {trial.answers.length} answers:{" "}
        {visible(fits.join(", "))}
      </p>
      {one.probes && (
        <p>
          <Sign mark={mark} /> Rival share {number(share(one.probes))}, n = {one.probes.n} two-way
          probes
        </p>
      )}
      <a href={link(address, "trial", { seat: one.seat })}>What it heard and said</a>
    </div>
  );
}

interface SharesProps {
  seen: readonly Holder[];
  seat: number;
  pick: (place: number) => void;
}

function Shares({ seen, seat, pick }: SharesProps) {
  const sorted = seen
    .flatMap((one, place) =>
      one.probes ? [{ ...one, place, share: share(one.probes), n: one.probes.n }] : [],
    )
    .sort((a, b) => a.share - b.share || a.seat - b.seat);
  const counts = [...new Set(sorted.map(({ n }) => n))];
  return (
    <>
      <Curves
        label="Rival share of the two-way probes of each crop, sorted"
        x={range("crops, sorted", 0, sorted.length + 1)}
        y={range("rival share", -0.05, 1.05)}
        selected={sorted.findIndex((one) => one.seat === seat)}
        curves={points(
          sorted.map((one, at) => ({
            name: `seat ${one.seat}: ${number(one.share)}, n = ${one.n}`,
            at: at + 1,
            value: one.share,
            mark: side(one.share),
          })),
        )}
        onPick={(place) => pick(sorted[place]?.place ?? -1)}
      />
      <Note>
        {sorted.length} crops, n = {counts.join(" or ")} two-way probes each.
      </Note>
    </>
  );
}

const view: View = {
  name: "evidence",
  title: "Evidence",
  question: "Was the evidence there?",
  of: "trial",
  needs: (head) => (head.trials.number.length === 0 ? "No trial is completed." : null),
  Component: Evidence,
};

export default view;
