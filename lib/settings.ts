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

/** Region of CloudFront's certificates, firewalls and metrics. */
export const edgeRegion = "us-east-1";

/** Maximum of versions that one worker renders concurrently: each may return 6 MB of pictures, and the worker has 512 MB. */
export const renderConcurrencyMax = 10;

/** Settings of an operator, as in `settings.ts` at the root of the project. All have defaults. */
export const settingsSchema = z.strictObject({
  /**
   * Base URL of the service: scheme and host, such as `https://drops.example.com`.
   *
   * @default - CloudFront's name of the distribution, with owners below `/@<namespace>/`
   */
  baseUrl: z.optional(originOfService),
  /**
   * The domain of owners' hosts: `https://<namespace>.<baseDomain>/`. Needs `baseUrl`.
   *
   * @default - the host of `baseUrl`; without `baseUrl`, owners have no hosts
   */
  baseDomain: z.optional(lowerCaseDomain),
  /**
   * The public zone of Amazon Route 53 that holds the base URL's host. The stack puts its records and those of its certificate into it.
   * Needs `baseUrl` with https.
   *
   * @default - the operator manages the records, and sets `certificateArn`
   */
  hostedZone: z.optional(hostedZone),
  /**
   * The same for `baseDomain`, if it is not in `hostedZone`.
   *
   * @default - `hostedZone`
   */
  baseDomainHostedZone: z.optional(hostedZone),
  /**
   * A certificate of AWS Certificate Manager in us-east-1 for the base URL's host and for `*.<baseDomain>`. Needs
   * `baseUrl` with https.
   *
   * @default - the stack creates one, which `hostedZone` validates
   */
  certificateArn: z.optional(certificateArn),
  /**
   * Identity provider of the sign-in. The client id and secret are never here: they go into the secret whose ARN is
   * an output of the stack, as `{"client_id": "…", "client_secret": "…"}`.
   *
   * @default "github"
   */
  identityProvider: z.optional(identityProvider),
  /**
   * Rules of who may publish, by the identity provider's facts, besides people whom the operator adds (`npm run operator -- members add`);
   * docs/members.md has examples. `"anyone"` admits anyone who can sign in.
   *
   * @default - only people whom the operator adds
   */
  members: z.optional(members),
  /**
   * Matches the people of a SCIM directory with sign-ins: docs/members.md, "Provision with SCIM". Nothing is provisioned before the
   * operator has created a token (`npm run operator -- scim-token create`).
   *
   * @default - SCIM's `userName` is the user name at the identity provider, or a verified e-mail address
   */
  scim: z.optional(scim),
  /**
   * `production` keeps table, buckets and secrets when the stack is deleted; `throwaway` deletes them (buckets only when they are empty).
   *
   * @default "production"
   */
  stage: z.optional(choice(["production", "throwaway"])),
  /**
   * E-mail address for the alarms. Amazon SNS sends it one request for confirmation.
   *
   * @default - none: the alarms go to a topic that others can subscribe to
   */
  alarmEmail: z.optional(
    text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'write an address such as "operators@example.com"'),
  ),
  /**
   * Threshold in dollars above which an unusual rise of the stack's cost is reported to the alarms' topic. It needs the account's Cost
   * Explorer and its cost allocation tag `dropleaf:stack`, both turned on by hand: docs/deployment.md, "Alarms".
   *
   * @default - no alarm
   */
  costAnomalyDollars: z.optional(dollars),
  /**
   * Limit of the stack's cost in a calendar month, in dollars. The alarms' topic is notified when the cost exceeds
   * it, or will by AWS's forecast; nothing is stopped. It needs the cost allocation tag, as `costAnomalyDollars`
   * does.
   *
   * @default - no budget
   */
  monthlyBudgetDollars: z.optional(dollars),
  /**
   * Creates a CloudWatch dashboard with the stack's name: requests, latencies, refusals, events, storage and alarms.
   * It costs 3 dollars a month; alarms and logs exist without it.
   *
   * @default false
   */
  dashboard: z.optional(onOrOff),
  /**
   * Server for request bodies of more than 3 MB or of unknown length, which API Gateway and Lambda do not accept: large files, and pages
   * that are long in JSON. `webfunction` is a Lambda Web Function, which runs only while it has requests and is not available in every
   * region; an object sets its rate limit. `none` refuses such bodies, and large files need `POST /api/blobs/uploads`.
   *
   * @default "webfunction"
   */
  ingest: z.optional(ingest),
  /**
   * Traces requests through API and functions with AWS X-Ray. It samples one request a second and one in twenty of
   * the others, at 5 dollars a million; in a quiet service that is every request, and its largest cost.
   *
   * @default false
   */
  tracing: z.optional(onOrOff),
  /**
   * AWS WAF before the edge: it responds 429 to an address that sends more requests in 5 minutes than this. `true` is 3,000. It costs about
   * 7 dollars a month, and 60 cents for a million requests.
   *
   * @default false
   */
  waf: z.optional(firewall),
  /**
   * Reserved concurrency of the viewer, and the same of pages; every other function for visitors, such as gates,
   * owners' pages and documents, gets a twentieth. AWS reserves it in the account and allows no more. The account
   * needs 100 further executions; a new one has 10 in all.
   *
   * @default - unreserved; API Gateway's throttling leaves executions for others
   */
  visitorConcurrencyMax: z.optional(wholeNumber({ min: 1, example: 300 })),
  /**
   * A vault of AWS Backup in another account or Region. It gets a copy of the table and the buckets every day, and keeps each for 35 days. A
   * lost account or Region is restored from it: docs/runbook.md, "Restore from another account or Region".
   *
   * @default - only the table's and the buckets' own history of 35 days
   */
  backupVaultArn: z.optional(
    text(
      // AWS Backup developer guide, "Copying backups across AWS accounts": a vault is named by its ARN.
      /^arn:aws(-[a-z]+)*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/,
      'write the ARN of a vault in another account or Region, such as "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf"',
    ),
  ),
  /**
   * The concurrent executions that AWS Lambda allows in the account, as `npm run operator -- preflight` reports it. It limits long-running
   * functions, so that readers find one free: a tenth of it for agents that wait for comments, a fiftieth for webhooks.
   *
   * @default 10, the limit of a new account
   */
  concurrentExecutions: z.optional(wholeNumber({ min: concurrentExecutionsDefault, example: 1000 })),
  /**
   * Interval in minutes, from 1 to 60, at which the functions that readers and agents wait for are called, so that AWS keeps one environment
   * of each; `true` means 5. A second request at the same time still waits for a cold start. It costs some cents a month: docs/cost.md.
   *
   * @default false
   */
  keepWarm: z.optional(
    z.union(
      [z.boolean(), wholeNumber({ of: "minutes", max: 60 })],
      "write true, false or a whole number of minutes from 1 to 60",
    ),
  ),
  /**
   * Requests that API Gateway accepts in a day, from 1,000 to 1,000,000,000. It refuses more with 429 until midnight UTC. This bounds what
   * API Gateway and the functions behind it cost, but not CloudFront, which charges for every request: docs/cost.md. Responses from the
   * edge's cache do not count. AWS calls this quota a target, not a guarantee.
   *
   * @default 500,000
   */
  requestsPerDayMax: z.optional(wholeNumber({ of: "requests", min: 1_000, max: 1_000_000_000 })),
  /**
   * Numbers of the secrets in use between the edge and its origins: a new number is a new secret. docs/runbook.md, "Rotate the origin
   * secret", describes how to change them without refused requests.
   *
   * @default { sent: 1, accepted: [1] }
   */
  originSecrets: z.optional(originSecrets),
  /**
   * Contact for reports of vulnerabilities: `mailto:security@example.com`, or the https address of a form. It is served in
   * `/.well-known/security.txt`.
   *
   * @default - there is no security.txt
   */
  securityContact: z.optional(
    text(
      // RFC 9116, section 2.5.3. It is in the environment of many functions.
      /^(?=.{1,200}$)(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/,
      'write such as "mailto:security@example.com" or "https://example.com/security", in 200 characters at most',
    ),
  ),
  /**
   * Default visibility of drops and files: `public`, `unlisted` (anyone with the URL, which the owner's page does not list),
   * `members`, or `people`, with which publishers must name the readers.
   *
   * @default - `mostOpenVisibility`
   */
  defaultVisibility: z.optional(choice(visibilityKinds)),
  /**
   * The most open visibility of a drop or file, in the same order. Existing ones that are more open stay so until their next write, which
   * must restrict them.
   *
   * @default "public"
   */
  mostOpenVisibility: z.optional(choice(visibilityKinds)),
  /**
   * Days after which a drop expires that is published without an expiry, from 1 to 3,650. Existing drops keep theirs.
   *
   * @default - never; with `maxExpiryDays`, publishers must set one
   */
  defaultExpiryDays: z.optional(days),
  /**
   * Latest expiry of a drop in days from the call that sets it, 1 to 3,650. It also refuses drops that never expire. Existing drops keep
   * theirs.
   *
   * @default - 3,650, or never
   */
  maxExpiryDays: z.optional(days),
  /**
   * Lifetime of a token in days, from 1 to 3,650. Its owner signs in again afterwards. It applies to existing tokens from their creation.
   *
   * @default - tokens are valid until they are revoked
   */
  tokenDaysMax: z.optional(days),
  /**
   * Tokens of an account, from 1 to 100. Each token has its own write limits, so this limits an account's writes. Existing tokens stay.
   *
   * @default 100
   */
  tokensPerAccountMax: z.optional(wholeNumber({ max: limits.tokensPerAccountMax })),
  /**
   * Limit of an account's pages in bytes, all versions, without contexts: at least 2,097,152, one page of the largest size. Existing pages
   * stay.
   *
   * @default 10,737,418,240, which is 10 GiB
   */
  pageBytesMax: z.optional(
    wholeNumber({ of: "bytes", min: limits.htmlBytesMax, example: limits.pageBytesPerAccountMax }),
  ),
  /**
   * Length of a reader's session in hours, from 1 to 720. Access is checked with each view, so this only decides how often readers sign in.
   *
   * @default 12
   */
  readerSessionHours: z.optional(wholeNumber({ of: "hours", max: readerSessionHoursMax })),
  /**
   * Lets MCP clients get tokens by an assertion of the company's identity provider, without a consent page: docs/mcp.md,
   * "Managed by your company".
   *
   * @default - clients ask each person
   */
  enterpriseAuthorization: z.optional(enterpriseAuthorization),
  /**
   * Repositories whose workflows publish with GitHub's ID token instead of a stored one: docs/github-action.md.
   *
   * @default - workflows need a token
   */
  githubActions: z.optional(githubActions),
  /**
   * Retention of the audit trail in days, from 1 to 3,650: who wrote or signed in, when, and the ids of the changed items (docs/security.md,
   * "The audit trail"). Existing lines keep their time.
   *
   * @default 400
   */
  auditDays: z.optional(days),
  /**
   * Sends each line of the audit trail to the account's event bus as `audit.recorded`, for a SIEM: docs/events.md.
   *
   * @default false
   */
  auditEvents: z.optional(onOrOff),
  /**
   * Answers of readers to pages' forms with `data-answers`. `false` turns them off: forms stay as they were written, and no drop
   * can turn answers on. Stored answers stay readable to owners.
   *
   * @default true
   */
  answers: z.optional(onOrOff),
  /**
   * Retention of readers' answers in days, from 1 to 3,650. Answers that are already stored keep their time.
   *
   * @default - answers stay as long as their drop
   */
  answerDays: z.optional(days),
  /**
   * Lets a signed-in person ask for access on the page that says that a page isn't available, at most three times a day. The page's
   * owner sees the request for 30 days: docs/readers.md, "Asking for access".
   *
   * @default false
   */
  accessRequests: z.optional(onOrOff),
  /**
   * People who may create a team, an account that several people publish for. `operator`: only you, by `npm run operator -- teams add`.
   * `members`: anyone who may publish, up to 10 each. The object form also names `leavers`, as readers of a drop: those of them who own a
   * team may move drops into it whose owner was removed or deactivated.
   *
   * @default "operator"
   */
  teams: z.optional(teams),
  /**
   * People who may use the pages at `/admin`: e-mail addresses that the identity provider has verified, and groups (`group:…`). They must be
   * members. docs/runbook.md, "Administrators".
   *
   * @default - only operators with AWS credentials administer the service
   */
  administrators: z.optional(administrators),
  /**
   * Number of a drop's versions that are kept, at least 1: the newest ones. The next publication deletes older ones; `npm run operator --
   * retention` deletes those of drops that are not published again.
   *
   * @default - all versions are kept
   */
  keepVersions: z.optional(wholeNumber({ of: "versions", max: limits.versionsPerDropMax })),
  /**
   * Records who opened a drop that is for members or named people, once per reader and day, for its owner to see, and informs readers when
   * they sign in: docs/readers.md, "Who has read it". Reads are kept for `auditDays`.
   *
   * @default false
   */
  readTrail: z.optional(onOrOff),
  /**
   * Scan of pages, contexts, Markdown and text files for secrets before they are stored. `warn` names the places in the response; `refuse`
   * stores nothing unless the request has a reason, `allow_secrets`, which the audit trail keeps: docs/your-pages.md.
   *
   * @default "warn"
   */
  secretScan: z.optional(choice(secretScanModes)),
  /**
   * Number of days that a deleted drop stays in the trash, from 0 to 365. Its owner can restore it, no one can read it, and its bytes count
   * until it is purged. 0 deletes at once. Drops already in the trash keep their time: docs/your-pages.md.
   *
   * @default 7
   */
  trashDays: z.optional(wholeNumber({ of: "days", min: 0, max: trashDaysMax })),
  /**
   * Renders each new version in the stack's browser: a card for links, a thumbnail for lists, and on request pictures
   * and a report for the owner: docs/cost.md, "Rendering". The published package needs `@dropleaf/renderer` beside it.
   *
   * @default true
   */
  renders: z.optional(onOrOff),
  /**
   * Concurrent renders, from 1 to 10. A render run takes as many of the account's concurrent executions and one more.
   * `npm run operator -- preflight` recommends a number.
   *
   * @default 1
   */
  renderConcurrency: z.optional(wholeNumber({ max: renderConcurrencyMax })),
  /**
   * Addresses that receive events about drops, signed by Standard Webhooks, with ids and no content: docs/events.md. Five at
   * most. They cost 26 cents a month together, and a little for each event: docs/cost.md, "Webhooks".
   *
   * @default - none; the account's event bus gets events in any case
   */
  webhooks: z.optional(webhooks),
  /**
   * Sites that may show drops in a frame, by exact https origins: docs/embedding.md. oEmbed then describes a drop that anyone may read as
   * a frame.
   *
   * @default - only the service's own host
   */
  embedding: z.optional(embedding),
  /**
   * Shows a card beside links that people post in Slack, by an app that you install there: docs/slack.md. Its secrets are never here.
   *
   * @default false
   */
  slack: z.optional(onOrOff),
  /**
   * The region of the stack. CloudFront accepts certificates and firewalls of us-east-1 only, and its metrics are there: elsewhere the
   * service needs `certificateArn` or no domain, and has neither `waf` nor alarms about the edge.
   *
   * @default "us-east-1"
   */
  region: z.optional(region),
  /**
   * The stack's name in CloudFormation: 40 characters at most, because names of functions begin with it.
   *
   * @default "Dropleaf"
   */
  stackName: z.optional(stackName),
});

/** Settings of an operator. */
export type Settings = Readonly<z.input<typeof settingsSchema>>;

/** Stage of the stack: its data is retained in production. */
export type Stage = NonNullable<Settings["stage"]>;

/** Limit of the server for large request bodies. */
export type IngestLimit = Exclude<NonNullable<Settings["ingest"]>, string>;

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

/** Recognizes settings of a stack with webhooks. */
export function hasWebhooks({ webhooks = [] }: Pick<Settings, "webhooks">): boolean {
  return webhooks.length > 0;
}
