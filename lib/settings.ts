import * as z from "zod";
import {
  concurrentExecutionsDefault,
  readerSessionHoursMax,
  secretScanModes,
  trashDaysMax,
} from "../functions/core/environment.ts";
import { limits } from "../functions/core/limits.ts";
import { visibilityKinds } from "../functions/policies/access.ts";
import { administrators } from "./settings/administrator-settings.ts";
import { certificateArn, hostedZone, lowerCaseDomain, originOfService } from "./settings/domain-settings.ts";
import { embedding } from "./settings/embedding-settings.ts";
import { githubActions } from "./settings/github-actions-settings.ts";
import { enterpriseAuthorization, identityProvider } from "./settings/identity-provider-settings.ts";
import { members, scim } from "./settings/member-settings.ts";
import { firewall, ingest, originSecrets, region, stackName } from "./settings/operating-settings.ts";
import { choice, days, dollars, onOrOff, text, wholeNumber } from "./settings/setting-kinds.ts";
import { teams } from "./settings/team-settings.ts";
import { webhooks } from "./settings/webhook-settings.ts";

/** Region where AWS keeps CloudFront's certificates, firewalls and metrics. */
export const edgeRegion = "us-east-1";

/**
 * Maximum number of versions that one worker renders concurrently. The number is limited, because each render may return 6 MB of
 * screenshots, and the worker has 512 MB of memory.
 */
export const renderConcurrencyMax = 10;

