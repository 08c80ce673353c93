/** What a view is: one question, one drawing, and the table behind it. */

import type { ComponentType } from "preact";
import type { Head, Trial } from "../data/types";

export interface Shown {
  head: Head;
  /** The trial of the address, where the view is of one trial. */
  trial: Trial | null;
  /** A second run to compare with, where the address names one. */
  second: Head | null;
  secondTrial: Trial | null;
}

/** Why a view lacks what it needs: a run without trials lacks everything, whatever it is of. */
export function lacking(head: Head, why: string): string {
  return head.trials.number.length === 0 ? "No trial is completed." : why;
}

export interface View {
  /** In addresses: lower case, no spaces. */
  name: string;
  title: string;
  /** The question that it answers, a short sentence. */
  question: string;
  /** Whether it draws one trial, the whole run, or all runs of the page. */
  of: "trial" | "run" | "runs";
  /** Shows one run only: no other is offered beside it. */
  alone?: true;
  /** Draws from other runs of the page than the one and that beside it. */
  wide?: true;
  /** Why it cannot be shown for this run, or for this trial where one is given; or null. */
  needs(head: Head, trial?: Trial): string | null;
  Component: ComponentType<Shown>;
}
