import * as z from "zod/mini";
import { errorCatalog, wordsFor } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { normalizePasscode } from "../core/passcode.ts";
import {
  accepts,
  count,
  countCodePoints,
  problem,
  schema,
  slug,
  text,
  unixMilliseconds,
  versionNumber,
} from "../http/schemas.ts";
import { readersField } from "../identity/reader-names.ts";
import { visibilityKinds } from "../policies/access.ts";
import { allowSecrets, foundSecrets } from "../secrets/schemas.ts";
import { trashReasons } from "./drop.ts";
import { answersKinds, feedbackKinds } from "./drop-access.ts";
import { expiryFields } from "./expiry-schemas.ts";
import { metadataSchema } from "./metadata.ts";

/** A drop in a response (section "Drop" of the specification). `readers` is an addition; see docs/adr/0040-visibility-and-indexing.md. */
export const dropResponse = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    title: z.string(),
    description: z.nullable(z.string()),
    url: z.url(),
    raw_url: z.url(),
    locked: z.boolean(),
    latest_version: versionNumber,
    view_count: count,
    metadata: z.record(z.string(), z.string()),
    created_at: unixMilliseconds,
    updated_at: unixMilliseconds,
    visibility: z.enum(visibilityKinds),
    readers: z.optional(z.array(z.string())),
    readable_by: z.string(),
    indexed: z.boolean(),
    feedback: z.enum(feedbackKinds),
    answers: z.enum(answersKinds),
    answers_results: z.boolean(),
    expires_at: z.nullable(unixMilliseconds),
  }),
);

const digest = /* @__PURE__ */ schema(() => z.string().check(z.regex(/^[0-9a-f]{64}$/)));

/** Additional fields of a publication's response. The digests let clients compare the stored page with the sent page. */
export const publicationAdditions = /* @__PURE__ */ schema(() =>
  z.object({
    sha256: digest,
    source_sha256: z.optional(digest),
    files: z.optional(count),
    open_feedback: count,
    secrets: z.optional(foundSecrets),
  }),
);

/** Response of `GET /api/drops` (section "DropList" of the specification). */
export const dropListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    drops: z.array(dropResponse),
    page: versionNumber,
    page_size: versionNumber,
    total: count,
  }),
);

/** Filters that selected the listed drops. */
export const listAdditions = /* @__PURE__ */ schema(() => z.object({ filters: z.array(z.string()) }));

/** A version in a response (section "Version" of the specification). `note` is an addition; see docs/adr/0046-versions.md. */
export const versionResponse = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    version: versionNumber,
    size_bytes: count,
    has_context: z.boolean(),
    created_at: unixMilliseconds,
    note: z.optional(z.string()),
    has_source: z.optional(z.boolean()),
    files: z.optional(count),
    folder_bytes: z.optional(count),
    original_date: z.optional(unixMilliseconds),
  }),
);

/** Response of `GET /api/drops/{slug}/versions`, latest version first. */
export const versionListResponse = /* @__PURE__ */ schema(() =>
  z.object({ versions: z.array(versionResponse) }),
);

/** Response of `GET /api/drops/{slug}/files`. */
export const fileListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    version: versionNumber,
    archive_url: z.optional(z.url()),
    spa: z.boolean(),
    files: z.array(
      z.object({ path: z.string(), size_bytes: count, sha256: z.string(), content_type: z.string() }),
    ),
  }),
);

export type FileListResponse = z.output<typeof fileListResponse>;

/** Additional field of a list of versions. Present only if the setting `keepVersions` limits the versions. */
export const versionListAdditions = /* @__PURE__ */ schema(() =>
  z.object({ keep_versions: z.optional(versionNumber) }),
);

const read = /* @__PURE__ */ schema(() =>
  z.object({
    reader: z.string(),
    day: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
    first_at: unixMilliseconds,
  }),
);

/** Response of `GET /api/drops/{slug}/reads`; see docs/adr/0031-audit-and-read-trails.md. */
export const readListResponse = /* @__PURE__ */ schema(() =>
  z.object({
    reads: z.array(read),
    next_cursor: z.nullable(z.string()),
    recording: z.boolean(),
    readers_this_week: z.nullable(count),
    shared_since: z.nullable(unixMilliseconds),
  }),
);

const trashedDrop = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    title: z.string(),
    reason: z.enum(trashReasons),
    deleted_at: unixMilliseconds,
    purged_at: unixMilliseconds,
    bytes: count,
  }),
);

