import type { EventKind } from "../functions/events/event.ts";
import type { IdentityFields } from "../functions/http/environment.ts";
import type { VisibilityKind } from "../functions/identity/visibility.ts";

/** Where CloudFront takes its certificates and firewalls from, and has its metrics. */
export const edgeRegion = "us-east-1";

/** What an operator may choose; `settings.ts` at the root of the project holds one. Everything has a default. */
export interface Settings {
  /**
   * Where the service lives: scheme and host, such as `https://drops.example.com`.
   *
   * @default - the address that CloudFront gives the distribution, with owners below `/@<namespace>/`
   */
  readonly baseUrl?: string;
  /**
   * The domain under which owners live, as `https://<namespace>.<baseDomain>/`. Needs `baseUrl`.
   *
   * @default - the host of `baseUrl`; where that is not set either, owners have no hosts
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
   * Where people sign in. The client id and secret are never here: they go into the secret whose ARN the stack puts
   * out, as `{"client_id": "…", "client_secret": "…"}`.
   *
   * @default "github"
   */
  readonly identityProvider?: IdentityProvider;
  /**
   * Who may publish beside those whom the operator has let in (`npm run operator -- members add`): whole sets of people, by
   * what the identity provider says of them; docs/members.md has examples. `"anyone"` is whoever can sign in there.
   *
   * @default - nobody
   */
  readonly members?: "anyone" | MemberSettings;
  /**
   * `production` keeps table, buckets and secrets when the stack goes; `throwaway` deletes them (buckets only when
   * they are empty).
   *
   * @default "production"
   */
  readonly stage?: Stage;
  /**
   * Who gets the alarms by mail. Amazon SNS asks this address once for confirmation.
   *
   * @default - nobody: the alarms go to a topic that others may subscribe to
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
   * What the stack may cost in a calendar month, in dollars. Where it has cost more, or is going to by AWS's forecast, it is
   * told to the alarms' topic; nothing is stopped. It needs the cost allocation tag, as `costAnomalyDollars` does.
   *
   * @default - no budget
   */
  readonly monthlyBudgetDollars?: number;
  /**
   * Whether there is a dashboard in CloudWatch, by the stack's name: requests, times, refusals, events, storage and alarms
   * at one glance. It costs 3 dollars a month; alarms and logs are there without it.
   *
   * @default false
   */
  readonly dashboard?: boolean;
  /**
   * What takes request bodies of more than 3 MB, or of unknown length, which API Gateway and Lambda may not: large files,
   * and pages that are long in JSON. `webfunction` is a Lambda Web Function, which costs nothing while it is idle, and
   * which not every region has; with `none` such bodies are refused, and large files take `POST /api/blobs/uploads`.
   *
   * @default "none"
   */
  readonly ingest?: IngestKind;
  /**
   * Whether AWS X-Ray keeps traces of requests through API and functions. It sees a request in every second and one in
   * twenty of the others, at 5 dollars a million: in a quiet service that is each of them, and the dearest part of it.
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
   * How many functions may work at once on the viewer, and how many on the pages themselves, whatever the world looks at;
   * every other function that visitors reach, such as gates, owners' pages and documents, gets a twentieth of it. AWS keeps so
   * many of the account's free for each, and gives them no more. It needs an account that is left with 100 others; a new
   * one has 10 in all.
   *
   * @default - as many as the account has left; API Gateway's throttling keeps it from being all of them
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
   * Calls the functions that readers and agents wait for every so many minutes, from 1 to 60, so that AWS keeps one
   * environment of each; `true` is every 5. It is one: who comes while it is busy still waits for another to start. It
   * costs some cents a month: docs/cost.md.
   *
   * @default false
   */
  readonly keepWarm?: boolean | number;
  /**
   * Which of the secrets between edge and functions are in use, by their numbers: a new number is a new secret.
   * docs/runbook.md, "Rotate the origin secret", says how to change it without refusing a request.
   *
   * @default { sent: 1, accepted: [1] }
   */
  readonly originSecrets?: OriginSecrets;
  /**
   * Whom people are to tell of a vulnerability: `mailto:security@example.com`, or the https address of a form. It stands
   * in `/.well-known/security.txt`.
   *
   * @default - there is no security.txt
   */
  readonly securityContact?: string;
  /**
   * Who may read a drop of which its owner says nothing: `public`, `unlisted` (whoever has its address, which the owner's page
   * does not tell), `members`, or `people`, with which whoever publishes has to name them. Files are `unlisted` at least.
   *
   * @default - `mostOpenVisibility`
   */
  readonly defaultVisibility?: VisibilityKind;
  /**
   * The most open that a drop may be, in the same order. A drop that is more open already stays as it is until it is
   * written: then it must be made less. A file cannot be less open than `unlisted`.
   *
   * @default "public"
   */
  readonly mostOpenVisibility?: VisibilityKind;
  /**
   * How many days a token is good, from 1 to 3,650; then its person signs in again. Tokens that are there already count from
   * when they were made.
   *
   * @default - until it is revoked
   */
  readonly tokenDaysMax?: number;
  /**
   * How many tokens an account may have, from 1 to 100. Each has write limits of its own, so that this bounds what an account
   * writes. Tokens that are there already stay.
   *
   * @default 100
   */
  readonly tokensPerAccountMax?: number;
  /**
   * How many bytes of pages an account may have, of all versions together and without contexts: at least 2,097,152, one
   * page of the largest size. What is there already stays.
   *
   * @default 10,737,418,240, which is 10 GiB
   */
  readonly pageBytesMax?: number;
  /**
   * How many hours somebody who has signed in to read stays signed in, from 1 to 720. What they may read is looked up each
   * time, so that this bounds only how often they sign in.
   *
   * @default 12
   */
  readonly readerSessionHours?: number;
  /**
   * How many days a line of the audit trail is kept, from 1 to 3,650: who has written or signed in when, and what that was
   * about (docs/security.md, "The audit trail"). Lines that are there already keep the time that they were written with.
   *
   * @default 400
   */
  readonly auditDays?: number;
  /**
   * Whether each new version is rendered in a browser of the stack's own: a card for links to it, a thumbnail for lists and, when
   * its owner asks, pictures and a report of what its readers will see: docs/cost.md, "Rendering".
   *
   * @default true
   */
  readonly renders?: boolean;
  /**
   * How many versions are rendered at once, from 1 to 10. While there is something to render, it takes so many of the account's
   * concurrent executions and one more. `npm run operator -- preflight` recommends a number for the account.
   *
   * @default 1
   */
  readonly renderConcurrency?: number;
  /**
   * Addresses that are told what happens to drops, signed as Standard Webhooks says, with ids and nothing that a drop holds:
   * docs/events.md. Five at most. They cost 26 cents a month together, and what they are told: docs/cost.md, "Webhooks".
   *
   * @default - none; the account's event bus is told in any case
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

/** Whether a stack with these settings renders pages. */
export function areRendered({ renders = true }: Pick<Settings, "renders">): boolean {
  return renders;
}

/** The most versions that one worker renders at once: each may bring it 6 MB of pictures, and it has 512 MB. */
export const renderConcurrencyMax = 10;

/** Whether a stack with these settings tells addresses what happens. */
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

/** Sets of people who may publish: whoever is in one of them. */
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
   * Groups, by a claim that the identity provider gives. With the claim alone, whose values may be none, the operator can
   * let in groups.
   *
   * @default - none
   */
  readonly groups?: MemberGroups;
}

