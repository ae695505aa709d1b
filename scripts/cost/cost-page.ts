import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";
import { replaceBetween } from "../bench/markdown-table.ts";
import { renderMeasuredRows } from "../bench/measured-rows.ts";
import { measureMemory, memoryFile } from "./function-memory.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { renderCases, renderExample, renderFolders, renderIdle, renderInvalidations } from "./report.ts";

const path = join(projectDirectory, "docs/cost.md");

/** Renders docs/cost.md with its current tables, each between the two comments of its name. */
export async function renderCostPage(find: FindMeasuredCall): Promise<string> {
  const tables = {
    idle: renderIdle(find),
    cases: renderCases(find),
    example: renderExample(find),
    folders: renderFolders(find),
    invalidations: renderInvalidations(),
  };
  let page = await readFile(path, "utf8");
  for (const [name, table] of Object.entries(tables))
    page = replaceBetween(page, [`cost:${name}`, `/cost:${name}`], table);
  return page;
}

/** Writes the tables of docs/cost.md, and the memory of each function as data. */
export async function writeCostPage(find: FindMeasuredCall): Promise<void> {
  await writeFile(path, await renderCostPage(find));
  await writeFile(join(projectDirectory, memoryFile), renderMeasuredRows(measureMemory(find)));
}
