/**
 * Names of the environment variables that the stack sets and the functions read. Each function gets only the variables that it requests.
 */
export const environmentNames = {
  /**
   * The service's base URL, such as `https://drops.example.com`, with a port if there is one, no trailing slash. Unset for a service
   * without a domain, which uses the distribution's host name.
   */
  baseUrl: "BASE_URL",
  /**
   * Parent domain of owners' hosts, such as `drops.example.com`, with a port if there is one. If unset, owners' pages are below
   * `/@<namespace>/` of the base URL.
   */
  baseDomain: "BASE_DOMAIN",
  /**
   * Accepted values of the header `x-dropleaf-origin`, separated by commas. The header proves to the ingest server that a request passed
   * through the edge.
   */
  originSecret: "ORIGIN_SECRET",
  tableName: "TABLE_NAME",
  pagesBucket: "PAGES_BUCKET",
  blobsBucket: "BLOBS_BUCKET",
  viewsQueueUrl: "VIEWS_QUEUE_URL",
  followUpsQueueUrl: "FOLLOW_UPS_QUEUE_URL",
  webhooksQueueUrl: "WEBHOOKS_QUEUE_URL",
  /** Webhooks as a JSON list of `WebhookEndpoint`. If empty, there are no webhooks. */
  webhooks: "WEBHOOKS",
  /** The first pause after a failed webhook delivery, in seconds. */
  webhookPauseSeconds: "WEBHOOK_PAUSE_SECONDS",
  /** The name of the function that runs the browser. */
  drawPageFunction: "DRAW_PAGE_FUNCTION",
  /** The name of the function that runs queued renders. */
  renderPageFunction: "RENDER_PAGE_FUNCTION",
  /** The name of the function that writes the search index. */
  indexDropsFunction: "INDEX_DROPS_FUNCTION",
  renderConcurrency: "RENDER_CONCURRENCY",
  /** `1` if pages are rendered. Empty if the operator has turned rendering off. */
  renders: "RENDERS",
  /** Seconds between the first and the second invalidation of a response, longer than any response takes. */
  invalidationDelaySeconds: "INVALIDATION_DELAY_SECONDS",
  distributionId: "DISTRIBUTION_ID",
  /** The name of the stack. Events contain it, because all stacks of an AWS account share one default event bus. */
  stackName: "STACK_NAME",
  /** Prefix of the names of operations' functions, followed by the operation's id. */
  operationFunctionPrefix: "OPERATION_FUNCTION_PREFIX",
  /** The name of the SSM parameter with the client registration at the identity provider. */
  identityProviderParameter: "IDENTITY_PROVIDER_PARAMETER",
  /** The name of the SSM parameter with the credentials of the Slack app. */
  slackParameter: "SLACK_PARAMETER",
  /** Settings of the identity provider: JSON of `IdentityProviderSettings`. */
  identityProvider: "IDENTITY_PROVIDER",
  /** Rules of membership: JSON of `MemberRules`, without empty sets. If empty, only people whom the operator has added are members. */
  members: "MEMBERS",
  /** Lifetime of a token in days. If empty, tokens are valid until they are revoked. */
  tokenDaysMax: "TOKEN_DAYS_MAX",
  /** Maximum number of tokens of an account. Default: `limits.tokensPerAccountMax`. */
  tokensPerAccountMax: "TOKENS_PER_ACCOUNT_MAX",
  /** The AWS account's limit on concurrent Lambda executions. Default: `concurrentExecutionsDefault`. */
  concurrentExecutions: "CONCURRENT_EXECUTIONS",
  /** Length of a reader's session in hours. Default: `readerSessionHoursDefault`. */
  readerSessionHours: "READER_SESSION_HOURS",
  /** Maximum total size of an account's pages, in bytes. Default: `limits.pageBytesPerAccountMax`. */
  pageBytesMax: "PAGE_BYTES_MAX",
  /** Visibility of drops that are published without a stated visibility. Default: `public`. */
  defaultVisibility: "DEFAULT_VISIBILITY",
  /** The most public visibility that a drop may have. Default: `public`. */
  mostOpenVisibility: "MOST_OPEN_VISIBILITY",
  /** Days until a drop expires if it was published without an expiry. If empty, the drop never expires. */
  defaultExpiryDays: "DEFAULT_EXPIRY_DAYS",
  /** Maximum number of days until a drop expires. If empty, the maximum is `daysMax`, and drops may also never expire. */
  maxExpiryDays: "MAX_EXPIRY_DAYS",
  /** Origins of the sites that may frame pages, separated by spaces. Default: none. */
  embeddingOrigins: "EMBEDDING_ORIGINS",
  /** Mode of the secret scan, a `SecretScanMode`. Default: `warn`. */
  secretScan: "SECRET_SCAN",
  /** Number of days that a deleted drop stays in the trash. Default: `trashDaysDefault`. */
  trashDays: "TRASH_DAYS",
  /** `members` if anyone who may publish may create a team. If empty, only operators may create teams. */
  teamCreation: "TEAM_CREATION",
  /** People who may move the drops of departed members, from the setting `teams.leavers`, as JSON. If empty, only operators may. */
  teamLeavers: "TEAM_LEAVERS",
  /** `off` if no drop may accept answers to forms. If empty, each drop's settings decide. */
  answers: "ANSWERS",
  /** Retention of readers' answers in days. If empty, answers are kept as long as their drop. */
  answerDays: "ANSWER_DAYS",
  /** `1` if people may request access to pages that are not shared with them, otherwise empty. */
  accessRequests: "ACCESS_REQUESTS",
  /** People who are administrators, as JSON. If empty, the pages at `/admin` do not exist. */
  administrators: "ADMINISTRATORS",
  /** Retention of audit entries in days. Default: `auditDaysDefault`. */
  auditDays: "AUDIT_DAYS",
  /** Number of a drop's newest versions to keep. Default: all. */
  keepVersions: "KEEP_VERSIONS",
  /** Retention of the log of reads (read trail), in days. If empty, reads are not logged. */
  readTrailDays: "READ_TRAIL_DAYS",
  /** Issuer of identity assertions, and the claims that describe a person, as JSON. If empty, assertions are not accepted. */
  enterpriseAuthorization: "ENTERPRISE_AUTHORIZATION",
  /** Issuer of ID tokens and the repositories whose workflows may publish, as JSON. If empty, ID tokens are not accepted. */
  githubActions: "TRUSTED_WORKFLOWS",
  /** An e-mail address or URL for reports of vulnerabilities. If empty, the service names no contact. */
  securityContact: "SECURITY_CONTACT",
} as const;

