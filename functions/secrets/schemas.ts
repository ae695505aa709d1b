import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { freeText } from "../http/query.ts";
import { schema, text, versionNumber } from "../http/schemas.ts";

/** Reason for storing a text with likely secrets, even if the setting `secretScan` refuses them; see docs/adr/0094-secretlint.md. */
export const allowSecrets = /* @__PURE__ */ schema(() =>
  text({
    name: "allow_secrets",
    shownAs: "line",
    trimmed: true,
    codePointsMax: limits.noteCodePointsMax,
    tooLong: "invalid_arg",
  }),
);

/** The field `allow_secrets` as a query parameter. */
export const allowSecretsParameter = /* @__PURE__ */ schema(() => z.pipe(freeText(), allowSecrets));

/** Fields that are scanned together with a page. */
export const secretFields = ["context", "note", "title", "description", "metadata"] as const;

export type SecretField = (typeof secretFields)[number];

/** Likely secrets in a stored page or file, in order. `field` names the field with the secret, unless it is the page or file itself. */
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

/** Field that is added to the response after a file was stored. */
export const fileSecretsAddition = /* @__PURE__ */ schema(() =>
  z.object({ secrets: z.optional(foundSecrets) }),
);
