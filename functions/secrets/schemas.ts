import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { freeText } from "../http/query.ts";
import { schema, text, versionNumber } from "../http/schemas.ts";

/** Reason to store a text with secrets although the setting `secretScan` refuses it: docs/adr/0094-secretlint.md. */
export const allowSecrets = /* @__PURE__ */ schema(() =>
  text({
    name: "allow_secrets",
    shownAs: "line",
    trimmed: true,
    codePointsMax: limits.noteCodePointsMax,
    tooLong: "invalid_arg",
  }),
);

/** The same as a parameter of a query. */
export const allowSecretsParameter = /* @__PURE__ */ schema(() => z.pipe(freeText(), allowSecrets));

/** Texts besides a page that are scanned with it. */
export const secretFields = ["context", "note", "title", "description", "metadata"] as const;

export type SecretField = (typeof secretFields)[number];

/** Likely secrets of a stored text, in the order of their places; `field` names a text besides the page. */
export const foundSecrets = /* @__PURE__ */ schema(() =>
  z.array(
    z.object({
      rule: z.string(),
      line: versionNumber,
      column: versionNumber,
      field: z.optional(z.enum(secretFields)),
    }),
  ),
);

/** Field of a response to a stored file. */
export const fileSecretsAddition = /* @__PURE__ */ schema(() =>
  z.object({ secrets: z.optional(foundSecrets) }),
);
