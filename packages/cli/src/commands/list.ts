import * as z from "zod/mini";
import { type Drop, dropSchema } from "../drop.ts";
import { addItems } from "../service/bounded-list.ts";
import { count } from "../service/fields.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { addTags, readTags } from "../tags.ts";
import { type Line, type Output, styled, table, writeResult } from "../terminal/output.ts";

interface ListOptions extends ServiceOption {
  readonly tag: readonly string[];
  readonly limit: number;
}

const pageSizeMax = 200;

const dropList = z.object({ drops: z.array(dropSchema), total: count });

/** Lists the user's drops, most recently changed first. */
export async function list({ service, tag, limit }: ListOptions, output: Output): Promise<void> {
  const filters = new URLSearchParams();
  addTags(filters, readTags(tag));
  const client = await selectService(service);
  const drops: Drop[] = [];
  let total = 0;
  for (let page = 1; drops.length < limit; page++) {
    const query = new URLSearchParams([
      ...filters,
      ["page", String(page)],
      ["pageSize", String(Math.min(limit, pageSizeMax))],
      ["sortBy", "updated_at"],
      ["sortOrder", "desc"],
    ]);
    const { result } = await client.call("/api/drops", dropList, { query });
    total = result.total;
    addItems(drops, result.drops, client.address);
    if (result.drops.length === 0 || drops.length >= total) break;
  }
  const shown = drops.slice(0, limit);
  const rows = shown.map(({ slug, title, url, latest_version, visibility, locked }) => [
    slug,
    `v${latest_version}`,
    locked ? `${visibility}, locked` : visibility,
    cut(title, 40),
    url,
  ]);
  const hidden = total - shown.length;
  const lines: Line[] =
    rows.length > 0
      ? table(rows)
      : ["You have published nothing yet. To publish a page, run: dropleaf publish page.html"];
  if (hidden > 0)
    lines.push(styled("dim", `${hidden} more. To list them, run: dropleaf list --limit ${total}`));
  writeResult(output, { drops: shown, total }, lines);
}

function cut(text: string, charactersMax: number): string {
  const characters = [...text];
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join("")}…`;
}
