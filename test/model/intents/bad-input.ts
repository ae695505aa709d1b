import fc from "fast-check";
import type { ErrorCode } from "../../../functions/core/errors.ts";
import type { OperationId } from "../../../functions/routes.ts";
import type { CallOptions } from "../../support/client.ts";
import { blobIdOf, type Intent, slugOf, type Target, tokenFor } from "./intent.ts";

/** An invalid call, by the specification's sections "Errors" and "Limits". */
interface BadInput {
  readonly operation: OperationId;
  readonly what: string;
  readonly options: CallOptions;
  readonly refusal: ErrorCode;
}

const html = "<p>1";
const tooManyKeys = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, "1"]));
const unpaired = "half \ud800 of a pair";

/** Invalid values of fields that several operations share. */
const badFields: readonly (readonly [what: string, fields: object, refusal: ErrorCode])[] = [
  ["a title of 201 characters", { title: "t".repeat(201) }, "title_too_long"],
  ["a title of spaces", { title: "  " }, "title_required"],
  ["a title that is a number", { title: 7 }, "invalid_arg"],
  ["half a surrogate pair in the title", { title: unpaired }, "invalid_arg"],
  ["a description of 501 characters", { description: "🍃".repeat(501) }, "description_too_long"],
  ["a description that is a list", { description: [] }, "invalid_arg"],
  ["metadata of 11 keys", { metadata: tooManyKeys }, "invalid_arg"],
  ["a metadata key in capitals", { metadata: { A: "1" } }, "invalid_arg"],
  ["a metadata key of 65 characters", { metadata: { ["k".repeat(65)]: "1" } }, "invalid_arg"],
  ["a metadata value of 257 characters", { metadata: { a: "v".repeat(257) } }, "invalid_arg"],
  ["a metadata value that is a number", { metadata: { a: 1 } }, "invalid_arg"],
  ["a visibility that is none", { visibility: "private" }, "invalid_arg"],
  ["a visibility of null", { visibility: null }, "invalid_arg"],
  ["whether search engines list it, in words", { indexed: "yes" }, "invalid_arg"],
  ["no readers", { readers: [] }, "invalid_arg"],
  ["51 readers", { readers: Array.from({ length: 51 }, (_, index) => `r${index}`) }, "invalid_arg"],
  ["a reader who is none", { readers: ["ada", "ada lovelace"] }, "invalid_arg"],
  ["metadata that is null", { metadata: null }, "invalid_arg"],
];
const badPages: typeof badFields = [
  ["no html", { html: undefined }, "html_required"],
  ["an empty html", { html: "" }, "html_required"],
  ["an html that is a number", { html: 1 }, "invalid_arg"],
  ["a context of 65,537 characters", { context: "c".repeat(65_537) }, "context_too_large"],
];

