import type { Route } from "../../functions/http/route.ts";
import { source } from "./source.ts";

/** An operation definition (row) with its file and export name. The definition may be missing in `functions/routes.ts`. */
export interface FoundRow {
  readonly route: Route;
  /** Path of the definition's file, such as `functions/drops/rows.ts`. */
  readonly file: string;
  /** Export name of the definition, such as `getDropRoute`. */
  readonly exportName: string;
}

/** Finds the operation definitions (rows) of all features: exports of `functions/<feature>/*rows.ts` whose names end in `Route`. */
export async function findRows(): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for (const file of source.list("functions", "rows.ts")) {
    const exported: Record<string, unknown> = await import(`../../${file}`);
    for (const [exportName, route] of Object.entries(exported)) {
      if (exportName.endsWith("Route")) found.push({ route: route as Route, file, exportName });
    }
  }
  return found;
}

/** Finds the first line that starts with `beginning` in an operation definition. Line numbers start at 1. */
export function lineOfRow({ file, exportName }: FoundRow, beginning = ""): number {
  const lines = source.read(file).split("\n");
  const first = lines.findIndex((line) => line.startsWith(`export const ${exportName} = `));
  return lines.findIndex((line, index) => index >= first && line.trimStart().startsWith(beginning)) + 1;
}