/** The operator's settings, in `settings.ts` at the root of the project. Every setting has a default. */
export const settingsSchema = z.strictObject({
  /**
   * Base URL of the service: scheme and host, such as `https://drops.example.com`.
   *
   * @default - the CloudFront distribution's domain name, with owners below `/@<namespace>/`
   */
  baseUrl: z.optional(originOfService),
  /**
   * Parent domain of the owners' hosts: each owner has `https://<namespace>.<baseDomain>/`. Requires `baseUrl`.
   *
   * @default - the host of `baseUrl`; without `baseUrl`, owners have paths instead of hosts
   */
  baseDomain: z.optional(lowerCaseDomain),
  /**
   * Public Amazon Route 53 zone that contains the base URL's host. The stack adds the host's DNS records and the certificate's validation
   * records to the zone. Requires `baseUrl` with https.
   *
   * @default - the operator manages the records, and sets `certificateArn`
   */
  hostedZone: z.optional(hostedZone),
  /** Public Amazon Route 53 zone that contains `baseDomain`, if `baseDomain` is not in `hostedZone`. @default - `hostedZone` */
  baseDomainHostedZone: z.optional(hostedZone),
  /**
   * ARN of an AWS Certificate Manager certificate in us-east-1 for the base URL's host and for `*.<baseDomain>`. Requires `baseUrl` with
   * https.
   *
   * @default - the stack creates a certificate and validates it through DNS records in `hostedZone`
   */
  certificateArn: z.optional(certificateArn),
  /**
   * Identity provider for sign-in. Never write the client id and secret here. Write `{"client_id": "…", "client_secret": "…"}` to the SSM
   * parameter that the stack output `IdentityProviderParameter` names.
   *
   * @default "github"
   */
  identityProvider: z.optional(identityProvider),
  /**
   * Rules for who may publish, based on data from the identity provider. People whom the operator adds (`npm run operator -- members add`)
   * may publish in any case. `"anyone"` admits everyone who can sign in. docs/members.md has examples.
   *
   * @default - only people whom the operator adds
   */
  members: z.optional(members),
  /**
   * Attribute and claim that link a SCIM user to a sign-in; see "Provision with SCIM" in docs/members.md. Nothing is provisioned until the
   * operator has created a token (`npm run operator -- scim-token create`).
   *
   * @default - the SCIM `userName` must match the user name at the identity provider, or a verified e-mail address
   */
  scim: z.optional(scim),
  /**
   * Stage of the stack. `production` keeps the table, buckets and secrets when the stack is deleted. `throwaway` deletes them, except for
   * buckets that are not empty.
   *
   * @default "production"
   */
  stage: z.optional(choice(["production", "throwaway"])),
  /**
   * E-mail address that receives the alarms. Amazon SNS sends a confirmation request to the address once.
   *
   * @default - no e-mail; you can subscribe to the SNS topic that receives the alarms
   */
  alarmEmail: z.optional(
    text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'use an address such as "operators@example.com"'),
  ),
  /**
   * Threshold for cost anomalies of the stack, in dollars. The alarm topic is notified of anomalies above the threshold. Requires two steps
   * by hand, once for the account: turn on Cost Explorer, and activate the cost allocation tag `dropleaf:stack`; see "Alarms" in
   * docs/deployment.md.
   *
   * @default - no alarm
   */
  costAnomalyDollars: z.optional(dollars),
  /**
   * Monthly budget for the stack, in dollars. The alarm topic is notified when the actual or forecast cost exceeds the budget. Nothing is
   * stopped. Requires the cost allocation tag, like `costAnomalyDollars`.
   *
   * @default - no budget
   */
  monthlyBudgetDollars: z.optional(dollars),
  /**
   * Creates a CloudWatch dashboard that is named after the stack. The dashboard shows requests, latencies, refusals, events, storage and
   * alarms, and costs 3 dollars a month. Alarms and logs do not depend on the dashboard.
   *
   * @default false
   */
  dashboard: z.optional(onOrOff),
  /**
   * Server for request bodies that are larger than 3 MB or of unknown length, such as large files, or pages that become large as JSON. API
   * Gateway and Lambda do not accept such bodies. `webfunction` creates a Lambda Web Function, which runs only while it has requests and is
   * not available in every Region. An object also sets the function's rate limit. `none` refuses large bodies, so that large files must be
   * uploaded through `POST /api/blobs/uploads`.
   *
   * @default "webfunction"
   */
  ingest: z.optional(ingest),
  /**
   * Traces requests through the API and the functions with AWS X-Ray. X-Ray traces one request a second and 5 % of the others, and costs 5
   * dollars per million traces. In a service with little traffic, every request is traced, and tracing is the largest cost.
   *
   * @default false
   */
  tracing: z.optional(onOrOff),
  /**
   * Adds an AWS WAF firewall in front of CloudFront. The firewall responds 429 to a network address that exceeds the maximum number of
   * requests in 5 minutes. `true` sets the maximum to 3,000. The firewall costs about 7 dollars a month, and 60 cents per million requests.
   *
   * @default false
   */
  waf: z.optional(firewall),
  /**
   * Reserved concurrency of the function for the viewer, and of the function for raw pages. The function for files of folders reserves a
   * sixth of this number, and each other function for visitors a twenty-fourth or less. AWS reserves the concurrency in the account, and a
   * function cannot exceed its reservation. AWS requires 100 units of the account's concurrency to stay unreserved. A new account has 10
   * units in all.
   *
   * @default - nothing is reserved; API Gateway's throttling leaves concurrency for other functions
   */
  visitorConcurrencyMax: z.optional(wholeNumber({ min: 1, example: 300 })),
  /**
   * ARN of an AWS Backup vault in another account or Region. The vault receives a copy of the table and the buckets every day, and keeps
   * each copy for 35 days. If an account or Region is lost, the service can be restored from the vault; see "Restore from another account
   * or Region" in docs/runbook.md.
   *
   * @default - no copies elsewhere; the table and the pages keep their own history for 35 days, files for 7
   */
  backupVaultArn: z.optional(
    text(
      // Format of a backup vault's ARN; see "Copying backups across AWS accounts", AWS Backup developer guide.
      /^arn:aws(-[a-z]+)*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/,
      'use the ARN of a vault in another account or Region, such as "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf"',
    ),
  ),
  /**
   * The account's limit of concurrent Lambda executions, as reported by `npm run operator -- preflight`. Long-running functions get only a
   * share of the limit, so that concurrency is left for readers. Agents that wait for comments use at most a tenth, and webhooks a
   * fiftieth.
   *
   * @default 10, the limit of a new account
   */
  concurrentExecutions: z.optional(wholeNumber({ min: concurrentExecutionsDefault, example: 1000 })),
  /**
   * Interval, in minutes from 1 to 60, of calls that keep functions warm. Applies to the functions that readers and agents wait for. `true`
   * means 5. One execution environment of each function stays warm, so a second concurrent request still waits for a cold start. The calls
   * cost a few cents a month; see docs/cost.md.
   *
   * @default false
   */
  keepWarm: z.optional(
    z.union(
      [z.boolean(), wholeNumber({ of: "minutes", max: 60 })],
      "use true, false or a whole number of minutes from 1 to 60",
    ),
  ),
  /**
   * Maximum number of requests that API Gateway accepts per day, from 1,000 to 1,000,000,000. API Gateway refuses further requests with 429
   * until midnight UTC. The limit bounds the cost of API Gateway and of the functions behind it. The limit does not bound the cost of
   * CloudFront, which charges for every request; see docs/cost.md. Responses from CloudFront's cache do not count. AWS calls this quota a
   * target, not a guarantee.
   *
   * @default 500,000
   */
  requestsPerDayMax: z.optional(wholeNumber({ of: "requests", min: 1_000, max: 1_000_000_000 })),
  /**
   * Numbers of the origin secrets: the secret that the edge sends to its origins, and the secrets that the origins accept. A new number
   * creates a new secret. To rotate the secret without refusing requests, see "Rotate the origin secret" in docs/runbook.md.
   *
   * @default { sent: 1, accepted: [1] }
   */
  originSecrets: z.optional(originSecrets),
  /**
   * Contact for vulnerability reports: `mailto:security@example.com`, or the https URL of a form. The contact is published in
   * `/.well-known/security.txt`.
   *
   * @default - no security.txt
   */
  securityContact: z.optional(
    text(
      // An https or mailto URI (RFC 9116, section 2.5.3). The length is limited, because the contact is in the environment of many
      // functions.
      /^(?=.{1,200}$)(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/,
      'use a value such as "mailto:security@example.com" or "https://example.com/security", with at most 200 characters',
    ),
  ),
  /**
   * Default visibility of drops and files. `public`: anyone can read them, and the owner's page lists them. `unlisted`: anyone with the URL
   * can read them. `members`: members can read them. `people`: only readers whom the publisher names can read them.
   *
   * @default - `mostOpenVisibility`
   */
  defaultVisibility: z.optional(choice(visibilityKinds)),
  /**
   * Most open visibility that a drop or file may have. The order from open to restricted is `public`, `unlisted`, `members`, `people`.
   * Existing drops and files that are more open keep their visibility until their next write, which must restrict it.
   *
   * @default "public"
   */
  mostOpenVisibility: z.optional(choice(visibilityKinds)),
  /**
   * Number of days until a drop expires if it is published without an expiry, from 1 to 3,650. Existing drops keep their expiry.
   *
   * @default - such drops never expire; with `maxExpiryDays`, publishers must set an expiry
   */
  defaultExpiryDays: z.optional(days),
  /**
   * Maximum time until a drop expires, in days from the request that sets the expiry, from 1 to 3,650. With this setting, drops that never
   * expire are refused. Existing drops keep their expiry.
   *
   * @default - 3,650 days; drops that never expire are allowed
   */
  maxExpiryDays: z.optional(days),
  /**
   * Lifetime of a token in days, from 1 to 3,650, counted from the token's creation. Afterwards its owner must sign in again. The lifetime
   * also applies to existing tokens.
   *
   * @default - tokens are valid until they are revoked
   */
  tokenDaysMax: z.optional(days),
  /**
   * Maximum number of tokens per account, from 1 to 100. Each token has its own write limits, so this setting also limits the account's
   * writes. Existing tokens stay valid.
   *
   * @default 100
   */
  tokensPerAccountMax: z.optional(wholeNumber({ max: limits.tokensPerAccountMax })),
  /**
   * Maximum total size of an account's pages, in bytes. Includes all versions, but not their contexts. The minimum is 2,097,152, the
   * maximum size of one page. Existing pages are kept.
   *
   * @default 10,737,418,240 (10 GiB)
   */
  pageBytesMax: z.optional(
    wholeNumber({ of: "bytes", min: limits.htmlBytesMax, example: limits.pageBytesPerAccountMax }),
  ),
  /**
   * Length of a reader's session in hours, from 1 to 720. The length only decides how often readers sign in, because access is checked on
   * every view.
   *
   * @default 12
   */
  readerSessionHours: z.optional(wholeNumber({ of: "hours", max: readerSessionHoursMax })),
  /**
   * Lets MCP clients exchange an identity assertion (ID-JAG) of the company's identity provider for a token, without a consent page; see
   * "Managed by your company" in docs/mcp.md.
   *
   * @default - each person consents for each client
   */
  enterpriseAuthorization: z.optional(enterpriseAuthorization),
  /**
   * Repositories whose workflows may publish with GitHub's ID token instead of a stored token; see docs/github-action.md.
   *
   * @default - workflows need a stored token
   */
  githubActions: z.optional(githubActions),
  /**
   * Retention of audit entries in days, from 1 to 3,650. An entry records who wrote or signed in, when, and the ids of the changed items;
   * see "The audit trail" in docs/security.md. Existing entries keep their expiry.
   *
   * @default 400
   */
  auditDays: z.optional(days),
  /**
   * Sends each audit entry to the account's default event bus as `audit.recorded`, for example for a SIEM; see docs/events.md.
   *
   * @default false
   */
  auditEvents: z.optional(onOrOff),
  /**
   * Lets readers answer forms with the attribute `data-answers`. With `false`, such forms stay unchanged, and owners cannot turn answers on
   * for a drop. Owners can still read stored answers.
   *
   * @default true
   */
  answers: z.optional(onOrOff),
  /**
   * Retention of readers' answers in days, from 1 to 3,650. Answers that are already stored keep their expiry.
   *
   * @default - answers are kept as long as their drop
   */
  answerDays: z.optional(days),
  /**
   * Lets a signed-in person ask for access to a page that is not available to them, at most three times a day. The page's owner sees the
   * request for 30 days; see "Asking for access" in docs/readers.md.
   *
   * @default false
   */
  accessRequests: z.optional(onOrOff),
  /**
   * People who may create a team, which is an account that several people publish for. `operator` restricts creation to
   * `npm run operator -- teams add`. `members` lets everyone who may publish create up to 10 teams. An object can also set `leavers`:
   * people, written like a drop's readers, who may move the drops of removed or deactivated owners into a team of their own.
   *
   * @default "operator"
   */
  teams: z.optional(teams),
  /**
   * People who may use the pages at `/admin`: e-mail addresses that the identity provider has verified, and groups (`group:…`).
   * Administrators must also be members; see "Administrators" in docs/runbook.md.
   *
   * @default - only operators with AWS credentials can administer the service
   */
  administrators: z.optional(administrators),
  /**
   * Number of newest versions that each drop keeps, from 1 to 200. Publishing deletes older versions. For drops that are not published
   * again, `npm run operator -- retention` deletes them.
   *
   * @default - all versions are kept
   */
  keepVersions: z.optional(wholeNumber({ of: "versions", max: limits.versionsPerDropMax })),
  /**
   * Records who opened a drop that is restricted to members or named people, once per reader and day. The drop's owner sees the records,
   * and readers are informed when they sign in; see "Who has read it" in docs/readers.md. Records are kept for `auditDays`.
   *
   * @default false
   */
  readTrail: z.optional(onOrOff),
  /**
   * Scans pages, contexts, Markdown and text files for secrets before storing them. `warn` reports the positions in the response. `refuse`
   * refuses the request unless it gives a reason in `allow_secrets`, which is recorded in the audit trail. `off` does not scan. See
   * docs/your-pages.md.
   *
   * @default "warn"
   */
  secretScan: z.optional(choice(secretScanModes)),
  /**
   * Number of days that a deleted drop stays in the trash, from 0 to 365. The owner can restore a drop from the trash. No one can read the
   * drop there, and its bytes count against the account's limit. 0 deletes drops immediately. A new value does not apply to drops that are
   * already in the trash. See docs/your-pages.md.
   *
   * @default 7
   */
  trashDays: z.optional(wholeNumber({ of: "days", min: 0, max: trashDaysMax })),
  /**
   * Renders each new version in a headless browser. A render produces a card for link previews and a thumbnail for lists. On the owner's
   * request, it also produces screenshots and a report; see "Rendering" in docs/cost.md. Projects that use the published package must also
   * install `@dropleaf/renderer`.
   *
   * @default true
   */
  renders: z.optional(onOrOff),
  /**
   * Maximum number of concurrent renders, from 1 to 10. Rendering uses up to this many of the account's concurrent executions, plus one.
   * `npm run operator -- preflight` recommends a number.
   *
   * @default 1
   */
  renderConcurrency: z.optional(wholeNumber({ max: renderConcurrencyMax })),
  /**
   * At most five URLs that receive events about drops. The events are signed according to Standard Webhooks, and contain ids but no
   * content; see docs/events.md. All webhooks together cost 26 cents a month, plus a little for each event; see "Webhooks" in docs/cost.md.
   *
   * @default - no webhooks; the account's event bus receives the events in any case
   */
  webhooks: z.optional(webhooks),
  /**
   * Sites that may show drops in a frame, as exact https origins; see docs/embedding.md. With this setting, the oEmbed responses for drops
   * that anyone may read contain a frame.
   *
   * @default - only the service's own host
   */
  embedding: z.optional(embedding),
  /**
   * Shows a preview card below links that people post in Slack. Requires a Slack app that you install. Never write the app's secrets here;
   * see docs/slack.md.
   *
   * @default false
   */
  slack: z.optional(onOrOff),
  /**
   * AWS Region of the stack. CloudFront accepts certificates and firewalls only from us-east-1, and publishes its metrics there. In another
   * Region, a service with a domain requires `certificateArn`, `waf` is refused, and there are no alarms for the edge.
   *
   * @default "us-east-1"
   */
  region: z.optional(region),
  /**
   * Name of the CloudFormation stack, at most 40 characters. The length is limited, because the names of functions begin with the stack's
   * name.
   *
   * @default "Dropleaf"
   */
  stackName: z.optional(stackName),
});

