import * as z from "zod/mini";
import { callForDrop, findNamedDrop } from "../drop.ts";
import { count, identifier, unixMs } from "../service/fields.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { formatUtc, type Output, styled, table, writeResult } from "../terminal/output.ts";
import { confirmDeletion } from "./access.ts";

const trashedDrop = z.object({
  slug: identifier,
  title: z.string(),
  reason: z.string(),
  purged_at: unixMs,
  bytes: count,
});
const trashList = z.object({ drops: z.array(trashedDrop), total: count });

/** Lists the drops in the trash, most recently deleted first. Shows at most one page of the API's list. */
export async function trash({ service }: ServiceOption, output: Output): Promise<void> {
  const client = await selectService(service);
  const query = new URLSearchParams({ pageSize: "200" });
  const { result } = await client.call("/api/trash", trashList, { query });
  const rows = result.drops.map(({ slug, title, reason, purged_at, bytes }) => [
    slug,
    reason,
    `until ${formatUtc(purged_at)}`,
    `${Math.ceil(bytes / 1024)} KB`,
    title,
  ]);
  const hidden = result.total - rows.length;
  writeResult(output, result, [
    ...(rows.length > 0 ? table(rows) : ["The trash is empty."]),
    ...(hidden > 0 ? [styled("dim", `${hidden} older drops are not shown.`)] : []),
  ]);
}

/** Restores a drop from the trash, unchanged. */
export async function undelete(
  name: string,
  { service, expiresIn }: ServiceOption & { readonly expiresIn?: number },
  output: Output,
): Promise<void> {
  const json = expiresIn === undefined ? {} : { expires_in_days: expiresIn };
  const drop = await callForDrop(await findNamedDrop(name, service), "/undelete", json);
  writeResult(output, drop, [drop.url]);
}

/** Permanently deletes a drop in the trash, after the user's confirmation. */
export async function purge(
  name: string,
  { service, yes }: ServiceOption & { readonly yes?: true },
  output: Output,
): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  if (!yes) await confirmDeletion(`Delete ${slug} for good?`, `dropleaf purge ${slug}`, output);
  await client.send(`/api/trash/${slug}`, { method: "DELETE" });
  writeResult(output, { slug, purged: true }, [`${slug} is deleted for good.`]);
}
