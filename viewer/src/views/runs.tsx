import { useAddress, whole } from "../app/address";
import { useHeads } from "../app/held";
import { conditioned, ended } from "../app/words";
import type { Head } from "../data/types";
import { Note } from "../ui/parts";
import { Table } from "../ui/Table";
import type { Shown, View } from "./view";

const COLUMNS = [
  "run",
  "study",
  "agents",
  "trials",
  "of",
  "state",
  "failed",
  "replies",
  "reused",
  "invalid",
  "USD",
  "digest",
];

function Runs({ head }: Shown) {
  const heads = useHeads();
  const [address, change] = useAddress();
  const rows = heads.map((one) => [
    one.run,
    one.study,
    one.simulated ? "simulated" : "models",
    one.counts.completed ?? 0,
    one.counts.planned ?? 0,
    one.unfinished ? "unfinished" : "finished",
    one.counts.failed ?? 0,
    one.counts.made ?? 0,
    one.counts.reused ?? 0,
    one.counts.invalid ?? 0,
    one.costUsd,
    one.digests.run.slice(0, 8),
  ]);
  return (
    <>
      <Table
        caption="Runs of this page"
        columns={COLUMNS}
        rows={rows}
        selected={heads.indexOf(head)}
        onOpen={(row) => change({ run: heads[row]?.run ?? "", trial: "", seat: "", round: "" })}
        digits={4}
      />
      {head.unfinished && (
        <p>
          <progress
            aria-label="Completed trials"
            value={head.counts.completed ?? 0}
            max={head.counts.planned || 1}
          />{" "}
          {head.counts.completed} of {head.counts.planned} trials of {head.run} are completed.
        </p>
      )}
      <Trials head={head} now={whole(address.values, "trial", -1)} />
      {head.failures.length > 0 && (
        <Table
          caption={`Failed trials of ${head.run}`}
          columns={["trial", "why"]}
          rows={head.failures.map((one) => [one.number, one.why])}
        />
      )}
    </>
  );
}

function Trials({ head, now }: { head: Head; now: number }) {
  const [, change] = useAddress();
  const { trials } = head;
  const open = (row: number) =>
    change(
      { run: head.run, trial: trials.number[row] ?? 0, seat: "", round: "", step: "", row: "" },
      { view: "trial" },
    );
  const rows = trials.number.map((number, at) => [
    number,
    conditioned(head.conditions[trials.condition[at] ?? 0] ?? {}) || "one condition",
    trials.seed[at] ?? 0,
    trials.item[at] || null,
    trials.truth[at] ?? "",
    trials.agents[at] ?? 0,
    trials.rounds[at] ?? 0,
    ended(trials.endpoint[at] ?? ""),
    trials.accuracy[at] ?? null,
    trials.calls[at] ?? 0,
    trials.invalid[at] ?? 0,
    trials.role[at] === "estimate" ? "" : (trials.role[at] ?? ""),
  ]);
  return (
    <>
      <Table
        caption={`Trials of ${head.run}`}
        columns={[
          "trial",
          "condition",
          "seed",
          "item",
          "truth",
          "N",
          "rounds",
          "endpoint",
          "accuracy",
          "calls",
          "invalid",
          "outside estimates",
        ]}
        rows={rows}
        selected={trials.number.indexOf(now)}
        onOpen={open}
      />
      <Note>Accuracy: the share of the last readout that is right; n is N.</Note>
    </>
  );
}

const view: View = {
  name: "runs",
  title: "Runs",
  question: "What has been run, what did it cost, what failed?",
  of: "runs",
  needs: () => null,
  Component: Runs,
};

export default view;