/** Response of `GET /api/trash`; see docs/adr/0093-expiry-and-trash.md. */
export const trashListResponse = /* @__PURE__ */ schema(() =>
  z.object({ drops: z.array(trashedDrop), page: versionNumber, page_size: versionNumber, total: count }),
);

export type TrashListResponse = z.output<typeof trashListResponse>;
export type ReadListResponse = z.output<typeof readListResponse>;
export type DropResponse = z.output<typeof dropResponse>;
export type DropListResponse = z.output<typeof dropListResponse>;
export type VersionResponse = z.output<typeof versionResponse>;

const html = /* @__PURE__ */ schema(() =>
  text({
    name: "html",
    bytesMax: limits.htmlBytesMax,
    tooLong: "html_too_large",
    empty: "html_required",
  }),
);
const title = /* @__PURE__ */ schema(() =>
  text({
    name: "title",
    shownAs: "line",
    trimmed: true,
    codePointsMax: limits.titleCodePointsMax,
    tooLong: "title_too_long",
    empty: "title_required",
  }),
);
const description = /* @__PURE__ */ schema(() =>
  text({
    name: "description",
    shownAs: "lines",
    codePointsMax: limits.descriptionCodePointsMax,
    tooLong: "description_too_long",
  }),
);
const context = /* @__PURE__ */ schema(() =>
  text({
    name: "context",
    codePointsMax: limits.contextCodePointsMax,
    tooLong: "context_too_large",
  }),
);

const note = /* @__PURE__ */ schema(() =>
  text({
    name: "note",
    shownAs: "lines",
    codePointsMax: limits.noteCodePointsMax,
    tooLong: "invalid_arg",
  }),
);

/** Date on which a version was first published elsewhere; see docs/adr/0046-versions.md. */
const originalDate = /* @__PURE__ */ schema(() =>
  accepts(
    unixMilliseconds.check(
      z.refine(
        (value) => value <= Date.now(),
        "original_date must not be in the future (Unix milliseconds).",
      ),
    ),
    { type: "integer", minimum: 0, "x-unit": "Unix ms" },
  ),
);

const passcode = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.string(),
      z.transform((value, transformation) => {
        const normalized = normalizePasscode(value);
        const found = normalized === undefined ? passcodeTooLong(value) : passcodeProblem(normalized);
        if (normalized !== undefined && !found) return normalized;
        transformation.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    {
      type: "string",
      maxLength: limits.passcodeBytesMax,
      anyOf: [{ minLength: limits.passcodeCodePointsMin }, { const: "" }],
    },
  ),
);

function passcodeTooLong(sent: string) {
  const bytesMax = limits.passcodeBytesMax;
  const message = `passcode is ${Buffer.byteLength(sent)} bytes in UTF-8 as it was sent; after NFKC at most ${bytesMax} are allowed.`;
  return problem("invalid_arg", message, { field: "passcode", bytes_max: bytesMax });
}

function passcodeProblem(normalized: string) {
  const { passcodeCodePointsMin: charactersMin } = limits;
  if (!normalized.isWellFormed()) {
    return problem("invalid_arg", "passcode contains an unpaired surrogate: send well-formed Unicode.", {
      field: "passcode",
    });
  }
  const characters = countCodePoints(normalized);
  if (normalized === "" || characters >= charactersMin) return undefined;
  const message = `passcode has ${characters} characters; at least ${charactersMin} are needed.`;
  return problem("passcode_too_short", message, { field: "passcode", characters_min: charactersMin });
}

/** Access settings that an owner can send; see docs/adr/0040-visibility-and-indexing.md, 0070-feedback.md and 0093-expiry-and-trash.md. */
const whoMayRead = /* @__PURE__ */ schema(() => ({
  visibility: z.optional(z.enum(visibilityKinds)),
  readers: z.optional(readersField()),
  indexed: z.optional(z.boolean()),
  feedback: z.optional(z.enum(feedbackKinds)),
  answers: z.optional(z.enum(answersKinds)),
  answers_results: z.optional(z.boolean()),
  ...expiryFields,
}));

/** Fields of a new version besides its page. Title, description and metadata are also accepted, because existing clients send them. */
const newVersionFields = /* @__PURE__ */ schema(() => ({
  context: z.optional(context),
  note: z.optional(note),
  allow_secrets: z.optional(allowSecrets),
  original_date: z.optional(originalDate),
  title: z.optional(title),
  description: z.optional(z.nullable(description)),
  metadata: z.optional(metadataSchema),
  ...whoMayRead,
}));

