import { environmentNames, findEnvironment, type SecretScanMode } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { FolderContent } from "../folders/folder.ts";
import type { ByteBody } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { withWarnings } from "../http/warnings.ts";
import type { Act } from "../table/audit.ts";
import { type SecretField, secretFields } from "./schemas.ts";
import { type FoundSecret, scanForSecrets, scanMsMax } from "./secret-scan.ts";

interface ReviewedText {
  readonly what: string;
  readonly text: string;
  /** Field of the request that contains the text. The response names this field. @default - the text is the page or the file */
  readonly field?: SecretField | undefined;
  /** True for a file of a folder, except the entry page. These files share one time limit. @default false */
  readonly isInFolder?: boolean;
  /** True if the text is only the start of a longer text. @default false */
  readonly isCut?: boolean;
}

type PresentedSecret = FoundSecret & { readonly field?: SecretField };

/** The outcome of a review, for the response and the audit trail. */
export interface SecretReview {
  readonly secrets: readonly PresentedSecret[];
  readonly warnings: readonly string[];
  /** Action to record in the audit trail, with the owner's reason if secrets were found and allowed. */
  readonly act: Act;
}

interface Publication {
  readonly html: string;
  readonly source?: string | undefined;
  readonly folder?: FolderContent | undefined;
  readonly context?: string | undefined;
  readonly note?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: ReadonlyMap<string, string> | undefined;
  readonly allow_secrets?: string | undefined;
}

const shownMax = 10;

/** Scans a page, its other fields and the files of its folder for secrets. @throws ApiError as `reviewSecrets` does */
export function reviewPublication(publication: Publication, act: Act): SecretReview {
  const { html, source, context, note, title, description, metadata, allow_secrets: reason } = publication;
  const beside = {
    context,
    note,
    title,
    description,
    metadata: metadata && metadataLines(metadata),
  } satisfies Record<SecretField, unknown>;
  const texts: readonly ReviewedText[] = [
    source === undefined ? { what: "the page", text: html } : { what: "the Markdown", text: source },
    ...secretFields.flatMap((field) => {
      const text = beside[field];
      return text ? [{ what: `the ${field}`, text, field }] : [];
    }),
    ...textFilesOf(publication),
  ];
  return reviewSecrets(texts, act, reason);
}

/** Selects a folder's text files, except its entry page. Truncates each file to `scannedFileBytesMax`. */
function textFilesOf({ folder }: Pick<Publication, "folder">): ReviewedText[] {
  return (folder?.files ?? []).flatMap(({ path, bytes }) => {
    // Unchanged files were scanned when an earlier version was published.
    if (path === folder?.entry || bytes === undefined || !isText(bytes.subarray(0, sniffedBytes))) return [];
    const start = bytes.subarray(0, scannedFileBytesMax);
    const isCut = bytes.byteLength > scannedFileBytesMax;
    return [{ what: `the file ${path}`, text: new TextDecoder().decode(start), isInFolder: true, isCut }];
  });
}

/** Converts metadata to a text with one line for each key and value, so that the scan sees each value's name. */
export function metadataLines(metadata: ReadonlyMap<string, string>): string {
  return [...metadata].map(([key, value]) => `${key}: ${value}`).join("\n");
}

/** Maximum number of bytes of a file that are scanned. */
export const scannedFileBytesMax = 2 * 1024 * 1024;

/** Number of bytes at the start of a file that are checked to see if the file is text. */
export const sniffedBytes = 8_192;

/** Scans up to `scannedFileBytesMax` bytes at the start of a file for secrets, if it is text in UTF-8. @throws ApiError as `reviewSecrets` does */
export function reviewFile(
  start: Uint8Array,
  options: { readonly isCut: boolean; readonly act: Act; readonly reason?: string | undefined },
): SecretReview {
  const { isCut, act, reason } = options;
  if (!isText(start)) return { secrets: [], warnings: [], act };
  return reviewSecrets([{ what: "the file", text: new TextDecoder().decode(start), isCut }], act, reason);
}

