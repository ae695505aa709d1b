import type { IdentityFields, SecretScanMode, TrustedRepository } from "../functions/core/environment.ts";
import type { EventKind } from "../functions/events/event.ts";
import type { VisibilityKind } from "../functions/identity/visibility.ts";

/** Region of CloudFront's certificates, firewalls and metrics. */
export const edgeRegion = "us-east-1";

/** Settings of an operator, as in `settings.ts` at the root of the project. All have defaults. */
export interface Settings {
  /**
   * Base URL of the service: scheme and host, such as `https://drops.example.com`.
   *
   * @default - CloudFront's name of the distribution, with owners below `/@<namespace>/`
   */
  readonly baseUrl?: string;
  /**
   * The domain of owners' hosts: `https://<namespace>.<baseDomain>/`. Needs `baseUrl`.
   *
   * @default - the host of `baseUrl`; without `baseUrl`, owners have no hosts
   */
  readonly baseDomain?: string;
  /**
   * The public zone of Amazon Route 53 that holds the base URL's host. The stack puts its records and those of its
   * certificate into it. Needs `baseUrl` with https.
   *
   * @default - the operator keeps the records, and brings `certificateArn`
   */
  readonly hostedZone?: HostedZoneSettings;
  /**
   * The same for `baseDomain`, where it does not lie in `hostedZone`.
   *
   * @default - `hostedZone`
   */
  readonly baseDomainHostedZone?: HostedZoneSettings;
  /**
   * A certificate of AWS Certificate Manager in us-east-1 for the base URL's host and for `*.<baseDomain>`. Needs
   * `baseUrl` with https.
   *
   * @default - one that the stack makes, which `hostedZone` validates
   */
  readonly certificateArn?: string;
  /**
   * Identity provider of the sign-in. The client id and secret are never here: they go into the secret whose ARN is
   * an output of the stack, as `{"client_id": "…", "client_secret": "…"}`.
   *
   * @default "github"
   */
  readonly identityProvider?: IdentityProvider;
  /**
   * Rules of who may publish, by the identity provider's facts, besides people whom the operator adds (`npm run operator --
   * members add`); docs/members.md has examples. `"anyone"` admits everybody who can sign in.
   *
   * @default - nobody
   */
  readonly members?: "anyone" | MemberSettings;
  /**
   * Matches the people of a SCIM directory with sign-ins: docs/members.md, "Provision with SCIM". Nothing is provisioned before the
   * operator has created a token (`npm run operator -- scim-token create`).
   *
   * @default - SCIM's `userName` is the user name at the identity provider, or a verified e-mail address
   */
  readonly scim?: ScimSettings;
  /**
   * `production` keeps table, buckets and secrets when the stack goes; `throwaway` deletes them (buckets only when
   * they are empty).
   *
   * @default "production"
   */
  readonly stage?: Stage;
  /**
   * E-mail address for the alarms. Amazon SNS asks it once for confirmation.
   *
   * @default - none: the alarms go to a topic that others can subscribe to
   */
  readonly alarmEmail?: string;
  /**
   * An unusual rise of the stack's cost by at least so many dollars is told to the alarms' topic. It needs the account's
   * Cost Explorer and its cost allocation tag `dropleaf:stack`, both turned on by hand: docs/deployment.md, "Alarms".
   *
   * @default - no alarm for the cost
   */
  readonly costAnomalyDollars?: number;
  /**
   * Limit of the stack's cost in a calendar month, in dollars. The alarms' topic is notified when the cost exceeds
   * it, or will by AWS's forecast; nothing is stopped. It needs the cost allocation tag, as `costAnomalyDollars`
   * does.
   *
   * @default - no budget
   */
  readonly monthlyBudgetDollars?: number;
  /**
   * Creates a CloudWatch dashboard with the stack's name: requests, latencies, refusals, events, storage and alarms.
   * It costs 3 dollars a month; alarms and logs exist without it.
   *
   * @default false
   */
  readonly dashboard?: boolean;
  /**
   * Server for request bodies of more than 3 MB or of unknown length, which API Gateway and Lambda cannot take: large
   * files, and pages that are long in JSON. `webfunction` is a Lambda Web Function, which runs only while it has requests
   * and is not available in every region; an object sets its rate limit. `none` refuses such bodies, and large files take
   * `POST /api/blobs/uploads`.
   *
   * @default "webfunction"
   */
  readonly ingest?: "webfunction" | "none" | IngestLimit;
  /**
   * Traces requests through API and functions with AWS X-Ray. It samples one request a second and one in twenty of
   * the others, at 5 dollars a million; in a quiet service that is every request, and its largest cost.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * AWS WAF before the edge: it answers 429 to an address that sends more requests in 5 minutes than this. `true` is
   * 3,000. It costs about 7 dollars a month, and 60 cents for a million requests.
   *
   * @default false
   */
  readonly waf?: boolean | FirewallLimit;
  /**
   * Reserved concurrency of the viewer, and the same of pages; every other function for visitors, such as gates,
   * owners' pages and documents, gets a twentieth. AWS reserves it in the account and allows no more. The account
   * needs 100 further executions; a new one has 10 in all.
   *
   * @default - unreserved; API Gateway's throttling leaves executions for others
   */
  readonly visitorConcurrencyMax?: number;
  /**
   * A vault of AWS Backup in another account or Region. It gets a copy of the table and the buckets every day, for 35 days: what the account or
   * the Region loses is restored from there. docs/runbook.md, "Restore from another account or Region".
   *
   * @default - the table's and the buckets' own history of 35 days is all there is
   */
  readonly backupVaultArn?: string;
  /**
   * The number of functions that AWS Lambda runs at once in the account, as `npm run operator -- preflight` says it. It bounds what may hold
   * functions for long, so that readers find one free: a tenth of it for agents that wait for comments, a fiftieth for webhooks.
   *
   * @default 10, the limit of a new account
   */
  readonly concurrentExecutions?: number;
  /**
   * Calls the functions that readers and agents wait for every so many minutes, from 1 to 60, so that AWS keeps one environment
   * of each; `true` means 5. A second request at the same time still waits for a cold start. It costs some cents a month:
   * docs/cost.md.
   *
   * @default false
   */
  readonly keepWarm?: boolean | number;
  /**
   * Requests that API Gateway takes in a day, from 1,000 to 1,000,000,000. It refuses more with 429 until midnight UTC. This bounds what
   * API Gateway and the functions behind it cost, but not CloudFront, which charges for every request: docs/cost.md. Responses from the
   * edge's cache do not count. AWS calls this quota a target, not a guarantee.
   *
   * @default 500,000
   */
  readonly requestsPerDayMax?: number;
  /**
   * Numbers of the secrets in use between the edge and its origins: a new number is a new secret.
   * docs/runbook.md, "Rotate the origin secret", says how to change it without refusing a request.
   *
   * @default { sent: 1, accepted: [1] }
   */
  readonly originSecrets?: OriginSecrets;
  /**
   * Contact for reports of vulnerabilities: `mailto:security@example.com`, or the https address of a form. It is served in
   * `/.well-known/security.txt`.
   *
   * @default - there is no security.txt
   */
  readonly securityContact?: string;
  /**
   * Default visibility of drops and files: `public`, `unlisted` (anybody with the URL, which the owner's page does not list),
   * `members`, or `people`, with which publishers must name the readers.
   *
   * @default - `mostOpenVisibility`
   */
  readonly defaultVisibility?: VisibilityKind;
  /**
   * The most open that a drop or file may be, in the same order. One that is more open already stays as it is until it is written: then it
   * must be made less.
   *
   * @default "public"
   */
  readonly mostOpenVisibility?: VisibilityKind;
  /**
   * Days after which a drop expires that is published without an expiry, 1 to 3,650. Existing drops keep theirs.
   *
   * @default - never; with `maxExpiryDays`, publishers must say
   */
  readonly defaultExpiryDays?: number;
  /**
   * Latest expiry of a drop in days from the call that sets it, 1 to 3,650. A drop that never expires is refused then. Existing drops
   * keep theirs.
   *
   * @default - 3,650, or never
   */
  readonly maxExpiryDays?: number;
  /**
   * Lifetime of a token in days, from 1 to 3,650. Its owner signs in again afterwards. It applies to existing tokens
   * from their creation.
   *
   * @default - until it is revoked
   */
  readonly tokenDaysMax?: number;
  /**
   * Tokens of an account, from 1 to 100. Each has write limits of its own, so that this bounds an account's writes.
   * Existing tokens stay.
   *
   * @default 100
   */
  readonly tokensPerAccountMax?: number;
  /**
   * Bytes of pages of an account, of all versions and without contexts: at least 2,097,152, one page of the largest
   * size. Existing pages stay.
   *
   * @default 10,737,418,240, which is 10 GiB
   */
  readonly pageBytesMax?: number;
  /**
   * Length of a reader's session in hours, from 1 to 720. Access is checked with each view, so that this bounds only
   * how often readers sign in.
   *
   * @default 12
   */
  readonly readerSessionHours?: number;
  /**
   * Lets MCP clients get tokens by an assertion of the company's identity provider, without a consent page: docs/mcp.md,
   * "Managed by your company".
   *
   * @default - clients ask each person
   */
  readonly enterpriseAuthorization?: EnterpriseAuthorization;
  /**
   * Repositories whose workflows publish with GitHub's ID token in place of a stored one: docs/github-action.md.
   *
   * @default - workflows need a token
   */
  readonly githubActions?: GitHubActionsSettings;
  /**
   * Retention of the audit trail in days, from 1 to 3,650: who wrote or signed in, when, and the ids of what was
   * changed (docs/security.md, "The audit trail"). Existing lines keep their time.
   *
   * @default 400
   */
  readonly auditDays?: number;
  /**
   * Number of a drop's versions that are kept, at least 1: the newest ones. Older ones are deleted when another is published;
   * `npm run operator -- retention` deletes those of drops that are not published again.
   *
   * @default - all versions are kept
   */
  readonly keepVersions?: number;
  /**
   * Records who opened a drop that is for members or named people, once per reader and day, for its owner to see, and tells readers when
   * they sign in: docs/readers.md, "Who has read it". Reads are kept for `auditDays`.
   *
   * @default false
   */
  readonly readTrail?: boolean;
  /**
   * Scan of pages, contexts, Markdown and text files for secrets before they are stored. `warn` names the places in the response; `refuse`
   * stores nothing unless the request has a reason, `allow_secrets`, which the audit trail keeps: docs/your-pages.md.
   *
   * @default "warn"
   */
  readonly secretScan?: SecretScanMode;
  /**
   * Days for which a deleted drop lies in the trash, from 0 to 365. Its owner can bring it back, nobody can read it, and its bytes
   * count until it is purged. 0 deletes at once. What is in the trash keeps its time: docs/your-pages.md.
   *
   * @default 7
   */
  readonly trashDays?: number;
  /**
   * Renders each new version in the stack's browser: a card for links, a thumbnail for lists, and on request pictures
   * and a report for the owner: docs/cost.md, "Rendering".
   *
   * @default true
   */
  readonly renders?: boolean;
  /**
   * Concurrent renders, from 1 to 10. A render run takes as many of the account's concurrent executions and one more.
   * `npm run operator -- preflight` recommends a number.
   *
   * @default 1
   */
  readonly renderConcurrency?: number;
  /**
   * Addresses that receive events about drops, signed by Standard Webhooks, with ids and no content: docs/events.md. Five at
   * most. They cost 26 cents a month together, and a little for each event: docs/cost.md, "Webhooks".
   *
   * @default - none; the account's event bus gets events in any case
   */
  readonly webhooks?: readonly WebhookSettings[];
  /**
   * The region of the stack. CloudFront takes certificates and firewalls of us-east-1 only, and its metrics are there:
   * elsewhere the service needs `certificateArn` or no domain, and has neither `waf` nor alarms about the edge.
   *
   * @default "us-east-1"
   */
  readonly region?: string;
  /**
   * The stack's name in CloudFormation: 40 characters at most, because names of functions begin with it.
   *
   * @default "Dropleaf"
   */
  readonly stackName?: string;
}

