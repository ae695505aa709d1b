import * as z from "zod";
import { findSimilarName } from "../../functions/core/names.ts";
import { visibilityKinds } from "../../functions/policies/access.ts";
import { areRendered, edgeRegion, type Settings, settingsSchema } from "../settings.ts";
import { domainProblems } from "./domain-settings.ts";
import { environmentProblems } from "./environment-size.ts";
import { enterpriseAuthorizationProblems } from "./identity-provider-settings.ts";
import { memberProblems } from "./member-settings.ts";
import { quote } from "./setting-kinds.ts";

/**
 * Validates the operator's settings before anything is built.
 *
 * @param file the settings' file, for messages
 * @throws Error with a line for each wrong setting: its value, and what to write instead
 */
export function validateSettings(settings: Settings, file = "settings.ts"): void {
  const { error } = settingsSchema.safeParse(settings);
  const problems =
    error === undefined
      ? problemsTogether(settings)
      : error.issues.flatMap((issue) => linesOf(issue, settings));
  if (problems.length > 0) throw new Error(problems.map((problem) => `${file}: ${problem}`).join("\n"));
}

/** Finds conflicts between settings that are valid individually. Returns a line for each. */
function problemsTogether(settings: Settings): string[] {
  const problems = [
    ...domainProblems(settings),
    ...enterpriseAuthorizationProblems(settings),
    ...memberProblems(settings),
    ...regionProblems(settings),
    openVisibilityProblem(settings),
    expiryProblem(settings),
  ].filter((problem) => problem !== false);
  return problems.length > 0 ? problems : environmentProblems(settings);
}

/** Region without tenant isolation; see "Tenant isolation", "Supported AWS Regions", AWS Lambda developer guide. */
const regionWithoutTenants = "ap-southeast-6";

function regionProblems(settings: Settings): (string | false)[] {
  const { region = edgeRegion, baseUrl, certificateArn, waf = false } = settings;
  if (region === edgeRegion) return [];
  const there = `region is ${quote(region)}`;
  return [
    baseUrl?.startsWith("https:") === true &&
      certificateArn === undefined &&
      `${there}, and CloudFront accepts only certificates from ${edgeRegion}: create a certificate there for the host names, and ` +
        `set certificateArn, such as "arn:aws:acm:${edgeRegion}:111122223333:certificate/…"`,
    areRendered(settings) &&
      region === regionWithoutTenants &&
      `${there}, where AWS Lambda lacks the tenant isolation that rendering needs: set renders: false`,
    waf !== false && `${there}, and firewalls for CloudFront exist only in ${edgeRegion}: leave out waf`,
  ];
}

function openVisibilityProblem({
  mostOpenVisibility: most = "public",
  defaultVisibility: usual = most,
}: Settings): string | false {
  return (
    visibilityKinds.indexOf(usual) < visibilityKinds.indexOf(most) &&
    `defaultVisibility is ${quote(usual)}, which is more open than mostOpenVisibility, ${quote(most)}: leave it out, or use a more restricted one`
  );
}

function expiryProblem({
  defaultExpiryDays = 0,
  maxExpiryDays = Number.POSITIVE_INFINITY,
}: Settings): string | false {
  return (
    defaultExpiryDays > maxExpiryDays &&
    `defaultExpiryDays is ${defaultExpiryDays}, which is more than maxExpiryDays, ${maxExpiryDays}: use ${maxExpiryDays} or less`
  );
}

/** Formats an issue as lines for the operator, each with the setting, its value, and a correction. */
function linesOf(issue: z.core.$ZodIssue, settings: unknown, above: readonly PropertyKey[] = []): string[] {
  const path = [...above, ...issue.path];
  const value = path.reduce<unknown>(
    (held, key) => (held as Record<PropertyKey, unknown> | undefined)?.[key],
    settings,
  );
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownName(key, path));
  if (issue.code === "invalid_union") {
    const nested = issue.errors.find((errors) => errors.some(isInside));
    if (nested !== undefined) return nested.flatMap((one) => linesOf(one, settings, path));
  }
  const name = z.core.toDotPath(path);
  if (issue.code === "custom" && issue.params?.withoutValue) return [`${name} ${issue.message}`];
  return [`${name} is ${value === undefined ? "missing" : quote(value)}: ${issue.message}`];
}

/** Returns true if only a part of the value is invalid, so that the value as a whole matches its branch of the union. */
function isInside({ path, code }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === "unrecognized_keys" || code === "custom";
}

/** Describes an unknown setting and suggests a known one. */
function unknownName(name: string, inside: readonly PropertyKey[]): string {
  const holder = z.core.toDotPath([...inside]);
  const known = knownNamesIn(inside);
  const what = `there is no setting ${quote(holder === "" ? name : `${holder}.${name}`)}`;
  const similar = findSimilarName(name, known);
  if (similar !== undefined) return `${what}; did you mean ${quote(similar)}?`;
  return `${what}; ${holder === "" ? "the settings are" : `${holder} takes`} ${known.join(", ")}`;
}

/** Returns the field names at a path of the schema, from all branches of a union. */
function knownNamesIn(path: readonly PropertyKey[]): string[] {
  const found = path.reduce<readonly z.core.$ZodType[]>(
    (schemas, key) =>
      schemas.flatMap(branchesOf).flatMap((schema) => {
        if (schema instanceof z.ZodArray) return [schema.element];
        return schema instanceof z.ZodObject ? (schema.shape[key as string] ?? []) : [];
      }),
    [settingsSchema],
  );
  return found
    .flatMap(branchesOf)
    .flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
}

function branchesOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return branchesOf(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(branchesOf) : [schema];
}