/** The operator's settings, as written in the settings file. */
export type Settings = Readonly<z.input<typeof settingsSchema>>;

/** Stage of the stack. `production` retains the data of a deleted stack. */
export type Stage = NonNullable<Settings["stage"]>;

/** Rate limit of the server for large request bodies. */
export type IngestLimit = Exclude<NonNullable<Settings["ingest"]>, string>;

/** Default of `requestsPerDayMax`. */
export const requestsPerDayDefault = 500_000;

/** Returns true if the stack renders pages. */
export function areRendered({ renders = true }: Pick<Settings, "renders">): boolean {
  return renders;
}

/** Default rate limit, which is the smallest that AWS Lambda supports. One execution environment serves half of this rate. */
const ingestLimitDefault: IngestLimit = { requestsPerSecondMax: 100 };

/** Returns the rate limit of the server for large request bodies, or undefined if large bodies are refused. */
export function ingestLimitOf({ ingest = "webfunction" }: Pick<Settings, "ingest">): IngestLimit | undefined {
  if (ingest === "none") return undefined;
  return ingest === "webfunction" ? ingestLimitDefault : ingest;
}

/** Returns true if webhooks are configured. */
export function hasWebhooks({ webhooks = [] }: Pick<Settings, "webhooks">): boolean {
  return webhooks.length > 0;
}
