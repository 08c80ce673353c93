/** All views, in the order of the menu. */

import attribution from "./attribution";
import card from "./card";
import circuit from "./circuit";
import contagion from "./contagion";
import diff from "./diff";
import evidence from "./evidence";
import iceberg from "./iceberg";
import judge from "./judge";
import knowledge from "./knowledge";
import lanes from "./lanes";
import numbers from "./numbers";
import parity from "./parity";
import patch from "./patch";
import phase from "./phase";
import probe from "./probe";
import runs from "./runs";
import shares from "./shares";
import slope from "./slope";
import sweep from "./sweep";
import tactics from "./tactics";
import transcript from "./transcript";
import trial from "./trial";
import type { View } from "./view";

export const VIEWS: readonly View[] = [
  runs,
  numbers,
  card,
  trial,
  shares,
  evidence,
  circuit,
  patch,
  attribution,
  phase,
  probe,
  sweep,
  slope,
  lanes,
  iceberg,
  contagion,
  knowledge,
  transcript,
  judge,
  tactics,
  parity,
  diff,
];
