import { type Drop, dropPath, findNamedDrop } from "../drop.ts";
import { formatUtc, type Output, plain, styled, table, writeResult } from "../output.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { confirmDeletion } from "./access.ts";

interface TrashedDrop {
  readonly slug: string;
  readonly title: string;
  readonly reason: string;
  readonly purged_at: number;
  readonly bytes: number;
}

interface TrashList {
  readonly drops: readonly TrashedDrop[];
  readonly total: number;
}

/** Lists the drops in the trash, the last deleted first: as many as one page of the API has at most. */
export async function trash({ service }: ServiceOption, output: Output): Promise<void> {
  const client = await selectService(service);
  const query = new URLSearchParams({ pageSize: "200" });
  const { result } = await client.call<TrashList>("/api/trash", { query });
  const rows = result.drops.map(({ slug, title, reason, purged_at, bytes }) => [
    slug,
    reason,
    `until ${formatUtc(purged_at)}`,
    `${Math.ceil(bytes / 1024)} KB`,
    plain(title),
  ]);
  const hidden = result.total - rows.length;
  writeResult(output, result, [
    ...(rows.length > 0 ? table(rows) : ["The trash is empty."]),
    ...(hidden > 0 ? [styled("dim", `${hidden} older ones are not shown.`)] : []),
  ]);
}

/** Brings a drop back from the trash, as it was. */
export async function undelete(
  name: string,
  { service, expiresIn }: ServiceOption & { readonly expiresIn?: number },
  output: Output,
): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  const json = expiresIn === undefined ? {} : { expires_in_days: expiresIn };
  const { result: drop } = await client.call<Drop>(dropPath(slug, "/undelete"), { method: "POST", json });
  writeResult(output, drop, [drop.url]);
}

/** Deletes a drop in the trash for good, after the person has confirmed it. */
export async function purge(
  name: string,
  { service, yes }: ServiceOption & { readonly yes?: true },
  output: Output,
): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  if (!yes) await confirmDeletion(`Delete ${slug} for good?`, `dropleaf purge ${slug}`, output);
  await client.call(`/api/trash/${slug}`, { method: "DELETE" });
  writeResult(output, { slug, purged: true }, [`${slug} is deleted for good.`]);
}
