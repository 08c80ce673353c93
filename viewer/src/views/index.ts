/** All views, in the order of the menu. */

import runs from "./runs";
import type { View } from "./view";

export const VIEWS: readonly View[] = [runs];
