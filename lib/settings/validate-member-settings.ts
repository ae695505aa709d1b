import { parseEmailDomain } from "../../functions/identity/visibility.ts";
import type { MemberSettings, Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";
import { isThisMachine, parseUrl } from "./validate-domain-settings.ts";

/** AWS Lambda developer guide, "Lambda quotas": the environment of a function has 4 KB in all. */
const bytesMax = 1_500;

/** Each is asked for at every sign-in. */
const organizationsMax = 10;

const example =
  '"anyone", or such as { emailDomains: ["example.com"] }, { githubOrganizations: ["example-inc"] } or ' +
  '{ groups: ["publishers"] }';

/** Problems with the settings of members: a line for each. */
export function memberProblems(settings: Settings): string[] {
  const { members } = settings;
  if (members === undefined || members === "anyone") return [];
  if (typeof members !== "object" || members === null || Array.isArray(members))
    return [`members is ${quote(members)}: write ${example}`];
  return problemsOf(
    ...unknownNameProblems(members, ["emailDomains", "githubOrganizations", "groups"], "members"),
    Object.keys(members).length === 0 && `members is {}: write ${example}, or leave it out`,
    ...listProblems("members.emailDomains", members.emailDomains, domainProblem),
    ...listProblems("members.githubOrganizations", members.githubOrganizations, organizationProblem),
    ...groupProblems(settings, members.groups),
    ...providerProblems(settings, members),
    ...sizeProblems(members),
  );
}

function domainProblem(domain: string): string | undefined {
  return parseEmailDomain(domain) === undefined
    ? 'write a domain without an at sign, such as "example.com", in ASCII ("xn--…" for other letters)'
    : undefined;
}

/** GitHub documentation, "Signing up for a new personal account": letters, digits and single hyphens, at most 39. */
function organizationProblem(name: string): string | undefined {
  return /^[a-z\d](-?[a-z\d]){0,38}$/i.test(name)
    ? undefined
    : 'write the name in its address, such as "example-inc" for https://github.com/example-inc';
}

function groupValueProblem(value: string): string | undefined {
  return value.trim() === "" ? 'write a value that the claim has, such as "publishers"' : undefined;
}

function groupProblems({ identityProvider }: Settings, groups: readonly string[] | undefined): string[] {
  if (groups === undefined) return [];
  if (!Array.isArray(groups))
    return [
      `members.groups is ${quote(groups)}: write the groups alone, such as ["publishers"], and their claim as identityProvider.fields.groups`,
    ];
  const claim = typeof identityProvider === "object" ? identityProvider.fields?.groups : undefined;
  return problemsOf(
    ...listProblems("members.groups", groups, groupValueProblem),
    claim === undefined &&
      'members.groups is set, and identityProvider.fields.groups is not: write the claim that has a person\'s groups, such as fields: { groups: "groups" }',
  );
}

function listProblems(
  setting: string,
  list: readonly string[] | undefined,
  problemOf: (one: string) => string | undefined,
): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [`${setting} is ${quote(list)}: write a list, such as ["…"]`];
  return list.flatMap((one) => {
    const problem = typeof one === "string" ? problemOf(one) : "write texts";
    return problem === undefined ? [] : [`${setting} has ${quote(one)}: ${problem}`];
  });
}

/** Refuses rules about facts that the provider is never asked for. They would admit nobody, which shows late. */
function providerProblems({ identityProvider, baseUrl }: Settings, members: MemberSettings): string[] {
  const { githubOrganizations, emailDomains } = members;
  const organizations = Array.isArray(githubOrganizations) ? githubOrganizations : [];
  const problems: string[] = [];
  if (organizations.length > organizationsMax)
    problems.push(
      `members.githubOrganizations has ${organizations.length}: write at most ${organizationsMax}, since each is asked for at every sign-in`,
    );
  const isGitHub = identityProvider === undefined || identityProvider === "github";
  const knowsOrganizations =
    isGitHub ||
    (identityProvider.kind === "oauth2" && identityProvider.membershipsEndpoint !== undefined) ||
    // The local cloud's provider stands in for GitHub.
    isThisMachine(parseUrl(baseUrl ?? "")?.hostname ?? "");
  if (githubOrganizations !== undefined && !knowsOrganizations)
    problems.push(
      'members.githubOrganizations is set, and identityProvider is not GitHub: write identityProvider "github", or members.groups with the claim in identityProvider.fields.groups',
    );
  const scope = isGitHub ? undefined : identityProvider.scope;
  if (emailDomains !== undefined && typeof scope === "string" && !/\bemails?\b/.test(scope))
    problems.push(
      `members.emailDomains is set, and identityProvider.scope is ${quote(scope)}, which asks for no address: add "email"`,
    );
  return problems;
}

function sizeProblems(members: MemberSettings): string[] {
  const bytes = Buffer.byteLength(quote(members));
  if (bytes <= bytesMax) return [];
  return [
    `members has ${bytes} bytes of JSON: write at most ${bytesMax}, and let the others in by npm run operator -- members add`,
  ];
}