/** The environment variables of each setting that a function may request in its grants. */
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

/** A setting that a function may request in its grants. */
export type GrantedSetting = keyof typeof settingVariables;

/** Environment variables for logging errors, which the stack does not set. */
export const faultEnvironmentNames = {
  /** Build whose source map explains stack frames, as `<hash of the bundle>@<commit>`. The bundle's last line sets this variable. */
  build: "DROPLEAF_BUILD",
  /** `1` if error messages are logged too, although they may contain any data. Set only by `npm start`, on a developer's own machine. */
  withMessages: "DROPLEAF_FAULT_MESSAGES",
} as const;

/**
 * Maximum time in seconds that the edge caches files, and pages with a fixed version, in case an invalidation fails; see
 * docs/adr/0025-requests-at-the-edge.md.
 */
export const edgeKeepsSecondsMax = 14_400;

/** Default length of a reader's session in hours. */
export const readerSessionHoursDefault = 12;

/** Limit on concurrent executions in new AWS accounts, which is lower than the default; see "Lambda quotas", AWS Lambda developer guide. */
export const concurrentExecutionsDefault = 10;

/** The longest session that an operator may choose: 30 days. */
export const readerSessionHoursMax = 720;

/**
 * Headers that pass data from the edge to functions, which API Gateway would otherwise hide or rewrite. Functions can trust the headers,
 * because API Gateway refuses requests without the edge's API key; see docs/adr/0019-api-key-of-the-edge.md.
 */
