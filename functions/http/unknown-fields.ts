import { ApiError, type ErrorCode } from "../runtime/errors.ts";
import { nearestName, normalizeName } from "./nearest-name.ts";

/**
 * Names of fields or parameters by which a caller means something that would be dropped: docs/adr/0056-errors-that-mend-the-call.md.
 */
export interface MeantNames {
  /** Letters and digits alone, in lower case. */
  readonly names: readonly string[];
  /** The right call. */
  readonly way: string;
  /** @default "invalid_arg" */
  readonly code?: ErrorCode;
  /** Whether nothing is lost by going on: the call is carried out, and says so. @default false */
  readonly isHarmless?: true;
}

/** What came, and what is known. */
interface GivenNames {
  readonly kind: "field" | "query parameter";
  readonly given: readonly string[];
  readonly known: readonly string[];
  readonly meant?: readonly MeantNames[] | undefined;
}

/** By these somebody is kept out: a misspelled one must not let everybody in. */
const restricting = ["passcode", "visibility", "readers"];

/** What is sent back of a name may not be as long as it came, and the list of them neither. */
const shownCharactersMax = 100;
const warningsMax = 10;

/** Each takes a look at all that is known: of so many that nobody means anything by them, none is looked at. */
const unknownMax = 100;

/**
 * What there is to say of names that are not known: the call does without them.
 *
 * @throws ApiError for the first by which the caller means what would be dropped, naming the right call
 */
export function reviewNames({ kind, given, known, meant = [] }: GivenNames): string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax) {
    throw new ApiError("invalid_arg", {
      message: `${unknown.length} ${kind}s came that there are not here; more than ${unknownMax} are refused. Known are ${known.join(", ") || "none"}.`,
    });
  }
  const detail = kind === "field" ? "field" : "parameter";
  const warnings = unknown.map((name) => {
    const shown = name.slice(0, shownCharactersMax);
    const lead = `There is no ${kind} ${JSON.stringify(shown)} here`;
    const found = meant.find(({ names }) => names.includes(normalizeName(name)));
    if (found?.isHarmless) return `${lead}; the call did without it. ${found.way}`;
    if (found !== undefined) {
      throw new ApiError(found.code ?? "invalid_arg", {
        message: `${lead}, and it is not ignored. ${found.way}`,
        details: { [detail]: shown },
      });
    }
    const nearest = nearestName(name, known);
    if (nearest !== undefined && restricting.includes(nearest)) {
      throw new ApiError("invalid_arg", {
        message: `${lead}, and it is not ignored. Did you mean ${JSON.stringify(nearest)}?`,
        details: { [detail]: shown, did_you_mean: nearest },
      });
    }
    const way =
      nearest === undefined ? `Known are ${known.join(", ") || "none"}.` : `Send ${JSON.stringify(nearest)}.`;
    return `${lead}; the call did without it. ${way}`;
  });
  return warnings.slice(0, warningsMax);
}

/** Of a field or parameter that is missing: the name by which it may have come. */
export function findMistaken(
  missing: string,
  given: readonly string[],
  known: readonly string[],
): string | undefined {
  return given
    .slice(0, unknownMax)
    .find((name) => !known.includes(name) && nearestName(name, [missing]) === missing);
}
