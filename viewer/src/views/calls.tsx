/** What was sent for a step and what came back, fetched when it is asked for. */

import { useEffect, useState } from "preact/hooks";
import { useSource } from "../app/held";
import type { Attempt, Head, Prompt, Trial } from "../data/types";
import { Long } from "../ui/parts";
import { number, visible } from "../ui/text";

type Asked = Prompt | null | "asked" | "unasked" | Error;

export function Sent({ head, trial, step }: { head: Head; trial: Trial; step: number }) {
  const source = useSource();
  const [prompt, set] = useState<Asked>("unasked");
  const [wanted, want] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    set("asked");
    source.prompt(head.run, trial.number, step).then(
      (found) => here && set(found),
      (error: Error) => here && set(error),
    );
    return () => {
      here = false;
    };
  }, [wanted]);
  if (prompt === "unasked")
    return (
      <button type="button" onClick={() => want(true)}>
        Show the prompt and the replies
      </button>
    );
  if (prompt === "asked") return <p role="status">Fetching the prompt ...</p>;
  if (prompt instanceof Error) return <p class="loud">{visible(prompt.message)}</p>;
  if (prompt === null || prompt.segments.length === 0)
    return (
      <p role="status">
        No prompt is at hand: simulated agents read none, and a mailed page holds none.
      </p>
    );
  return (
    <>
      <dl class="prompt">
        {prompt.segments.map((segment, nth) => (
          <div key={nth}>
            <dt>{visible(segment.role)}</dt>
            <dd>
              <Long text={segment.text} most={4_000} />
            </dd>
          </div>
        ))}
      </dl>
      <dl class="prompt replies">
        {prompt.attempts.map((attempt, nth) => (
          <div key={nth}>
            <dt>{took(attempt, nth, prompt.attempts.length)}</dt>
            <dd>
              <Long text={attempt.text} most={4_000} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Such as "reply 1 of 2, invalid: no JSON; 310 + 12 tokens, 0.0004 USD". */
function took(attempt: Attempt, nth: number, of: number): string {
  const { prompt, completion, costUsd, valid, why } = attempt;
  const said = valid ? why : `invalid: ${why}`;
  const known = prompt !== null || completion !== null;
  const tokens = known ? `${number(prompt)} + ${number(completion)} tokens` : "tokens not counted";
  const name = `reply${of > 1 ? ` ${nth + 1} of ${of}` : ""}${said && `, ${visible(said, 300)}`}`;
  return `${name}; ${tokens}, ${number(costUsd, 4)} USD`;
}
