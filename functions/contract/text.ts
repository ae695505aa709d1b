import * as z from "zod/mini";
import { type ErrorCode, errorCatalog } from "./errors.ts";
import { accepts, type JsonSchema } from "./json-schema.ts";

/** The rule of one text field: how long it may be and which codes its breaches have. */
export interface TextRule {
  /** The field's name in the body, for messages. */
  readonly name: string;
  /** The most Unicode code points it may have. @default - no limit */
  readonly codePointsMax?: number;
  /** The most bytes it may have in UTF-8. @default - no limit */
  readonly bytesMax?: number;
  readonly tooLong: ErrorCode;
  /** Whether white space around it is dropped first. @default false */
  readonly trimmed?: boolean;
  /** The code of an empty string. @default - it may be empty */
  readonly empty?: ErrorCode;
}

/** What a rule of our own attaches to a validation issue; read by `toApiError`. */
export interface ProblemParams {
  readonly apiCode: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A string that is well-formed Unicode and not longer than the rule allows. */
export function text(rule: TextRule) {
  return accepts(
    z.pipe(
      z.string(),
      z.transform((value, context) => {
        const kept = rule.trimmed ? value.trim() : value;
        const found = textProblem(kept, rule);
        if (!found) return kept;
        context.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    toJsonSchema(rule),
  );
}

/** JSON Schema counts code points as well; of bytes it knows nothing, and no text has more characters than bytes. */
function toJsonSchema({ codePointsMax, bytesMax, trimmed, empty }: TextRule): JsonSchema {
  const maxLength = codePointsMax ?? bytesMax;
  return {
    type: "string",
    ...(empty === undefined ? {} : { minLength: 1 }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(trimmed ? { pattern: "\\S" } : {}),
  };
}

/** The number of Unicode code points, which is how the specification's "characters" are counted. */
export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function textProblem(value: string, rule: TextRule): { message: string; params: ProblemParams } | undefined {
  const { name, codePointsMax, bytesMax, tooLong, trimmed, empty } = rule;
  if (empty !== undefined && (value === "" || (trimmed && isInvisible(value)))) {
    return problem(empty, `${name} is empty. ${errorCatalog[empty].message}`, { field: name });
  }
  if (!value.isWellFormed()) {
    return problem("invalid_arg", `${name} holds half of a surrogate pair: send well-formed Unicode.`, {
      field: name,
    });
  }
  const bytes = bytesMax === undefined ? 0 : Buffer.byteLength(value);
  if (bytesMax !== undefined && bytes > bytesMax) {
    const message = `${name} is ${bytes} bytes in UTF-8; at most ${bytesMax} are allowed.`;
    return problem(tooLong, message, { field: name, bytes, bytes_max: bytesMax });
  }
  // A code point is one or two UTF-16 units, so most strings need no count.
  if (codePointsMax === undefined || value.length <= codePointsMax) return undefined;
  const characters = countCodePoints(value);
  if (characters <= codePointsMax) return undefined;
  const message = `${name} has ${characters} characters; at most ${codePointsMax} are allowed.`;
  return problem(tooLong, message, { field: name, characters, characters_max: codePointsMax });
}

/** Whether nobody would see anything of it: zero-width characters, fillers and controls alone (Unicode, section 5.21). */
function isInvisible(value: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(value);
}

/** A breach of a rule of our own, in the form that a zod issue takes. */
export function problem(
  apiCode: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
): { message: string; params: ProblemParams } {
  return { message, params: { apiCode, details } };
}
