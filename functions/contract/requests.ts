import * as z from "zod/mini";
import { accepts } from "./json-schema.ts";
import { limits } from "./limits.ts";
import { metadataSchema } from "./metadata-schema.ts";
import { normalizePasscode } from "./passcode-text.ts";
import { schema } from "./schema.ts";
import { countCodePoints, problem, text } from "./text.ts";

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
    trimmed: true,
    codePointsMax: limits.titleCodePointsMax,
    tooLong: "title_too_long",
    empty: "title_required",
  }),
);
const description = /* @__PURE__ */ schema(() =>
  text({
    name: "description",
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
const label = /* @__PURE__ */ schema(() =>
  text({
    name: "label",
    codePointsMax: limits.labelCodePointsMax,
    tooLong: "invalid_arg",
  }),
);

/** A passcode as the domain takes it. */
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
    return problem("invalid_arg", "passcode holds half of a surrogate pair: send well-formed Unicode.", {
      field: "passcode",
    });
  }
  const characters = countCodePoints(normalized);
  if (normalized === "" || characters >= charactersMin) return undefined;
  const message = `passcode has ${characters} characters; at least ${charactersMin} are needed.`;
  return problem("passcode_too_short", message, { field: "passcode", characters_min: charactersMin });
}

/** `POST /api/drops`; section "PublishDrop" of the specification. An empty passcode means no gate. */
export const publishDropBody = /* @__PURE__ */ schema(() =>
  z.object({
    html,
    title: title,
    description: z.optional(z.nullable(description)),
    passcode: z.optional(passcode),
    context: z.optional(context),
    metadata: z.optional(metadataSchema),
  }),
);

/** `PUT /api/drops/{slug}`: existing clients send title, description and metadata along. */
export const publishVersionBody = /* @__PURE__ */ schema(() =>
  z.object({
    html,
    context: z.optional(context),
    title: z.optional(title),
    description: z.optional(z.nullable(description)),
    metadata: z.optional(metadataSchema),
  }),
);

const noHtml = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, transformation) => {
        if (value === undefined) return undefined;
        const found = problem("metadata_only_on_patch", "PATCH takes no html; send a new version with PUT.", {
          field: "html",
        });
        transformation.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    { not: {} },
  ),
);

/** `PATCH /api/drops/{slug}`: `html` in any form, null too, is refused. */
export const editDropBody = /* @__PURE__ */ schema(() =>
  z.object({
    html: z.optional(noHtml),
    title: z.optional(title),
    description: z.optional(z.nullable(description)),
    metadata: z.optional(metadataSchema),
  }),
);

/** `POST /api/drops/{slug}/passcode`: the empty string removes the gate. */
export const setPasscodeBody = /* @__PURE__ */ schema(() => z.object({ passcode }));

/** `POST /api/auth/start`. The label is shown to the human as what the agent calls itself. */
export const startSignInBody = /* @__PURE__ */ schema(() =>
  z.object({
    label: z.optional(z.nullable(label)),
  }),
);