/** Default of `requestsPerDayMax`. */
export const requestsPerDayDefault = 500_000;

/** Recognizes settings of a stack that renders pages. */
export function areRendered({ renders = true }: Pick<Settings, "renders">): boolean {
  return renders;
}

/** The smallest rate that AWS Lambda has: twice what one of the server's environments accepts by itself. */
const ingestLimitDefault: IngestLimit = { requestsPerSecondMax: 100 };

/** Limit of the server for large request bodies; undefined without the server. */
export function ingestLimitOf({ ingest = "webfunction" }: Pick<Settings, "ingest">): IngestLimit | undefined {
  if (ingest === "none") return undefined;
  return ingest === "webfunction" ? ingestLimitDefault : ingest;
}

/** The most versions that one worker renders at once: each may bring it 6 MB of pictures, and it has 512 MB. */
export const renderConcurrencyMax = 10;

/** Recognizes settings of a stack with webhooks. */
export function hasWebhooks({ webhooks = [] }: Pick<Settings, "webhooks">): boolean {
  return webhooks.length > 0;
}

/** An address that is told what happens. */
export interface WebhookSettings {
  /** https, on the public internet, such as `https://hooks.example.com/dropleaf`. */
  readonly url: string;
  /**
   * The kinds that it is told of, such as `drop.published`.
   *
   * @default - all
   */
  readonly events?: readonly EventKind[];
}

