import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { lowerCaseHint, type Metadata } from "../http/query.ts";
import {
  accepts,
  countCodePoints,
  describe,
  isObject,
  mustBe,
  type ProblemParams,
  patterns,
  problem,
  schema,
} from "../http/schemas.ts";

const shownKeyCharactersMax = 100;

/** Schema for the field `metadata` of a request body; see section "Metadata" of the specification. */
export const metadataSchema = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.unknown(),
      z.transform((input, context): Metadata => {
        const found = isObject(input)
          ? metadataProblem(Object.entries(input))
          : problem("invalid_arg", `metadata ${mustBe("an object of strings", describe(input))}`, {
              field: "metadata",
            });
        if (!found) return new Map(Object.entries(input as Record<string, string>));
        context.issues.push({ code: "custom", input, ...found });
        return z.NEVER;
      }),
    ),
    {
      type: "object",
      maxProperties: limits.metadataKeysMax,
      propertyNames: { pattern: patterns.metadataKey.source },
      additionalProperties: { type: "string", maxLength: limits.metadataValueCodePointsMax },
    },
  ),
);

function metadataProblem(
  entries: [string, unknown][],
): { message: string; params: ProblemParams } | undefined {
  if (entries.length > limits.metadataKeysMax) {
    const message = `metadata has ${entries.length} keys; at most ${limits.metadataKeysMax} are allowed.`;
    return problem("invalid_arg", message, {
      field: "metadata",
      keys: entries.length,
      keys_max: limits.metadataKeysMax,
    });
  }
  const problems = entries.flatMap(([key, value]) => {
    // Truncates an invalid key in the message, because the key could be as long as the body.
    const shownKey = key.slice(0, shownKeyCharactersMax);
    const message = metadataEntryProblem(key, shownKey, value);
    return message === undefined ? [] : { message, shownKey };
  });
  const [first] = problems;
  const message = problems
    .slice(0, problemsMax)
    .map((one) => one.message)
    .join(" ");
  return first && problem("invalid_arg", message, { field: "metadata", key: first.shownKey });
}

const problemsMax = 3;

function metadataEntryProblem(key: string, shownKey: string, value: unknown): string | undefined {
  if (!patterns.metadataKey.test(key)) {
    return `metadata key ${JSON.stringify(shownKey)} does not match ${patterns.metadataKey.source}.${lowerCaseHint(key)}`;
  }
  const advice =
    value === null
      ? " The metadata that you send replaces the whole map: to remove a key, send only the other keys; {} removes all keys."
      : "";
  if (typeof value !== "string") return `metadata.${key} ${mustBe("a string", describe(value))}${advice}`;
  if (!value.isWellFormed())
    return `metadata.${key} contains an unpaired surrogate: send well-formed Unicode.`;
  const characters = countCodePoints(value);
  if (characters <= limits.metadataValueCodePointsMax) return undefined;
  return `metadata.${key} has ${characters} characters; at most ${limits.metadataValueCodePointsMax} are allowed.`;
}