const badDrops: readonly BadInput[] = [
  ...[...badFields, ...badPages].map(([what, fields, refusal]) =>
    bad("publish-drop", what, { body: { html, title: "t", ...fields } }, refusal),
  ),
  bad("publish-drop", "no title", { body: { html } }, "title_required"),
  bad(
    "publish-drop",
    "a passcode of 3",
    { body: { html, title: "t", passcode: "abc" } },
    "passcode_too_short",
  ),
  ...[...badFields, ...badPages].map(([what, fields, refusal]) =>
    bad("publish-version", what, { body: { html, ...fields } }, refusal),
  ),
  ...badFields.map(([what, body, refusal]) => bad("edit-drop", what, { body }, refusal)),
  bad("edit-drop", "an html", { body: { html, title: "t" } }, "metadata_only_on_patch"),
  bad("edit-drop", "an html of null", { body: { html: null } }, "metadata_only_on_patch"),
  bad("set-passcode", "no passcode", { body: {} }, "passcode_required"),
  bad("set-passcode", "a passcode of 3", { body: { passcode: "🔑🔑🔑" } }, "passcode_too_short"),
  bad("set-passcode", "a passcode that is a number", { body: { passcode: 1234 } }, "invalid_arg"),
];
const badTexts: readonly BadInput[] = (["publish-drop", "publish-version", "edit-drop"] as const).flatMap(
  (operation) => [
    bad(operation, "what is no JSON", { text: '{"html":' }, "invalid_json"),
    bad(operation, "a list", { body: [] }, "invalid_arg"),
  ],
);
const badSlugs: readonly BadInput[] = (
  ["get-drop", "delete-drop", "list-versions", "get-version", "delete-version"] as const
).flatMap((operation) =>
  ["short", "eight888", "aaaa-aa"].map((slug) =>
    bad(operation, `the slug ${slug}`, { params: { slug, n: 1 } }, "invalid_slug"),
  ),
);
const badVersions: readonly BadInput[] = (["get-version", "delete-version"] as const).flatMap((operation) =>
  ["0", "01", "1.5", "x"].map((n) => bad(operation, `the version ${n}`, { params: { n } }, "not_found")),
);
const badQueries: readonly BadInput[] = [
  ["page", "0"],
  ["page", "01"],
  ["pageSize", "201"],
  ["pageSize", "1.5"],
  ["sortBy", "title"],
  ["sortOrder", "up"],
  ["metadata.A", "1"],
].map(([name = "", value = ""]) =>
  bad("list-drops", `${name}=${value}`, { query: [[name, value]] }, "invalid_arg"),
);
const upload = { text: "x", headers: { "content-type": "text/plain" } };
const start = { filename: "a.txt", content_type: "text/plain", size_bytes: 1 };
const badFiles: readonly BadInput[] = [
  bad("upload-blob", "no bytes", { ...upload, text: "", query: { filename: "a.txt" } }, "empty_blob"),
  bad("upload-blob", "no filename", upload, "invalid_filename"),
  bad("upload-blob", "a slash in its name", { ...upload, query: { filename: "a/b" } }, "invalid_filename"),
  bad(
    "upload-blob",
    "a name of 201",
    { ...upload, query: { filename: "x".repeat(201) } },
    "invalid_filename",
  ),
  bad("edit-blob", "a visibility that is none", { body: { visibility: "private" } }, "invalid_arg"),
  bad("edit-blob", "no readers", { body: { readers: [] } }, "invalid_arg"),
  bad("edit-blob", "the id x", { params: { id: "x" } }, "invalid_id"),
  bad("delete-blob", "the id x", { params: { id: "x" } }, "invalid_id"),
  bad("start-upload", "a slash in its name", { body: { ...start, filename: "a/b" } }, "invalid_filename"),
  bad("start-upload", "no bytes", { body: { ...start, size_bytes: 0 } }, "empty_blob"),
  bad("start-upload", "too many bytes", { body: { ...start, size_bytes: 26_214_401 } }, "blob_too_large"),
  bad("start-upload", "bytes in words", { body: { ...start, size_bytes: "1" } }, "invalid_arg"),
  bad("complete-upload", "the id x", { params: { id: "x" } }, "invalid_id"),
];

/** Invalid calls on existing drops and files. */
export const badInput: fc.Arbitrary<Intent> = fc
  .constantFrom(...badDrops, ...badTexts, ...badSlugs, ...badVersions, ...badQueries, ...badFiles)
  .map(({ operation, what, options, refusal }) => ({
    words: `${operation} with ${what}`,
    toCall(state, other) {
      const first: Target = { whose: "own", index: 0 };
      const params = {
        slug: slugOf(first, state, other),
        id: blobIdOf(first, state, other),
        ...options.params,
      };
      return { operation, ...tokenFor(state, "good"), ...options, params, refusal };
    },
  }));

function bad(operation: OperationId, what: string, options: CallOptions, refusal: ErrorCode): BadInput {
  return { operation, what, options, refusal };
}
