import { Bars, type Valued } from "../ui/Marks";
import { Note } from "../ui/parts";
import {
  Beside,
  type Case,
  CaseTrials,
  cases,
  RIVAL,
  Sources,
  TRUTH,
  unbroken,
  useChosen,
  valued,
  Wide,
} from "./rates";
import { lacking, type Shown, type View } from "./view";

const FIRST = "known_at_first";

function Knowledge({ head, second }: Shown) {
  const known = cases(head, "knowledge");
  const [at, choose] = useChosen(known.length, "condition");
  const chosen = known[at];
  return (
    <>
      <Beside head={head} second={second}>
        {(one) =>
          one.frames.knowledge ? (
            <Wide name={`Known and given up: ${one.run}`}>
              <Bars
                caption="Known at first, and how much of that is given up (95 % intervals; n: items)"
                rows={cases(one, "knowledge").flatMap((own, nth) =>
                  pair(own, one === head && nth === at),
                )}
                range={[0, 1]}
                {...(one === head && { onOpen: (row: number) => choose(Math.floor(row / 2)) })}
              />
            </Wide>
          ) : (
            <p>This run has no answers before the talk.</p>
          )
        }
      </Beside>
      <Note>
        The last column counts agents. ● of benign agents, those that answer right before the talk.
        ▲ of these, those that do not at its end.
      </Note>
      {chosen && <CaseTrials head={head} table="knowledge" of={chosen} />}
      <Sources head={head} second={second} tables={["knowledge"]} />
    </>
  );
}

function pair({ name, own }: Case, chosen: boolean): Valued[] {
  const row = own[0] ?? {};
  const sign = chosen ? "\u00a0◂" : "";
  const counted = (of: string) => unbroken(`${row[`${of}_counted`]} of ${row[`${of}_of`]}`);
  const lost = unbroken(`${row.abandoned_to_false_counted} to false`);
  return [
    { ...valued(row, FIRST), name: `${name}${sign}: known`, note: counted(FIRST), mark: TRUTH },
    {
      ...valued(row, "abandoned"),
      name: `${name}${sign}: given up`,
      note: `${counted("abandoned")}, ${lost}`,
      mark: RIVAL,
    },
  ];
}

const view: View = {
  name: "knowledge",
  title: "Knowledge",
  question: "Who knows the answer, and gives it up?",
  of: "run",
  needs: (head) =>
    head.frames.knowledge
      ? null
      : lacking(head, "Only chatrooms ask what agents know before the talk."),
  Component: Knowledge,
};

export default view;
