import { existsSync } from "node:fs";
import * as z from "zod/mini";
import { exitCodes, Problem } from "./problem.ts";
import { findPublishedSlug, readNotesFor } from "./published-files.ts";
import type { Call, Client } from "./service/client.ts";
import { identifier, unixMs, versionNumber, webAddress } from "./service/fields.ts";
import { selectService } from "./service/select-service.ts";

/** A drop in API responses: the schema `Drop` of the service's OpenAPI document. */
export const dropSchema = z.object({
  slug: identifier,
  title: z.string(),
  url: webAddress,
  locked: z.boolean(),
  latest_version: versionNumber,
  visibility: z.string(),
  readable_by: z.string(),
  expires_at: z.nullish(unixMs),
  warnings: z.optional(z.array(z.string())),
});
export type Drop = z.output<typeof dropSchema>;

/** The drop that a command acts on, with a client of its service. */
export interface NamedDrop {
  readonly client: Client;
  readonly slug: string;
  /** Version in the drop's address. */
  readonly version?: number | undefined;
}

const addressPattern = /\/[pd]\/([A-Za-z0-9]{7})(?:\/|$)/;

/**
 * Finds the drop that the user specifies by its slug, one of its addresses, or a file that was published.
 *
 * @throws Problem that lists the accepted forms
 */
export async function findNamedDrop(name: string, service: string | undefined): Promise<NamedDrop> {
  if (existsSync(name)) return findDropOfFile(name, service);
  if (z.safeParse(identifier, name).success) return { client: await selectService(service), slug: name };
  const url = URL.canParse(name) ? new URL(name) : undefined;
  const [, slug] = addressPattern.exec(url?.pathname ?? name) ?? [];
  if (slug === undefined)
    throw new Problem(
      `${JSON.stringify(name)} is not a drop: use the slug or address of a drop, or a file that you published. dropleaf list shows your drops.`,
      exitCodes.usage,
    );
  const number = Number(url?.searchParams.get("v") ?? Number.NaN);
  const version = Number.isSafeInteger(number) ? number : undefined;
  return { client: await selectService(service), slug, version };
}

async function findDropOfFile(path: string, service: string | undefined): Promise<NamedDrop> {
  const { service: ofFolder } = await readNotesFor(path);
  const client = await selectService(service, ofFolder);
  const slug = await findPublishedSlug(path, client.address);
  if (slug !== undefined) return { client, slug };
  throw new Problem(
    `${path} was not published to ${client.address} from this folder. To publish it, run: dropleaf publish ${path}`,
  );
}

/** Options for who may answer a page's forms, and whether readers see the counts. */
export interface AnswersOptions {
  readonly answers?: string;
  readonly answersResults?: string;
}

/** Returns the API fields for these options. */
export function answersFields(options: AnswersOptions): Readonly<Record<string, unknown>> {
  const { answers, answersResults } = options;
  return {
    ...(answers === undefined ? {} : { answers }),
    ...(answersResults === undefined ? {} : { answers_results: answersResults === "on" }),
  };
}

/** Returns a sentence about a drop's readers and expiry. */
export function describeReaders({ readable_by, locked, expires_at }: Drop): string {
  const end = typeof expires_at === "number" ? ` It expires on ${new Date(expires_at).toISOString()}.` : "";
  return `Readers: ${readable_by}${locked ? ", with its passcode" : ""}.${end}`;
}

/** Sends a request about a drop, and returns the drop from the response. */
export async function callForDrop(
  { client, slug }: NamedDrop,
  part: string,
  json: unknown,
  method: Call["method"] = "POST",
): Promise<Drop> {
  return (await client.call(dropPath(slug, part), dropSchema, { method, json })).result;
}

/** Fetches the current state of a drop. */
export async function readDrop({ client, slug }: NamedDrop): Promise<Drop> {
  return (await client.call(dropPath(slug), dropSchema)).result;
}

/** Returns the API path of a drop, or of a subpath of the drop. */
export function dropPath(slug: string, part = ""): string {
  return `/api/drops/${slug}${part}`;
}
