/**
 * Names of the environment variables that the stack sets and the functions read. A function gets only the variables that its row requests.
 */
export const environmentNames = {
  /**
   * `https://drops.example.com`: scheme, host and port, no trailing slash. Unset for a service without a domain: the edge then sends its
   * own name with each request.
   */
  baseUrl: "BASE_URL",
  /**
   * `drops.example.com`: owners' hosts are `<namespace>.` and this domain, with the port if there is one. Unset: owners' pages are below
   * `/@<namespace>/` of the base URL.
   */
  baseDomain: "BASE_DOMAIN",
  /** For the ingest server: values of `x-dropleaf-origin` that prove that a request passed the edge, separated by commas. */
  originSecret: "ORIGIN_SECRET",
  tableName: "TABLE_NAME",
  pagesBucket: "PAGES_BUCKET",
  blobsBucket: "BLOBS_BUCKET",
  viewsQueueUrl: "VIEWS_QUEUE_URL",
  followUpsQueueUrl: "FOLLOW_UPS_QUEUE_URL",
  webhooksQueueUrl: "WEBHOOKS_QUEUE_URL",
  /** JSON of a list of `WebhookEndpoint`. Empty: there are no webhooks. */
  webhooks: "WEBHOOKS",
  /** The first pause after a failed webhook delivery, in seconds. */
  webhookPauseSeconds: "WEBHOOK_PAUSE_SECONDS",
  /** The name of the function with the browser. */
  drawPageFunction: "DRAW_PAGE_FUNCTION",
  /** The name of the function that orders renders. */
  renderPageFunction: "RENDER_PAGE_FUNCTION",
  /** The name of the function that writes the search index. */
  indexDropsFunction: "INDEX_DROPS_FUNCTION",
  /** Number of concurrent renders. */
  renderConcurrency: "RENDER_CONCURRENCY",
  /** `1` if pages are rendered. Empty: the operator has turned rendering off. */
  renders: "RENDERS",
  /** Seconds between an invalidation and its repetition: longer than any response takes. */
  invalidationDelaySeconds: "INVALIDATION_DELAY_SECONDS",
  distributionId: "DISTRIBUTION_ID",
  /** The name of the stack: an account may have several stacks, and one event bus. */
  stackName: "STACK_NAME",
  /** Prefix of the names of operations' functions, followed by the operation's id. */
  operationFunctionPrefix: "OPERATION_FUNCTION_PREFIX",
  /** The name of the parameter with the client registration at the identity provider. */
  identityProviderParameter: "IDENTITY_PROVIDER_PARAMETER",
  /** The name of the parameter with the app in Slack. */
  slackParameter: "SLACK_PARAMETER",
  /** JSON of `IdentityProviderSettings`. */
  identityProvider: "IDENTITY_PROVIDER",
  /** JSON of `MemberRules`, without empty sets. Empty: members are only the people whom the operator has added. */
  members: "MEMBERS",
  /** Lifetime of a token in days. Empty: tokens are valid until they are revoked. */
  tokenDaysMax: "TOKEN_DAYS_MAX",
  /** Maximum tokens of an account. Empty: `limits.tokensPerAccountMax`. */
  tokensPerAccountMax: "TOKENS_PER_ACCOUNT_MAX",
  /** The account's limit of concurrent Lambda executions. Empty: `concurrentExecutionsDefault`. */
  concurrentExecutions: "CONCURRENT_EXECUTIONS",
  /** Length of a reader's session in hours. Empty: `readerSessionHoursDefault`. */
  readerSessionHours: "READER_SESSION_HOURS",
  /** Maximum bytes of an account's pages. Empty: `limits.pageBytesPerAccountMax`. */
  pageBytesMax: "PAGE_BYTES_MAX",
  /** Default visibility of a drop. Empty: `public`. */
  defaultVisibility: "DEFAULT_VISIBILITY",
  /** The most open visibility that a drop may have. Empty: `public`. */
  mostOpenVisibility: "MOST_OPEN_VISIBILITY",
  /** Days until a drop expires that is published without an expiry. Empty: it never expires. */
  defaultExpiryDays: "DEFAULT_EXPIRY_DAYS",
  /** Maximum days until a drop's expiry. Empty: `daysMax`, or never. */
  maxExpiryDays: "MAX_EXPIRY_DAYS",
  /** Origins of the setting `embedding`, separated by spaces. Empty: none. */
  embeddingOrigins: "EMBEDDING_ORIGINS",
  /** A `SecretScanMode`. Empty: `warn`. */
  secretScan: "SECRET_SCAN",
  /** Days that a deleted drop stays in the trash. Empty: `trashDaysDefault`. */
  trashDays: "TRASH_DAYS",
  /** `members` if anyone who may publish may create a team. Empty: only operators may. */
  teamCreation: "TEAM_CREATION",
  /** Readers of the setting `teams.leavers`, as JSON. Empty: only operators move drops of people who have left. */
  teamLeavers: "TEAM_LEAVERS",
  /** `off` if the operator has turned answers to forms off. Empty: drops' settings decide. */
  answers: "ANSWERS",
  /** Retention of readers' answers in days. Empty: as long as their drop. */
  answerDays: "ANSWER_DAYS",
  /** `1` if people may ask for access to pages that are not shared with them. Empty: they may not. */
  accessRequests: "ACCESS_REQUESTS",
  /** Readers of the setting `administrators`, as JSON. Empty: the pages at `/admin` do not exist. */
  administrators: "ADMINISTRATORS",
  /** Retention of audit lines in days. Empty: `auditDaysDefault`. */
  auditDays: "AUDIT_DAYS",
  /** Number of a drop's newest versions that are kept. Empty: all. */
  keepVersions: "KEEP_VERSIONS",
  /** Days for which reads of drops are stored. Empty: the operator has not turned the read trail on. */
  readTrailDays: "READ_TRAIL_DAYS",
  /** Issuer of identity assertions, and the claims that describe a person, as JSON. Empty: assertions are not accepted. */
  enterpriseAuthorization: "ENTERPRISE_AUTHORIZATION",
  /** Issuer of ID tokens and the repositories whose workflows may publish, as JSON. Empty: ID tokens are not accepted. */
  githubActions: "TRUSTED_WORKFLOWS",
  /** An e-mail or web address for reports of vulnerabilities. Empty: no contact. */
  securityContact: "SECURITY_CONTACT",
} as const;

