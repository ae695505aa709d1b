import * as z from "zod";
import { httpsAddress, quote, repeated, text, withoutValue } from "./setting-kinds.ts";

/** Bounds for the repositories, because a function's environment has at most 4 KB; see "Lambda quotas", AWS Lambda developer guide. */
const repositoriesMax = 20;
const bytesMax = 1_500;

const example = '{ repository: "octo-org/octo-repo", repositoryId: 123456 }';
const numberOfRepository = "to get the number, run: gh api repos/octo-org/octo-repo --jq .id";
const wholeNames = 'use full branch names without patterns, such as ["main"]';

const trustedRepository = z
  .strictObject(
    {
      /** Owner and name, such as `octo-org/octo-repo`. */
      repository: text(/^[\w.-]+\/[\w.-]+$/, 'use the owner and name, such as "octo-org/octo-repo"'),
      /** GitHub's id of the repository. GitHub never assigns the id to another repository. */
      repositoryId: z.int(numberOfRepository).positive(numberOfRepository),
      /** Trusts workflow runs for pull requests. @default true */
      pullRequests: z.optional(z.boolean("use true or false")),
      /** Branches whose workflow runs are trusted, as full names. Wildcards are not supported. @default - none */
      branches: z.optional(z.array(text(/^(?!refs\/)[^*?[\s]+$/, wholeNames), wholeNames).readonly()),
      /** Deployment environment that the workflow run must have. @default - any environment, or none */
      environment: z.optional(text(/./, 'use the name of an environment, such as "production"')),
      /** Name of the workflow's file in `.github/workflows`. @default - any workflow */
      workflow: z.optional(
        text(/^[\w.-]+\.ya?ml$/, 'use the name of a file in .github/workflows, such as "preview.yml"'),
      ),
      /**
       * Namespace of the team that the workflows publish for.
       *
       * @default - the workflows publish for an account that belongs to the repository
       */
      team: z.optional(text(/^[a-z0-9-]{1,40}$/, 'use the namespace of a team, such as "growth"')),
    },
    `use ${example}`,
  )
  .refine(({ pullRequests, branches = [] }) => pullRequests !== false || branches.length > 0, {
    message: "no workflow run is trusted: set branches, or leave out pullRequests: false",
  });

/** Repositories whose GitHub Actions workflows may publish. */
export const githubActions = z
  .strictObject(
    {
      /** Trusted repositories, from 1 to 20. */
      repositories: z
        .array(trustedRepository, `use [${example}]`)
        .min(1, `use [${example}]`)
        .check(({ value, issues }) => {
          const names = value.map(({ repository }) => repository.toLowerCase());
          for (const name of repeated(names)) {
            const message = `has ${quote(name)} twice: list it once`;
            issues.push({ code: "custom", input: value, message, ...withoutValue });
          }
        })
        .readonly(),
      /**
       * Issuer of the workflows' ID tokens. Set it for GitHub Enterprise Server, or for an enterprise with its own issuer.
       *
       * @default "https://token.actions.githubusercontent.com"
       */
      issuer: z.optional(
        httpsAddress(
          'use an https address such as "https://github.example.com/_services/token", or leave it out',
        ),
      ),
    },
    `use { repositories: [${example}] }`,
  )
  .check(({ value, issues }) => {
    const { length } = value.repositories;
    if (length <= repositoriesMax && Buffer.byteLength(quote(value)) <= bytesMax) return;
    const message = `has ${length} repositories: use at most ${repositoriesMax}, and at most ${bytesMax} bytes of JSON`;
    issues.push({ code: "custom", input: value, message, ...withoutValue });
  });

export type GitHubActionsSettings = z.input<typeof githubActions>;
