import { useAddress } from "../app/address";
import { useHeads } from "../app/held";
import { Table } from "../ui/Table";
import type { View } from "./view";

const COLUMNS = [
  "run",
  "study",
  "agents",
  "trials",
  "of",
  "failed",
  "replies",
  "invalid",
  "USD",
  "digest",
];

function Runs() {
  const heads = useHeads();
  const [, change] = useAddress();
  const rows = heads.map((head) => [
    head.run,
    head.study,
    head.label,
    head.counts.completed ?? 0,
    head.counts.planned ?? 0,
    head.counts.failed ?? 0,
    head.counts.made ?? 0,
    head.counts.invalid ?? 0,
    head.costUsd,
    head.digests.run.slice(0, 8),
  ]);
  const open = (row: number) => change({ run: heads[row]?.run ?? "" }, { view: "trial" });
  return (
    <Table caption="Runs of this page" columns={COLUMNS} rows={rows} onOpen={open} digits={4} />
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