/** Body of `POST /api/drops` (section "PublishDrop" of the specification). An empty passcode means no passcode. */
export const publishDropBody = /* @__PURE__ */ schema(() =>
  z.object({
    html,
    title,
    description: z.optional(z.nullable(description)),
    passcode: z.optional(passcode),
    context: z.optional(context),
    note: z.optional(note),
    allow_secrets: z.optional(allowSecrets),
    original_date: z.optional(originalDate),
    metadata: z.optional(metadataSchema),
    ...whoMayRead,
  }),
);

/** Body of `PUT /api/drops/{slug}`. */
export const publishVersionBody = /* @__PURE__ */ schema(() => z.object({ html, ...newVersionFields }));

/** Body of `POST /api/publications`: the target of the page, and its fields. */
export const startPublishBody = /* @__PURE__ */ schema(() =>
  z.object({
    slug: z.optional(slug),
    upsert: z.optional(z.boolean()),
    archive_bytes: z.optional(z.int().check(z.minimum(1), z.maximum(limits.folderArchiveBytesMax))),
    spa: z.optional(z.boolean()),
    title: z.optional(title),
    description: z.optional(description),
    context: z.optional(context),
    note: z.optional(note),
    allow_secrets: z.optional(allowSecrets),
    metadata: z.optional(metadataSchema),
    ...whoMayRead,
  }),
);

/** Response of `POST /api/publications`: the URL and method for sending the page. */
export const publicationStartResponse = /* @__PURE__ */ schema(() =>
  z.object({
    url: z.url(),
    method: z.literal("POST"),
    command: z.string(),
    upload_url: z.optional(z.url()),
    expires_in: count,
  }),
);

/** Body of `POST /api/drops/{slug}/files`: the digests and lengths of a folder's files, by path. */
export const startFolderBody = /* @__PURE__ */ schema(() =>
  z.object({
    files: z.record(z.string(), z.object({ sha256: digest, bytes: count })),
    spa: z.optional(z.boolean()),
  }),
);

/** Response of `POST /api/drops/{slug}/files`: the files to upload. */
export const folderStartResponse = /* @__PURE__ */ schema(() =>
  z.object({
    publication_id: z.string(),
    missing: z.array(
      z.object({
        path: z.string(),
        sha256: digest,
        bytes: count,
        upload_url: z.url(),
        headers: z.record(z.string(), z.string()),
      }),
    ),
    expires_in: count,
  }),
);

/** Body of `POST /api/drops/{slug}/files/{publication}`: fields of the new version besides its files. */
export const publishFolderBody = /* @__PURE__ */ schema(() => z.object(newVersionFields));

export type FolderStartResponse = z.output<typeof folderStartResponse>;
export type StartPublishBody = z.output<typeof startPublishBody>;
export type PublicationStartResponse = z.output<typeof publicationStartResponse>;

const noHtml = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, transformation) => {
        if (value === undefined) return undefined;
        const found = problem(
          "metadata_only_on_patch",
          wordsFor("http", errorCatalog.metadata_only_on_patch.message),
          { field: "html" },
        );
        transformation.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    { not: {} },
  ),
);

/** Body of `PATCH /api/drops/{slug}`. Any value of `html` is refused, including null. */
export const editDropBody = /* @__PURE__ */ schema(() =>
  z.object({
    html: z.optional(noHtml),
    title: z.optional(title),
    description: z.optional(z.nullable(description)),
    metadata: z.optional(metadataSchema),
    ...whoMayRead,
  }),
);

/** Body of `POST /api/drops/{slug}/undelete`: the drop's new expiry. */
export const undeleteDropBody = /* @__PURE__ */ schema(() => z.object(expiryFields));

/** Body of `POST /api/drops/{slug}/passcode`. The empty string removes the passcode. */
export const setPasscodeBody = /* @__PURE__ */ schema(() => z.object({ passcode }));

/** Body of `POST /api/drops/{slug}/move`: the namespace of the receiving account. */
export const moveDropBody = /* @__PURE__ */ schema(() =>
  z.object({ to: accepts(z.string(), { type: "string", "x-unit": "a team's namespace, or your own" }) }),
);

/** Body of `POST /api/drops/{slug}/restore`: the version to publish again. */
export const restoreVersionBody = /* @__PURE__ */ schema(() =>
  z.object({
    version: versionNumber,
    note: z.optional(note),
    allow_secrets: z.optional(allowSecrets),
  }),
);

export type RestoreVersionBody = z.output<typeof restoreVersionBody>;
