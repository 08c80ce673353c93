/** All views, in the order of the menu. */

import attribution from "./attribution";
import circuit from "./circuit";
import evidence from "./evidence";
import lanes from "./lanes";
import patch from "./patch";
import phase from "./phase";
import probe from "./probe";
import runs from "./runs";
import shares from "./shares";
import sweep from "./sweep";
import transcript from "./transcript";
import trial from "./trial";
import type { View } from "./view";

export const VIEWS: readonly View[] = [
  runs,
  trial,
  shares,
  evidence,
  circuit,
  patch,
  attribution,
  phase,
  probe,
  sweep,
  lanes,
  transcript,
];
