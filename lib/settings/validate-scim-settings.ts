import type { Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";

const example = '{ match: "externalId", claim: "oid" }';

/** Problems with the settings of SCIM: a line for each. */
export function scimProblems({ scim }: Settings): string[] {
  if (scim === undefined) return [];
  if (typeof scim !== "object" || scim === null || Array.isArray(scim))
    return [`scim is ${quote(scim)}: write such as ${example}`];
  const { match, claim } = scim;
  return problemsOf(
    ...unknownNameProblems(scim, ["match", "claim"], "scim"),
    match !== "userName" &&
      match !== "externalId" &&
      `scim.match is ${quote(match)}: write "userName" or "externalId"`,
    claim !== undefined &&
      (typeof claim !== "string" || claim.trim() === "") &&
      `scim.claim is ${quote(claim)}: write the name of a claim, such as "oid"`,
    match === "externalId" &&
      claim === undefined &&
      `scim.claim is missing, and externalId is no user name: write such as ${example}`,
  );
}
