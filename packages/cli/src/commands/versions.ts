import * as z from "zod/mini";
import { callForDrop, dropPath, findNamedDrop } from "../drop.ts";
import { exitCodes, Problem } from "../problem.ts";
import { count, unixMs, versionNumber } from "../service/fields.ts";
import type { ServiceOption } from "../service/select-service.ts";
import {
  formatUtc,
  type Line,
  type Output,
  styled,
  table,
  writeNote,
  writeResult,
  writeWarnings,
} from "../terminal/output.ts";

const versionSchema = z.object({
  version: versionNumber,
  size_bytes: count,
  created_at: unixMs,
  note: z.optional(z.string()),
});
const versionList = z.object({ versions: z.array(versionSchema) });

/** Lists the versions of a drop, latest first. */
export async function versions(name: string, { service }: ServiceOption, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  const { result } = await client.call(dropPath(slug, "/versions"), versionList);
  const rows = result.versions.map(({ version, created_at, size_bytes, note }) => [
    `v${version}`,
    formatUtc(created_at),
    `${Math.ceil(size_bytes / 1024)} KB`,
    note ?? "",
  ]);
  writeResult(output, result, table(rows));
}

interface DiffOptions extends ServiceOption {
  readonly from?: number;
  readonly to?: number;
}

/** Prints the unified diff of two versions. Default: the latest version and the one before. */
export async function diff(name: string, { service, from, to }: DiffOptions, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  const query = new URLSearchParams();
  if (from !== undefined) query.set("from", String(from));
  if (to !== undefined) query.set("to", String(to));
  const { bytes } = await client.send(dropPath(slug, "/diff"), { query });
  const text = new TextDecoder().decode(bytes).replace(/\n$/, "");
  writeResult(output, { slug, diff: text }, text === "" ? [] : text.split("\n").map(colored));
}

function colored(line: string): Line {
  if (/^(---|\+\+\+) /.test(line)) return styled("bold", line);
  if (line.startsWith("+")) return styled("green", line);
  if (line.startsWith("-")) return styled("red", line);
  return line.startsWith("@@") ? styled("dim", line) : line;
}

/** Publishes an earlier version as the newest. */
export async function restore(
  name: string,
  given: number | undefined,
  { service, note }: ServiceOption & { readonly note?: string },
  output: Output,
): Promise<void> {
  const named = await findNamedDrop(name, service);
  const version = given ?? named.version;
  if (version === undefined)
    throw new Problem(
      `Which version? dropleaf restore ${named.slug} <version>; dropleaf versions ${named.slug} lists them.`,
      exitCodes.usage,
    );
  const drop = await callForDrop(named, "/restore", { version, ...(note === undefined ? {} : { note }) });
  writeWarnings(drop);
  writeResult(output, drop, [drop.url]);
  if (output.isInteractive)
    writeNote(`Version ${version} was published again as version ${drop.latest_version}.`);
}
