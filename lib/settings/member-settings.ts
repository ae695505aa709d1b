import * as z from "zod";
import { parseEmailDomain } from "../../functions/people/email-addresses.ts";
import type { IdentityProvider } from "./identity-provider-settings.ts";
import { checkedText, isThisMachine, parseUrl, quote, text, withoutValue } from "./setting-kinds.ts";

/** AWS Lambda developer guide, "Lambda quotas": the environment of a function has 4 KB in all. */
const bytesMax = 1_500;

/** Every sign-in makes a request to the provider for each organization. */
const organizationsMax = 10;

const example =
  '"anyone", or such as { emailDomains: ["example.com"] }, { githubOrganizations: ["example-inc"] } or ' +
  '{ groups: ["publishers"] }';

const domainForm =
  'write a domain without an at sign, such as "example.com", in ASCII ("xn--…" for other letters)';

/** Rules of who may publish. A person needs to match only one of them. */
const memberSettings = z
  .strictObject(
    {
      /**
       * Domains of e-mail addresses, such as `example.com`, without their subdomains. Only addresses that the identity provider has verified
       * count.
       *
       * @default - none
       */
      emailDomains: z.optional(
        z
          .array(
            checkedText(domainForm, (value) =>
              parseEmailDomain(value) === undefined ? domainForm : undefined,
            ),
            'write a list, such as ["example.com"]',
          )
          .readonly(),
      ),
      /**
       * Organizations at GitHub, by the names in their addresses, such as `example-inc`.
       *
       * @default - none
       */
      githubOrganizations: z.optional(
        z
          .array(
            // GitHub documentation, "Signing up for a new personal account": letters, digits and single hyphens, at most 39.
            text(
              /^[a-z\d](-?[a-z\d]){0,38}$/i,
              'write the name in its address, such as "example-inc" for https://github.com/example-inc',
            ),
            'write a list, such as ["example-inc"]',
          )
          .check(({ value, issues }) => {
            if (value.length <= organizationsMax) return;
            const message = `has ${value.length}: write at most ${organizationsMax}, since every sign-in makes a request for each`;
            issues.push({ code: "custom", input: value, message, ...withoutValue });
          })
          .readonly(),
      ),
      /**
       * Groups, exactly as in the claim of `identityProvider.fields.groups`, such as `publishers`.
       *
       * @default - none
       */
      groups: z.optional(
        z
          .array(
            text(/\S/, 'write a value that the claim has, such as "publishers"'),
            'write the groups alone, such as ["publishers"], and their claim as identityProvider.fields.groups',
          )
          .readonly(),
      ),
    },
    `write ${example}`,
  )
  .check(({ value, issues }) => {
    const bytes = Buffer.byteLength(quote(value));
    if (bytes <= bytesMax) return;
    const message = `has ${bytes} bytes of JSON: write at most ${bytesMax}, and add the other people with npm run operator -- members add`;
    issues.push({ code: "custom", input: value, message, ...withoutValue });
  })
  .refine((value) => Object.keys(value).length > 0, `write ${example}, or leave it out`);

export const members = z.union([z.literal("anyone"), memberSettings], `write ${example}`);

export type MemberSettings = z.input<typeof memberSettings>;

interface SignInSettings {
  readonly members?: "anyone" | MemberSettings | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
  readonly baseUrl?: string | undefined;
}

/** Refuses rules about facts that are never requested from the provider. They would admit no one, which would be noticed late. */
export function memberProblems({
  members: given,
  identityProvider = "github",
  baseUrl = "",
}: SignInSettings): (string | false)[] {
  if (given === undefined || given === "anyone") return [];
  const provider = identityProvider === "github" ? undefined : identityProvider;
  const knowsOrganizations =
    provider === undefined ||
    (provider.kind === "oauth2" && provider.membershipsEndpoint !== undefined) ||
    // The local cloud's provider stands in for GitHub.
    isThisMachine(parseUrl(baseUrl)?.hostname ?? "");
  return [
    given.groups !== undefined &&
      provider?.fields?.groups === undefined &&
      'members.groups is set, and identityProvider.fields.groups is not: write the claim that has a person\'s groups, such as fields: { groups: "groups" }',
    given.githubOrganizations !== undefined &&
      !knowsOrganizations &&
      'members.githubOrganizations is set, and identityProvider is not GitHub: write identityProvider "github", or members.groups with the claim in identityProvider.fields.groups',
    given.emailDomains !== undefined &&
      provider?.scope !== undefined &&
      !/\bemails?\b/.test(provider.scope) &&
      `members.emailDomains is set, and identityProvider.scope is ${quote(provider.scope)}, which requests no address: add "email"`,
  ];
}

/** An attribute of SCIM users, and the claim of the ID token or the userinfo response that has the same value. */
export const scim = z
  .strictObject(
    {
      match: z.enum(["userName", "externalId"], 'write "userName" or "externalId"'),
      /**
       * Such as `oid` or `sub`. Needed for `externalId`.
       *
       * @default - the user name or a verified address
       */
      claim: z.optional(text(/\S/, 'write the name of a claim, such as "oid"')),
    },
    'write such as { match: "externalId", claim: "oid" }',
  )
  .refine(({ match, claim }) => match === "userName" || claim !== undefined, {
    path: ["claim"],
    message: 'externalId needs the claim with the same value, such as "oid"',
  });