/** Sets of people who may publish. One of them is enough. */
export interface MemberSettings {
  /**
   * Domains of e-mail addresses, such as `example.com`, which is no other name below it. An address counts where the
   * identity provider says that it is verified.
   *
   * @default - none
   */
  readonly emailDomains?: readonly string[];
  /**
   * Organizations at GitHub, by the names in their addresses, such as `example-inc`.
   *
   * @default - none
   */
  readonly githubOrganizations?: readonly string[];
  /**
   * Groups, exactly as the claim of `identityProvider.fields.groups` has them, such as `publishers`.
   *
   * @default - none
   */
  readonly groups?: readonly string[];
}

/** An attribute of SCIM users, and the claim of the ID token or the userinfo response that has the same value. */
export interface ScimSettings {
  readonly match: "userName" | "externalId";
  /**
   * Such as `oid` or `sub`. Needed for `externalId`.
   *
   * @default - the user name or a verified address
   */
  readonly claim?: string;
}

/** The numbers of the secret that the edge sends, and of those that API Gateway and the ingest server accept. */
export interface OriginSecrets {
  readonly sent: number;
  readonly accepted: readonly number[];
}

/** Issuer of identity assertions for MCP clients (ID-JAG). */
export interface EnterpriseAuthorization {
  /** The issuer of `identityProvider`, so that a person has one account. */
  readonly issuer: string;
}