/** A claim of the ID token or the userinfo response, and which of its values make a member. */
export interface MemberGroups {
  /** Such as `groups`, `roles` or `hd`. */
  readonly claim: string;
  /** Exactly as the claim has them. */
  readonly values: readonly string[];
}

/** The numbers of the secret that the edge sends, and of those that the functions take. */
export interface OriginSecrets {
  readonly sent: number;
  readonly accepted: readonly number[];
}

/** A public zone of Amazon Route 53. */
export interface HostedZoneSettings {
  /** Such as `Z0123456789ABCDEFGHIJ`. */
  readonly id: string;
  /** Such as `example.com`. */
  readonly name: string;
}

/** How many requests the firewall takes from one network address. */
export interface FirewallLimit {
  /** From 10 to 2,000,000,000. */
  readonly requestsPer5MinutesPerAddress: number;
}

/** What takes large request bodies. */
export type IngestKind = "webfunction" | "none";

/** Whether what the stack holds is worth keeping. */
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
  /** @default - `sub` and `preferred_username` */
  readonly fields?: IdentityFields;
}

/** A provider that does not describe itself. */
export interface OAuthProvider {
  readonly kind: "oauth2";
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string;
  /**
   * Where a person's addresses are listed as GitHub lists them: GitHub Enterprise Server has it at `/api/v3/user/emails`.
   *
   * @default - only an address that the userinfo response says is verified (`email`, `email_verified`)
   */
  readonly emailsEndpoint?: string;
  /**
   * Where GitHub says of an organization, by its name below this address, whether a person is in it: GitHub Enterprise
   * Server has it at `/api/v3/user/memberships/orgs`.
   *
   * @default - `members.githubOrganizations` cannot be set
   */
  readonly membershipsEndpoint?: string;
  readonly scope: string;
  readonly fields: IdentityFields;
}
