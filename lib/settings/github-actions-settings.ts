import * as z from "zod";
import { httpsAddress, quote, repeated, text, withoutValue } from "./setting-kinds.ts";

/** AWS Lambda developer guide, "Lambda quotas": the environment of a function has 4 KB in all. */
const repositoriesMax = 20;
const bytesMax = 1_500;

const example = '{ repository: "octo-org/octo-repo", repositoryId: 123456 }';
const numberOfRepository = "write the number that gh api repos/octo-org/octo-repo --jq .id prints";
const wholeNames = 'write whole names of branches without patterns, such as ["main"]';

const trustedRepository = z
  .strictObject(
    {
      /** Owner and name, such as `octo-org/octo-repo`. */
      repository: text(/^[\w.-]+\/[\w.-]+$/, 'write owner and name, such as "octo-org/octo-repo"'),
      /** GitHub's number of the repository. GitHub never gives it to another one. */
      repositoryId: z.int(numberOfRepository).positive(numberOfRepository),
      /** @default true */
      pullRequests: z.optional(z.boolean("write true or false")),
      /**
       * Whole names: a pattern would match nothing.
       * @default - none
       */
      branches: z.optional(z.array(text(/^(?!refs\/)[^*?[\s]+$/, wholeNames), wholeNames).readonly()),
      /** @default - any environment or none */
      environment: z.optional(text(/./, 'write the name of an environment, such as "production"')),
      /** File in `.github/workflows`. @default - any */
      workflow: z.optional(
        text(/^[\w.-]+\.ya?ml$/, 'write the name of a file in .github/workflows, such as "preview.yml"'),
      ),
      /**
       * Namespace of the team that the workflows publish for.
       *
       * @default - they publish for an account of the repository
       */
      team: z.optional(text(/^[a-z0-9-]{1,40}$/, 'write the namespace of a team, such as "growth"')),
    },
    `write ${example}`,
  )
  .refine(({ pullRequests, branches = [] }) => pullRequests !== false || branches.length > 0, {
    message: "this trusts nothing: write branches, or leave out pullRequests: false",
  });

/** Trust in workflows of GitHub Actions. */
export const githubActions = z
  .strictObject(
    {
      /** From 1 to 20. */
      repositories: z
        .array(trustedRepository, `write [${example}]`)
        .min(1, `write [${example}]`)
        .check(({ value, issues }) => {
          const names = value.map(({ repository }) => repository.toLowerCase());
          for (const name of repeated(names)) {
            const message = `has ${quote(name)} twice: write it once`;
            issues.push({ code: "custom", input: value, message, ...withoutValue });
          }
        })
        .readonly(),
      /**
       * Issuer of ID tokens, for GitHub Enterprise Server and enterprises with an issuer of their own.
       *
       * @default "https://token.actions.githubusercontent.com"
       */
      issuer: z.optional(
        httpsAddress(
          'write an https address such as "https://github.example.com/_services/token", or leave it out',
        ),
      ),
    },
    `write { repositories: [${example}] }`,
  )
  .check(({ value, issues }) => {
    const { length } = value.repositories;
    if (length <= repositoriesMax && Buffer.byteLength(quote(value)) <= bytesMax) return;
    const message = `has ${length} repositories: write at most ${repositoriesMax}, in ${bytesMax} bytes of JSON`;
    issues.push({ code: "custom", input: value, message, ...withoutValue });
  });

export type GitHubActionsSettings = z.input<typeof githubActions>;
