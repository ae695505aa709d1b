import type { Artefact } from "../artefact.ts";
import { apis } from "./apis.ts";
import { bundles } from "./bundles.ts";
import { charts } from "./charts.ts";
import { debian } from "./debian.ts";
import { demos } from "./demos.ts";
import { docs } from "./docs.ts";
import { reports } from "./reports.ts";
import { sites } from "./sites.ts";
import { slides } from "./slides.ts";

/** All artefacts of the corpus. */
export const artefacts: readonly Artefact[] = [
  ...reports,
  ...bundles,
  ...charts,
  ...apis,
  ...slides,
  ...demos,
  ...docs,
  ...sites,
  ...debian,
];
