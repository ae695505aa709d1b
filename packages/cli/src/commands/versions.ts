import { type Drop, dropPath, findNamedDrop } from "../drop.ts";
import { formatUtc, type Output, plain, styled, table, writeNote, writeResult } from "../output.ts";
import { exitCodes, Problem } from "../problem.ts";
import type { ServiceOption } from "../service/select-service.ts";

interface Version {
  readonly version: number;
  readonly size_bytes: number;
  readonly created_at: number;
  readonly note?: string;
}

/** Lists the versions of a drop, the latest first. */
export async function versions(name: string, { service }: ServiceOption, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  const { result } = await client.call<{ readonly versions: readonly Version[] }>(
    dropPath(slug, "/versions"),
  );
  const rows = result.versions.map(({ version, created_at, size_bytes, note }) => [
    `v${version}`,
    formatUtc(created_at),
    `${Math.ceil(size_bytes / 1024)} KB`,
    plain(note ?? ""),
  ]);
  writeResult(output, result, table(rows));
}

interface DiffOptions extends ServiceOption {
  readonly from?: number;
  readonly to?: number;
}

/** Prints the unified diff of two versions, by default of the latest and the one before it. */
export async function diff(name: string, { service, from, to }: DiffOptions, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, service);
  const query = new URLSearchParams();
  if (from !== undefined) query.set("from", String(from));
  if (to !== undefined) query.set("to", String(to));
  const { bytes } = await client.call(dropPath(slug, "/diff"), { query });
  const text = new TextDecoder().decode(bytes).replace(/\n$/, "");
  writeResult(output, { slug, diff: text }, text === "" ? [] : text.split("\n").map(colored));
}

function colored(line: string): string {
  const text = line.replace(/[\p{Cc}]/gu, (character) => (character === "\t" ? character : "\uFFFD"));
  if (/^(---|\+\+\+) /.test(line)) return styled("bold", text);
  if (line.startsWith("+")) return styled("green", text);
  if (line.startsWith("-")) return styled("red", text);
  return line.startsWith("@@") ? styled("dim", text) : text;
}

interface RestoreOptions extends ServiceOption {
  readonly note?: string;
}

/** Publishes an earlier version as the newest. */
export async function restore(
  name: string,
  given: number | undefined,
  { service, note }: RestoreOptions,
  output: Output,
): Promise<void> {
  const { client, slug, version: named } = await findNamedDrop(name, service);
  const version = given ?? named;
  if (version === undefined)
    throw new Problem(
      `Which version? dropleaf restore ${slug} <version>; dropleaf versions ${slug} lists them.`,
      exitCodes.usage,
    );
  const { result: drop } = await client.call<Drop>(dropPath(slug, "/restore"), {
    method: "POST",
    json: { version, ...(note === undefined ? {} : { note }) },
  });
  writeResult(output, drop, [drop.url]);
  if (output.isInteractive) writeNote(`Version ${version} is now version ${drop.latest_version}.`);
}
