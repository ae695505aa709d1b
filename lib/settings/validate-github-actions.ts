import type { TrustedRepository } from "../../functions/core/environment.ts";
import type { Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";
import { isHttpsOrThisMachine, parseUrl } from "./validate-domain-settings.ts";

/** AWS Lambda developer guide, "Lambda quotas": the environment of a function has 4 KB in all. */
const repositoriesMax = 20;
const bytesMax = 1_500;

const example = '{ repository: "octo-org/octo-repo", repositoryId: 123456 }';

const known = ["repository", "repositoryId", "pullRequests", "branches", "environment", "workflow"] as const;

/** Problems with the trust in workflows: a line for each. */
export function githubActionsProblems({ githubActions }: Settings): string[] {
  if (githubActions === undefined) return [];
  if (typeof githubActions !== "object" || githubActions === null)
    return [`githubActions is ${quote(githubActions)}: write { repositories: [${example}] }`];
  const { repositories, issuer } = githubActions;
  if (!Array.isArray(repositories) || repositories.length === 0)
    return [`githubActions.repositories is ${quote(repositories)}: write [${example}]`];
  const names = repositories.map((one: Partial<TrustedRepository> | null) =>
    String(one?.repository).toLowerCase(),
  );
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const isTooLarge =
    repositories.length > repositoriesMax || Buffer.byteLength(quote(githubActions)) > bytesMax;
  return problemsOf(
    ...unknownNameProblems(githubActions, ["repositories", "issuer"], "githubActions"),
    ...issuerProblems(issuer),
    ...repositories.flatMap((one, index) => repositoryProblems(one, `githubActions.repositories[${index}]`)),
    ...twice.map((name) => `githubActions.repositories has ${quote(name)} twice: write it once`),
    isTooLarge &&
      `githubActions has ${repositories.length} repositories: write at most ${repositoriesMax}, in ${bytesMax} bytes of JSON`,
  );
}

function issuerProblems(issuer: string | undefined): string[] {
  if (issuer === undefined) return [];
  if (typeof issuer === "string" && isHttpsOrThisMachine(parseUrl(issuer))) return [];
  return [
    `githubActions.issuer is ${quote(issuer)}: write an https address such as "https://github.example.com/_services/token", or leave it out`,
  ];
}

function repositoryProblems(given: unknown, name: string): string[] {
  if (typeof given !== "object" || given === null) return [`${name} is ${quote(given)}: write ${example}`];
  const { repository, repositoryId, pullRequests, branches, environment, workflow } =
    given as Partial<TrustedRepository>;
  const problems = unknownNameProblems(given, known, name);
  const refuse = (field: string, value: unknown, instead: string) =>
    problems.push(`${name}.${field} is ${quote(value)}: write ${instead}`);
  if (typeof repository !== "string" || !/^[\w.-]+\/[\w.-]+$/.test(repository))
    refuse("repository", repository, 'owner and name, such as "octo-org/octo-repo"');
  if (!Number.isSafeInteger(repositoryId) || Number(repositoryId) <= 0)
    refuse(
      "repositoryId",
      repositoryId,
      `the number that gh api repos/${repository ?? "octo-org/octo-repo"} --jq .id prints`,
    );
  if (pullRequests !== undefined && typeof pullRequests !== "boolean")
    refuse("pullRequests", pullRequests, "true or false");
  if (branches !== undefined && !(Array.isArray(branches) && branches.every(isBranch)))
    refuse("branches", branches, 'whole names of branches without patterns, such as ["main"]');
  if (environment !== undefined && (typeof environment !== "string" || environment === ""))
    refuse("environment", environment, 'the name of an environment, such as "production"');
  if (workflow !== undefined && (typeof workflow !== "string" || !/^[\w.-]+\.ya?ml$/.test(workflow)))
    refuse("workflow", workflow, 'the name of a file in .github/workflows, such as "preview.yml"');
  if (pullRequests === false && (branches ?? []).length === 0)
    problems.push(`${name} trusts nothing: write branches, or leave out pullRequests: false`);
  return problems;
}

/** Patterns would be taken as names: nothing would fit. */
function isBranch(branch: unknown): boolean {
  return typeof branch === "string" && branch !== "" && !/[*?[\s]|^refs\//.test(branch);
}
