/** How settings and endpoint classes are written. */

import type { Condition } from "../data/types";
import { visible } from "../ui/text";

/** The swept settings of a condition, such as "N = 8, alpha = 0.5"; "" if nothing is swept. */
export function conditioned(condition: Condition): string {
  return Object.entries(condition)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${visible(name, 60)} = ${visible(String(value), 120)}`)
    .join(", ");
}

/** An endpoint class, such as "wrong consensus". */
export function ended(endpoint: string): string {
  return visible(endpoint.replaceAll("_", " "));
}