/** The variables of each setting that a row may request in its grants. */
export const settingVariables = {
  accessRequests: ["accessRequests"],
  administrators: ["administrators"],
  answerDays: ["answerDays"],
  answers: ["answers"],
  concurrentExecutions: ["concurrentExecutions"],
  embedding: ["embeddingOrigins"],
  enterpriseAuthorization: ["enterpriseAuthorization"],
  expiry: ["defaultExpiryDays", "maxExpiryDays"],
  githubActions: ["githubActions"],
  keepVersions: ["keepVersions"],
  members: ["members"],
  pageBytesMax: ["pageBytesMax"],
  readerSessionHours: ["readerSessionHours"],
  readTrail: ["readTrailDays"],
  renders: ["renders"],
  secretScan: ["secretScan"],
  leavers: ["teamLeavers"],
  teams: ["teamCreation"],
  tokenDaysMax: ["tokenDaysMax"],
  tokensPerAccountMax: ["tokensPerAccountMax"],
  trashDays: ["trashDays"],
  visibility: ["defaultVisibility", "mostOpenVisibility"],
  webhooks: ["webhooks", "stackName"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof environmentNames)[]>>;

/** A setting that a row may request in its grants. */
export type GrantedSetting = keyof typeof settingVariables;

/** Environment variables for the log of faults. The stack does not set them. */
export const faultEnvironmentNames = {
  /** The source map of the stack frames: `<hash of the bundle>@<commit>`. The bundle's last line sets it. */
  build: "DROPLEAF_BUILD",
  /** `1`: messages are logged too, which may contain any data. `npm start` sets it, on a developer's own machine. */
  withMessages: "DROPLEAF_FAULT_MESSAGES",
} as const;

/**
 * Time during which the edge caches immutable responses: pinned pages and files. It also limits how long a response stays that an
 * invalidation has missed. docs/adr/0025-requests-at-the-edge.md
 */
export const edgeKeepsSecondsMax = 14_400;

/** Default length of a reader's session in hours. */
export const readerSessionHoursDefault = 12;

/** AWS Lambda developer guide, "Lambda quotas": new accounts have a reduced concurrency of 10. */
export const concurrentExecutionsDefault = 10;

/** The longest session that an operator may choose: 30 days. */
export const readerSessionHoursMax = 720;

/**
 * Headers in which the edge sends functions what API Gateway would hide or rewrite. Functions trust them, because API Gateway refuses
 * requests without the edge's API key: docs/adr/0019-api-key-of-the-edge.md.
 */
export const edgeHeaders = {
  /** Sent by the distribution to the ingest server, whose endpoint is public: proves that the request passed the edge. */
  originSecret: "x-dropleaf-origin",
  /** The viewer's Host. */
  host: "x-dropleaf-host",
  /** The distribution's own domain name. Set only if the service has no other domain. */
  serviceHost: "x-dropleaf-service-host",
  /** The namespace of a path `/@<namespace>/…`, which is forwarded without it. Set only if owners have no hosts. */
  owner: "x-dropleaf-owner",
  /** The path as the edge accepted it: API Gateway may decode it on its way to a function. Not in any cache key. */
  path: "x-dropleaf-path",
  /** The viewer's original path, which the edge sends when it asks for another address. It is used only in errors. */
  asked: "x-dropleaf-asked",
  /** The query string as the viewer sent it: API Gateway splits values at `;`. No other header has it. */
  query: "x-dropleaf-query",
  /**
   * The query string of a raw page's address as the viewer sent it, if `query` lacks parts of it. Not in any cache key: only `no-store`
   * responses may depend on it.
   */
  sentQuery: "x-dropleaf-sent-query",
  /** Set if the viewer sent `x-api-key`, which the edge replaces by its own. */
  sentKey: "x-dropleaf-sent-key",
  /** Name of a header that asks for another method: CloudFront and Lambda remove such headers. */
  method: "x-dropleaf-method",
  /** The viewer's network address. */
  address: "x-dropleaf-address",
  /** Random level of a viewer's request, used for counting views: functions/drops/view-counts.ts. */
  level: "x-dropleaf-level",
  /** Challenge of a response that the edge turns into 403: `functions/edge/mcp-response.ts`. */
  challenge: "x-dropleaf-challenge",
  /** Set when a browser opens a published page in a window at the service's own host. It is part of the cache key. */
  window: "x-dropleaf-window",
} as const;

/** The header with the edge's API key, which API Gateway reads. No function receives it. */
export const apiKeyHeader = "x-api-key";

/**
 * The header from which the edge reads a response's cache tags. Objects of Amazon S3 can send only names that begin with `x-amz-meta-`, and
 * a distribution reads one header: Amazon CloudFront developer guide, "Invalidating content by cache tags". The response headers policies
 * remove it, so no reader receives it.
 */
export const cacheTagHeader = "x-amz-meta-cache-tag";

/** People who may publish without being added individually: anyone, or sets of people. */
export type MemberRules = "anyone" | MemberSets;

/** Sets of people. Membership in one of them is enough. */
export interface MemberSets {
  /** Exact domains of verified e-mail addresses, without subdomains. */
  readonly emailDomains: readonly string[];
  /** In lower case. */
  readonly organizations: readonly string[];
  readonly groups: readonly string[];
}

/** Identity provider: an OpenID Connect issuer, or an OAuth 2.0 provider with a userinfo endpoint. */
export type IdentityProviderSettings =
  | {
      readonly kind: "oidc";
      readonly issuer: string;
      readonly scope: string;
      readonly fields: IdentityFields;
      /** @default - by `userName`, with the user name or a verified address */
      readonly provisioning?: ProvisioningMatch | undefined;
      /** The claim that has a person's organizations: the local provider's. @default - people have no organizations */
      readonly organizationsClaim?: string | undefined;
    }
  | {
      readonly kind: "oauth2";
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      readonly userinfoEndpoint: string;
      readonly scope: string;
      readonly fields: IdentityFields;
      /** @default - by `userName`, with the user name or a verified address */
      readonly provisioning?: ProvisioningMatch | undefined;
      /** GitHub's list of a person's addresses. - only what the userinfo response says is verified */
      readonly emailsEndpoint?: string | undefined;
      /** GitHub's endpoint for memberships in the organizations that the settings name. @default - none is asked */
      readonly organizations?: { readonly endpoint: string; readonly names: readonly string[] } | undefined;
    };

/** Rule that matches sign-ins to the people of a SCIM directory. */
export interface ProvisioningMatch {
  /** The attribute in SCIM. */
  readonly match: "userName" | "externalId";
  /** The claim with the same value. @default - the user name, or one of the verified addresses */
  readonly claim?: string | undefined;
}

/** Claims of the ID token or the userinfo response that describe a person. */
export interface IdentityFields {
  /** The permanent id. */
  readonly id: string;
  readonly username: string;
  /** The groups of a person: a list or one text. @default - people have no groups */
  readonly groups?: string | undefined;
  /**
   * The claim with an e-mail address that the provider has verified: the address, or `true` for the address in `email`.
   *
   * @default - only `email` with an `email_verified` of true
   */
  readonly verifiedEmail?: string | undefined;
}

/**
 * The value of an environment variable that the stack sets.
 *
 * @throws Error when it is missing: the function's row does not request a setting that its code uses.
 */
export function readEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** The value of an environment variable that the stack sets only if the operator has chosen a value. */
export function findEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Modes of the scan for secrets: no scan, a warning, or a refusal. */
export const secretScanModes = ["off", "warn", "refuse"] as const;

export type SecretScanMode = (typeof secretScanModes)[number];

/** Default and longest time of a deleted drop in the trash, in days. */
export const trashDaysDefault = 7;
export const trashDaysMax = 365;

/** Default retention of audit lines in days. */
export const auditDaysDefault = 400;

/** The longest time that an operator may choose for audit lines and tokens: ten years. */
export const daysMax = 3_650;

/** Interval for the setting `true`. AWS does not document how long an idle function stays warm. */
export const keepWarmMinutesDefault = 5;

/** Interval of due work. No request waits for it, and 2,900 invocations a month cost a cent. */
export const dueWorkMinutes = 15;

/** Interval of the requests that check a reader's way. More requests would cost more than 7 cents a month. */
export const readerWayMinutes = 5;

/**
 * The metric of the alarm `slow-answers`: slow responses that a person or program waited for. Its dimension `Stack` is the stack's name.
 */
export const slowResponsesMetric = { namespace: "Dropleaf", metricName: "SlowResponses" } as const;

/** The whole event of the schedule. */
export const keepWarmEvent = { keepWarm: true } as const;

/**
 * Recognizes the schedule's event. Clients cannot make one: API Gateway puts method, path, headers and context around
 * all that they send.
 *
 * Source: Amazon API Gateway, "Input format of a Lambda function for proxy integration".
 */
export function isKeepWarmEvent(event: object): event is typeof keepWarmEvent {
  return Object.keys(event).length === 1 && "keepWarm" in event && event.keepWarm === true;
}

/** Recognizes that the operator has turned the read trail on. */
export function hasReadTrail(): boolean {
  return findEnvironment(environmentNames.readTrailDays) !== undefined;
}

/** Recognizes that the operator lets people ask for access to pages. */
export function hasAccessRequests(): boolean {
  return findEnvironment(environmentNames.accessRequests) !== undefined;
}

/** Recognizes a service that renders pages. */
export function hasRenders(): boolean {
  return findEnvironment(environmentNames.renders) !== undefined;
}

/** Recognizes a service whose pages other sites may frame. */
export function hasEmbedding(): boolean {
  return findEnvironment(environmentNames.embeddingOrigins) !== undefined;
}

/** Sources of `frame-ancestors` for pages that the sites of the setting `embedding` may frame. */
export function embeddingAncestors(): string {
  return ["'self'", ...(findEnvironment(environmentNames.embeddingOrigins)?.split(" ") ?? [])].join(" ");
}

/** Issuer of ID tokens, and the repositories whose workflows may publish. */
export interface WorkflowTrust {
  readonly issuer: string;
  readonly repositories: readonly TrustedRepository[];
}

/** A repository whose workflows may publish, as in the setting `githubActions`. */
export interface TrustedRepository {
  /** Owner and name, such as `octo-org/octo-repo`. */
  readonly repository: string;
  /** GitHub's id of the repository. It is never reused. */
  readonly repositoryId: number;
  /** @default true */
  readonly pullRequests?: boolean;
  /** @default - none */
  readonly branches?: readonly string[];
  /** @default - any, or none */
  readonly environment?: string;
  /** File in `.github/workflows`. @default - any */
  readonly workflow?: string;
  /** Namespace of the team that its workflows publish for. @default - they publish for an account of the repository */
  readonly team?: string;
}
