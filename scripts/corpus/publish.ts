import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../../functions/core/limits.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { type BuiltArtefact, filesOf } from "./build.ts";
import type { WayName } from "./visit.ts";

export const corpusPasscode = "a corpus";

/** A running service, and a token of the corpus's owner. */
export type CorpusService = { readonly address: string; readonly token: string };

/** Addresses of a published artefact, or the reason why the service refused it. */
export interface PublishedArtefact {
  readonly addresses: Readonly<Partial<Record<WayName, string>>>;
  /** Warnings in the response to the first publication. */
  readonly warnings: readonly string[];
  /** Error message of the service, if the service refused the artefact. @default - not refused */
  readonly refusal?: string;
}

type Publication = DropResponse & { readonly warnings?: readonly string[] };

class Refusal extends Error {}

/** Publishes an artefact for each measured way of opening it: a single page as HTML, and several files as an archive. */
export async function publishArtefact(
  artefact: BuiltArtefact,
  { address, token }: CorpusService,
  ways: readonly WayName[],
): Promise<PublishedArtefact> {
  const files = filesOf(artefact);
  const [page] = files;
  const isPage = files.length === 1 && page !== undefined && page.bytes.byteLength <= limits.htmlBytesMax;
  const body = isPage ? Buffer.from(page.bytes) : writeArchive(files);
  const post = async (path: string, type: string, sent: Uint8Array | string): Promise<Publication> => {
    const response = await fetch(address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body: sent as Uint8Array<ArrayBuffer>,
    });
    if (response.ok) return (await response.json()) as Publication;
    const text = await response.text();
    if (response.status !== 429 && response.status !== 503) throw new Refusal(`${response.status} ${text}`);
    await wait(Number(response.headers.get("retry-after")) * 1000);
    return post(path, type, sent);
  };
  const publish = (fields: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({ title: artefact.name, ...fields });
    return post(`/api/drops?${query}`, isPage ? "text/html" : "application/zip", body);
  };
  try {
    const open = await publish();
    const addresses: Partial<Record<WayName, string>> = { viewer: open.url, raw: open.raw_url };
    if (ways.includes("locked")) {
      const { slug, url } = await publish();
      const passcode = JSON.stringify({ passcode: corpusPasscode });
      await post(`/api/drops/${slug}/passcode`, "application/json", passcode);
      addresses.locked = url;
    }
    if (ways.includes("restricted")) addresses.restricted = (await publish({ visibility: "members" })).url;
    return { addresses, warnings: open.warnings ?? [] };
  } catch (error) {
    if (error instanceof Refusal) return { addresses: {}, warnings: [], refusal: error.message };
    throw error;
  }
}
