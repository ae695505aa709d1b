import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderMeasuredRows } from "../bench/measured-rows.ts";
import { measureMemory, memoryFile } from "./function-memory.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { renderExample, renderFolders, renderIdle, renderInvalidations } from "./report.ts";

const root = join(import.meta.dirname, "../..");
const path = join(root, "docs/cost.md");

/** Renders docs/cost.md with its current tables, each between the two comments of its name. */
export async function renderCostPage(find: FindMeasuredCall): Promise<string> {
  const tables = {
    idle: renderIdle(find),
    example: renderExample(find),
    folders: renderFolders(find),
    invalidations: renderInvalidations(),
  };
  let page = await readFile(path, "utf8");
  for (const [name, table] of Object.entries(tables)) page = withTable(page, name, table);
  return page;
}

/** Writes the tables of docs/cost.md, and the memory of each function as data. */
export async function writeCostPage(find: FindMeasuredCall): Promise<void> {
  await writeFile(path, await renderCostPage(find));
  await writeFile(join(root, memoryFile), renderMeasuredRows(measureMemory(find)));
}

function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- cost:${name} -->`, `<!-- /cost:${name} -->`];
  const [beginAt, endAt] = [page.indexOf(begin), page.indexOf(end)];
  if (beginAt < 0 || endAt < beginAt) throw new Error(`docs/cost.md has no place for the table ${name}.`);
  return `${page.slice(0, beginAt)}${begin}\n\n${table}\n\n${page.slice(endAt)}`;
}