/** Recognizes text in UTF-8 without zero bytes. */
export function isText(start: Uint8Array): boolean {
  const sniffed = start.subarray(0, sniffedBytes);
  if (sniffed.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(sniffed, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Scans the start of a request body for secrets, and returns the complete body. @throws ApiError as `reviewSecrets` does */
export async function reviewBody(
  body: ByteBody,
  options: { readonly act: Act; readonly reason: string | undefined },
): Promise<{ readonly review: SecretReview; readonly body: ByteBody }> {
  const isCutAt = (bytes: number) => ({ ...options, isCut: bytes > scannedFileBytesMax });
  if (body.bytes !== undefined) {
    const start = body.bytes.subarray(0, scannedFileBytesMax);
    return { review: reviewFile(start, isCutAt(body.bytes.byteLength)), body };
  }
  const pieces = body.stream()[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= scannedFileBytesMax) {
    const { done, value } = await pieces.next();
    if (done) break;
    read.push(value);
    bytes += value.byteLength;
  }
  const start = Buffer.concat(read).subarray(0, scannedFileBytesMax);
  const review = reviewFile(start, isCutAt(bytes));
  return { review, body: { ...body, stream: () => chain(read, pieces) } };
}

async function* chain(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/**
 * Scans texts before they are stored, according to the setting `secretScan`.
 *
 * @param reason the field `allow_secrets` of the request
 * @throws ApiError `secrets_found` if secrets are refused and no reason was sent; `invalid_arg` if the reason itself contains a secret
 */
function reviewSecrets(texts: readonly ReviewedText[], act: Act, reason = ""): SecretReview {
  const mode = (findEnvironment(environmentNames.secretScan) ?? "warn") as SecretScanMode;
  if (mode === "off") return { secrets: [], warnings: [], act };
  const scans = scanAll(texts, mode);
  const secrets = scans.flatMap(({ found, field }) =>
    found.map((secret) => (field === undefined ? secret : { ...secret, field })),
  );
  const unfinished = scans.filter(({ isComplete, isCut }) => !isComplete || isCut === true);
  const places = describePlaces(scans);
  const isStopped = scans.some(({ isComplete }) => !isComplete);
  if (mode === "refuse" && reason === "" && (secrets.length > 0 || isStopped)) throw refusal(secrets, places);
  if (reason !== "" && scanForSecrets(reason).found.length > 0)
    throw new ApiError("invalid_arg", {
      message: "allow_secrets contains a secret itself. Write only the reason.",
      details: { field: "allow_secrets" },
    });
  const isAllowed = reason !== "" && (secrets.length > 0 || isStopped);
  return {
    secrets,
    warnings: [
      ...(secrets.length > 0 ? [warningOf(places, secrets.length)] : []),
      ...unfinished
        .slice(0, shownMax)
        .map(({ what }) => `The scan for secrets ended early: a part of ${what} was not scanned.`),
      ...(unfinished.length > shownMax
        ? [`Parts of ${unfinished.length - shownMax} more files were not scanned either.`]
        : []),
    ],
    act: isAllowed ? { ...act, secretsAllowedFor: reason } : act,
  };
}

/** Scans each text. The files of a folder share one time limit, so that the total time does not grow with the number of files. */
function scanAll(texts: readonly ReviewedText[], mode: keyof typeof scanMsMax) {
  const startedAt = process.threadCpuUsage();
  return texts.map((reviewed) => {
    const { user, system } = process.threadCpuUsage(startedAt);
    const msMax = reviewed.isInFolder ? scanMsMax.refuse - (user + system) / 1000 : scanMsMax[mode];
    return { ...reviewed, ...scanForSecrets(reviewed.text, msMax) };
  });
}

function describePlaces(
  scans: readonly { readonly what: string; readonly found: readonly FoundSecret[] }[],
): string {
  const all = scans.flatMap(({ what, found }) =>
    found.map(({ rule, line, column }) => `${rule} in line ${line}, column ${column} of ${what}`),
  );
  const more = all.length - shownMax;
  return [...all.slice(0, shownMax), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

function warningOf(places: string, count: number): string {
  const what = count === 1 ? "There may be a secret" : `There may be ${count} secrets`;
  return `${what}: ${places}. Every reader can see it. If it is real, rotate it, publish without it, then delete the old copy.`;
}

function refusal(secrets: readonly PresentedSecret[], places: string): ApiError {
  const why =
    secrets.length === 0
      ? "the scan for secrets ended early. Publish less at once"
      : `there may be secrets: ${places}. Take them out`;
  return new ApiError("secrets_found", {
    message: `Nothing was stored, because ${why}. To store it anyway, send allow_secrets with the reason, which the audit trail records.`,
    details: { field: "allow_secrets", secrets },
  });
}

/** Adds the secrets and warnings of a review to a response. */
export function withSecrets(response: HttpResponse, { secrets, warnings }: SecretReview): HttpResponse {
  if (warnings.length === 0 || response.status >= 300) return response;
  const body = { ...JSON.parse(String(response.body)), ...(secrets.length > 0 ? { secrets } : {}) };
  return withWarnings({ ...response, body: JSON.stringify(body) }, warnings);
}