/** Trust in workflows of GitHub Actions. */
export interface GitHubActionsSettings {
  /** From 1 to 20. */
  readonly repositories: readonly TrustedRepository[];
  /**
   * Issuer of ID tokens, for GitHub Enterprise Server and enterprises with an issuer of their own.
   *
   * @default "https://token.actions.githubusercontent.com"
   */
  readonly issuer?: string;
}

/** A public zone of Amazon Route 53. */
export interface HostedZoneSettings {
  /** Such as `Z0123456789ABCDEFGHIJ`. */
  readonly id: string;
  /** Such as `example.com`. */
  readonly name: string;
}

/** Limit of the firewall for one network address. */
export interface FirewallLimit {
  /** From 10 to 2,000,000,000. */
  readonly requestsPer5MinutesPerAddress: number;
}

/** Limit of the server for large request bodies. */
export interface IngestLimit {
  /** 100 to 1,000 in steps of 100, or 2,000 to 10,000 in steps of 1,000. A Region may have fewer of these. */
  readonly requestsPerSecondMax: number;
}

/** Stage of the stack: its data is retained in production. */
export type Stage = "production" | "throwaway";

/** GitHub, an OpenID Connect issuer, or any OAuth 2.0 provider with a userinfo endpoint. */
export type IdentityProvider = "github" | OpenIdConnectProvider | OAuthProvider;

/** A provider that describes itself at `<issuer>/.well-known/openid-configuration`. */
export interface OpenIdConnectProvider {
  readonly kind: "oidc";
  /** `https://accounts.example.com`, exactly as the provider's tokens say it. */
  readonly issuer: string;
  /** @default "openid profile email" */
  readonly scope?: string;
  /** @default - `sub` and `preferred_username`; nobody has groups */
  readonly fields?: Partial<IdentityFields>;
}

/** A provider that does not describe itself. */
export interface OAuthProvider {
  readonly kind: "oauth2";
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string;
  /**
   * GitHub's endpoint of a person's addresses; GitHub Enterprise Server has it at `/api/v3/user/emails`.
   *
   * @default - only an address that the userinfo response marks as verified (`email`, `email_verified`)
   */
  readonly emailsEndpoint?: string;
  /**
   * GitHub's endpoint of organization memberships, to which the organization's name is added; GitHub Enterprise
   * Server has it at `/api/v3/user/memberships/orgs`.
   *
   * @default - `members.githubOrganizations` cannot be set
   */
  readonly membershipsEndpoint?: string;
  readonly scope: string;
  readonly fields: IdentityFields;
}
