/** What a trial was about and how it ended; the badge is that of its end, whatever round is shown. */

import { useAddress } from "../app/address";
import { conditioned, ended } from "../app/words";
import type { Json, Trial } from "../data/types";
import { MARKS, REST } from "./colours";
import { Sign } from "./Marks";
import { number, visible } from "./text";

const BADGES: Record<string, string> = {
  correct_consensus: "●",
  wrong_consensus: "▲",
  polarization: "◆",
  fragmentation: "·",
};

export function About({ trial, name = "" }: { trial: Trial; name?: string }) {
  const badge = BADGES[trial.endpoint];
  const mark = MARKS.find((one) => one.glyph === badge) ?? REST;
  const { N: _, ...others } = trial.condition;
  const settings = conditioned(others);
  return (
    <div class="about">
      <p>
        {name && <b>{visible(name)}: </b>}
        {trial.endpoint && (
          <span class="badge">
            <Sign mark={mark} /> {ended(trial.endpoint)}
          </span>
        )}{" "}
        {trial.accuracy !== null && `accuracy ${number(trial.accuracy)}, `}N ={" "}
        {number(trial.seats.length)}, {trial.cut} {trial.cut === 1 ? "round" : "rounds"}
        {trial.cut < trial.rounds && ` of ${trial.rounds} (stopped)`}, {visible(trial.protocol)}
        {settings && `, ${settings}`}, seed {trial.seed}
        {trial.role !== "estimate" && <b> {visible(trial.role)}, outside estimates</b>}
      </p>
      {trial.question && <p class="said">{visible(trial.question.slice(0, 600))}</p>}
      <p>
        Truth <b>{visible(trial.truth.slice(0, 200))}</b>
        {trial.lure && (
          <>
            , rival <b>{visible(trial.lure.slice(0, 200))}</b>
          </>
        )}
      </p>
      {trial.intervention && (
        <p class="soft">With an intervention: {visible(changed(trial.intervention), 600)}</p>
      )}
    </div>
  );
}

/** Which changes were made, at which agents, and how; what was not set is left out. */
function changed(intervention: Json): string {
  const { changes = [], doubt = "" } = intervention as { changes?: Change[]; doubt?: string };
  const each = changes.map(({ kind, agents, ...others }) => {
    const at = agents === undefined ? "" : ` at agents: ${plain(agents)}`;
    const how = Object.entries(others)
      .filter(([, value]) => value !== null && value !== "")
      .map(([name, value]) => `${name.replaceAll("_", " ")}: ${plain(value)}`);
    return [`${plain(kind)}${at}`, ...how].join(", ");
  });
  return `${each.join("; ")}.${doubt && ` ${doubt}`}`;
}

type Change = Record<string, Json>;

function plain(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(plain).join(" ");
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.entries(value)
    .map(([name, one]) => `${name} = ${plain(one)}`)
    .join(", ");
}

/** The seat of the address; the first of the given ones if it names none of them. */
export function useSeat(seats: readonly number[]): [number, (seat: number) => void] {
  const [address, change] = useAddress();
  const named = Number(address.values.seat || Number.NaN);
  const seat = seats.includes(named) ? named : (seats[0] ?? 0);
  return [seat, (next) => change({ seat: next, step: "" }, { replace: true })];
}