export const edgeHeaders = {
  /** Secret that proves to the ingest server, whose endpoint is public, that a request passed through the edge. */
  originSecret: "x-dropleaf-origin",
  /** The viewer's Host header. */
  host: "x-dropleaf-host",
  /** The domain name of the CloudFront distribution. Set only if the service has no other domain. */
  serviceHost: "x-dropleaf-service-host",
  /** The namespace from a path `/@<namespace>/…`, which the edge forwards without this prefix. Set only if owners have no hosts. */
  owner: "x-dropleaf-owner",
  /** The path as the edge accepted it, because API Gateway may decode the path. This header is not part of any cache key. */
  path: "x-dropleaf-path",
  /**
   * The path that the viewer requested, if the edge forwards another path. Functions use this header to redirect from an unknown path, or
   * to explain the error.
   */
  asked: "x-dropleaf-asked",
  /** The query string as the viewer sent it, because API Gateway splits values at `;`. Functions read the query only from this header. */
  query: "x-dropleaf-query",
  /**
   * The complete query string of a raw page's URL, if `query` contains only parts of the query string. This header is not part of any cache
   * key, so only `no-store` responses may depend on the header.
   */
  sentQuery: "x-dropleaf-sent-query",
  /** Set if the viewer sent `x-api-key`, which the edge replaces with its own key. */
  sentKey: "x-dropleaf-sent-key",
  /** Name of the header with which the viewer tried to override the HTTP method. CloudFront and Lambda remove that header. */
  method: "x-dropleaf-method",
  /** The viewer's IP address. */
  address: "x-dropleaf-address",
  /** Random sampling level of the request, for counting views; see functions/drops/view-counts.ts. */
  level: "x-dropleaf-level",
  /** `WWW-Authenticate` challenge of a response that the edge turns into 403; see functions/edge/mcp-response.ts. */
  challenge: "x-dropleaf-challenge",
  /** Set if a browser opens a published page in its own window or tab at the service's own host. This header is part of the cache key. */
  window: "x-dropleaf-window",
} as const;

/** The header with the edge's API key, which API Gateway reads. Operations do not receive it, because the Lambda handler removes it. */
export const apiKeyHeader = "x-api-key";

/**
 * Header from which the edge reads a response's cache tags; see "Invalidating content by cache tags", Amazon CloudFront developer guide.
 * Objects in Amazon S3 can only send headers whose names begin with `x-amz-meta-`, so all responses use such a name. The response headers
 * policies remove this header before readers receive the response.
 */
export const cacheTagHeader = "x-amz-meta-cache-tag";

/** Rules for people who may publish without being added individually: anyone, or sets of people. */
export type MemberRules = "anyone" | MemberSets;

/** Sets of people. A person in any of the sets may publish. */
export interface MemberSets {
  /** Domains of verified e-mail addresses. Their subdomains do not match. */
  readonly emailDomains: readonly string[];
  /** Names of organizations, in lower case. */
  readonly organizations: readonly string[];
  readonly groups: readonly string[];
}

/** Identity provider: an OpenID Connect issuer, or an OAuth 2.0 provider with a userinfo endpoint. */
export type IdentityProviderSettings = {
  readonly scope: string;
  readonly fields: IdentityFields;
  /** Rule that matches sign-ins to SCIM users. @default - by `userName`, with the user name or a verified address */
  readonly provisioning?: ProvisioningMatch | undefined;
} & (
  | {
      readonly kind: "oidc";
      readonly issuer: string;
      /** The claim with a person's organizations, which only the local provider has. @default - people have no organizations */
      readonly organizationsClaim?: string | undefined;
    }
  | {
      readonly kind: "oauth2";
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      readonly userinfoEndpoint: string;
      /** GitHub's endpoint for a person's e-mail addresses. @default - only addresses that the userinfo response says are verified */
      readonly emailsEndpoint?: string | undefined;
      /** GitHub's endpoint for memberships in the organizations that the settings name. @default - organizations are not read */
      readonly organizations?: { readonly endpoint: string; readonly names: readonly string[] } | undefined;
    }
);

