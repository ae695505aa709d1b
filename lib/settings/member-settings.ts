import * as z from "zod";
import { parseEmailDomain } from "../../functions/people/email-addresses.ts";
import type { IdentityProvider } from "./identity-provider-settings.ts";
import { checkedText, isThisMachine, parseUrl, quote, text, withoutValue } from "./setting-kinds.ts";

/**
 * Maximum size of the rules as JSON, in bytes. The rules are in a function's environment, which Lambda limits to 4 KB; see "Lambda quotas",
 * AWS Lambda developer guide.
 */
const bytesMax = 1_500;

/** Maximum number of organizations. The number is limited, because every sign-in makes a request for each organization. */
const organizationsMax = 10;

const example =
  '"anyone", or a value such as { emailDomains: ["example.com"] }, { githubOrganizations: ["example-inc"] } or ' +
  '{ groups: ["publishers"] }';

const domainForm =
  'use a domain without an at sign, such as "example.com", in ASCII ("xn--…" for other letters)';

/** Rules for who may publish. A person needs to match only one of the rules. */
const memberSettings = z
  .strictObject(
    {
      /**
       * Domains whose e-mail addresses may publish, such as `example.com`. Subdomains are not included. Only addresses that the identity
       * provider has verified count.
       *
       * @default - none
       */
      emailDomains: z.optional(
        z
          .array(
            checkedText(domainForm, (value) =>
              parseEmailDomain(value) === undefined ? domainForm : undefined,
            ),
            'use a list, such as ["example.com"]',
          )
          .readonly(),
      ),
      /** GitHub organizations whose members may publish, by the name in the organization's URL, such as `example-inc`. @default - none */
      githubOrganizations: z.optional(
        z
          .array(
            // Letters, digits and single hyphens, at most 39 characters; see "Signing up for a new personal account", GitHub documentation.
            text(
              /^[a-z\d](-?[a-z\d]){0,38}$/i,
              'use the name in the organization URL, such as "example-inc" for https://github.com/example-inc',
            ),
            'use a list, such as ["example-inc"]',
          )
          .check(({ value, issues }) => {
            if (value.length <= organizationsMax) return;
            const message = `has ${value.length}: use at most ${organizationsMax}, because every sign-in makes a request for each one`;
            issues.push({ code: "custom", input: value, message, ...withoutValue });
          })
          .readonly(),
      ),
      /**
       * Groups whose members may publish, spelled as in the claim `identityProvider.fields.groups`, such as `publishers`.
       *
       * @default - none
       */
      groups: z.optional(
        z
          .array(
            text(/\S/, 'use a value of the claim, such as "publishers"'),
            'use a list of groups, such as ["publishers"], and set identityProvider.fields.groups to their claim',
          )
          .readonly(),
      ),
    },
    `use ${example}`,
  )
  .check(({ value, issues }) => {
    const bytes = Buffer.byteLength(quote(value));
    if (bytes <= bytesMax) return;
    const message = `has ${bytes} bytes of JSON: use at most ${bytesMax} bytes, and add the other members with npm run operator -- members add`;
    issues.push({ code: "custom", input: value, message, ...withoutValue });
  })
  .refine((value) => Object.keys(value).length > 0, `use ${example}, or leave it out`);

export const members = z.union([z.literal("anyone"), memberSettings], `use ${example}`);

export type MemberSettings = z.input<typeof memberSettings>;

interface SignInSettings {
  readonly members?: "anyone" | MemberSettings | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
  readonly baseUrl?: string | undefined;
}

/** Refuses rules about data that is never requested from the provider. Such rules would never match, and the operator would notice late. */
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
    // On localhost, the local cloud's identity provider replaces GitHub.
    isThisMachine(parseUrl(baseUrl)?.hostname ?? "");
  return [
    given.groups !== undefined &&
      provider?.fields?.groups === undefined &&
      'members.groups is set, and identityProvider.fields.groups is not: set the claim that has a person\'s groups, such as fields: { groups: "groups" }',
    given.githubOrganizations !== undefined &&
      !knowsOrganizations &&
      'members.githubOrganizations is set, but identityProvider is not GitHub: set identityProvider to "github", or set members.groups and its claim identityProvider.fields.groups',
    given.emailDomains !== undefined &&
      provider?.scope !== undefined &&
      !/\bemails?\b/.test(provider.scope) &&
      `members.emailDomains is set, and identityProvider.scope is ${quote(provider.scope)}, which does not request the e-mail address: add "email"`,
  ];
}

/** An attribute of SCIM users, and the claim with the same value in the ID token or the userinfo response. */
export const scim = z
  .strictObject(
    {
      match: z.enum(["userName", "externalId"], 'use "userName" or "externalId"'),
      /** Claim to match, such as `oid` or `sub`. Required for `externalId`. @default - the user name, or a verified e-mail address */
      claim: z.optional(text(/\S/, 'use the name of a claim, such as "oid"')),
    },
    'use a value such as { match: "externalId", claim: "oid" }',
  )
  .refine(({ match, claim }) => match === "userName" || claim !== undefined, {
    path: ["claim"],
    message: 'set the claim whose value equals externalId, such as "oid"',
  });