/** Rule that matches sign-ins to SCIM users. */
interface ProvisioningMatch {
  readonly match: "userName" | "externalId";
  /** The claim that must have the same value. @default - the user name, or one of the verified addresses */
  readonly claim?: string | undefined;
}

/** Names of the claims that describe a person, in the ID token or the userinfo response. */
interface IdentityFields {
  /** The claim with the person's permanent id. */
  readonly id: string;
  readonly username: string;
  /** The claim with a person's groups, as a list or one string. @default - people have no groups */
  readonly groups?: string | undefined;
  /**
   * The claim with an e-mail address that the provider has verified: the address, or `true` for the address in `email`.
   *
   * @default - only `email` with an `email_verified` of true
   */
  readonly verifiedEmail?: string | undefined;
}

/**
 * Returns the value of an environment variable that the stack sets.
 *
 * @throws Error if the variable is missing, because the function's grants lack a setting that its code reads
 */
export function readEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Returns the value of an environment variable that the stack sets only if the operator has chosen a value. */
export function findEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Modes of the secret scan: no scan, a warning, or a refusal. */
export const secretScanModes = ["off", "warn", "refuse"] as const;

export type SecretScanMode = (typeof secretScanModes)[number];

/** Default and maximum time that a deleted drop stays in the trash, in days. */
export const trashDaysDefault = 7;
export const trashDaysMax = 365;

/** Default retention of audit entries, in days. */
export const auditDaysDefault = 400;

/** The longest retention of audit entries and lifetime of tokens that an operator may choose, in days: ten years. */
export const daysMax = 3_650;

/** Interval of keep-warm events in minutes, if the setting `keepWarm` is `true`. */
export const keepWarmMinutesDefault = 5;

/** Interval in minutes at which scheduled work is run. No request waits for this work. */
export const dueWorkMinutes = 15;

/** Interval in minutes of the test requests that check whether readers get responses through the edge. */
export const readerWayMinutes = 5;

/** CloudWatch metric of the alarm `slow-answers`, which counts slow responses. The metric's dimension `Stack` is the stack's name. */
export const slowResponsesMetric = { namespace: "Dropleaf", metricName: "SlowResponses" } as const;

/** Event that a schedule sends to keep functions warm. */
export const keepWarmEvent = { keepWarm: true } as const;

/**
 * Recognizes a keep-warm event. Clients cannot forge such an event, because API Gateway puts their data into other properties.
 *
 * Source: Amazon API Gateway, "Input format of a Lambda function for proxy integration".
 */
export function isKeepWarmEvent(event: object): event is typeof keepWarmEvent {
  return Object.keys(event).length === 1 && "keepWarm" in event && event.keepWarm === true;
}

/** Returns true if the operator has turned on the log of reads. */
export function hasReadTrail(): boolean {
  return findEnvironment(environmentNames.readTrailDays) !== undefined;
}

/** Returns true if people may request access to pages that are not shared with them. */
export function hasAccessRequests(): boolean {
  return findEnvironment(environmentNames.accessRequests) !== undefined;
}

/** Returns true if the service renders pages. */
export function hasRenders(): boolean {
  return findEnvironment(environmentNames.renders) !== undefined;
}

/** Returns true if other sites may frame pages of the service. */
export function hasEmbedding(): boolean {
  return findEnvironment(environmentNames.embeddingOrigins) !== undefined;
}

/** Returns the `frame-ancestors` sources for pages that sites in the setting `embedding` may frame. */
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
  /** GitHub's id of the repository, which is never reused. */
  readonly repositoryId: number;
  /** Workflow runs for pull requests may publish. @default true */
  readonly pullRequests?: boolean;
  /** @default - none */
  readonly branches?: readonly string[];
  /** Deployment environment that the workflow run must use. @default - any environment, or no environment */
  readonly environment?: string;
  /** The workflow's file in `.github/workflows`. @default - any file */
  readonly workflow?: string;
  /** Namespace of the team that owns the pages of the repository's workflows. @default - the repository's own account */
  readonly team?: string;
}
