import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { ArnFormat, Size, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { restrictedPrefix, stagedPrefix } from "../../functions/blobs/blob.ts";
import {
  auditDaysDefault,
  environmentNames,
  type GrantedSetting,
  type IdentityProviderSettings,
  type MemberRules,
  settingVariables,
  type WorkflowTrust,
} from "../../functions/core/environment.ts";
import { auditEventKind, eventKinds, eventSource } from "../../functions/events/event.ts";
import { serializeWebhooks } from "../../functions/events/webhook.ts";
import { pageTextPrefix } from "../../functions/feedback/feedback.ts";
import { folderPrefix } from "../../functions/folders/folder.ts";
import { cardsPrefix, reportsPrefix } from "../../functions/renders/render.ts";
import { searchPrefix } from "../../functions/search/search-document.ts";
import type { BucketAction, Grants, TableGrant } from "../../functions/table/grants.ts";
import type { ItemFamily } from "../../functions/table/keys.ts";
import type { Secrets } from "../secrets.ts";
import { administratorsOf } from "../settings/administrator-settings.ts";
import type { GitHubActionsSettings } from "../settings/github-actions-settings.ts";
import { leaversOf } from "../settings/team-settings.ts";
import type { Settings } from "../settings.ts";
import type { Storage } from "../storage.ts";
import { operationFunctionPrefix } from "./operation-function.ts";
import type { Queues } from "./queues.ts";

/** Resources and settings that grants refer to. */
export interface GrantTargets extends Omit<Settings, "baseDomain" | "identityProvider" | "members"> {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly queues: Queues;
  /** True if the stack renders pages. */
  readonly areRendered: boolean;
  /** The function that runs the browser. @default - pages are not rendered */
  readonly drawPage?: IFunction | undefined;
  /** The function that requests renders. @default - pages are not rendered */
  readonly renderPage?: IFunction | undefined;
  /** The function that writes the search index. @default - no grant refers to the function */
  readonly indexDrops?: IFunction | undefined;
  readonly distribution: Distribution;
  /** Parent domain of owners' hosts. @default - owners have paths below `/@<namespace>/` on the service's own host */
  readonly baseDomain?: string | undefined;
  readonly identityProvider: IdentityProviderSettings;
  /** Rules for who may publish. @default - only people whom the operator has added */
  readonly members?: MemberRules | undefined;
}

/** Issuer of GitHub's ID tokens; see "OpenID Connect reference", GitHub documentation. */
const githubIssuer = "https://token.actions.githubusercontent.com";

/** Grant targets for functions behind the distribution. These functions cannot refer to the distribution, because it depends on them. */
export type GrantTargetsBehindEdge = Omit<GrantTargets, "distribution">;

/** Returns a function's environment variables that have a value. */
export function environmentOf(
  variables: Partial<Record<keyof typeof environmentNames, string | number | false | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(variables) as (keyof typeof variables)[]).flatMap((name) => {
      const value = variables[name] ?? false;
      return value === false ? [] : [[environmentNames[name], String(value)]];
    }),
  );
}

/**
 * Returns the policy statements for an operation's grants: exactly the granted actions on the granted resources. CDK grants would add
 * further actions.
 */
export function grantStatements(
  grants: Grants,
  targets: GrantTargets | GrantTargetsBehindEdge,
): PolicyStatement[] {
  const { storage, secrets, queues } = targets;
  const { pages, blobs } = storage;
  const uses = (secret: ListedIn<"secrets">) => grants.secrets?.includes(secret);
  const hasReads = grants.readTrail === "Query" || targets.readTrail;
  return [
    grants.table && tableStatement(grants.table, storage),
    // PutItem needs no condition, because a function does not know the keys of existing audit entries and so cannot overwrite them.
    grants.audit && tableStatement({ actions: ["PutItem"], items: ["AUDIT"] }, storage),
    grants.auditReads && tableStatement({ actions: ["Query"], items: ["AUDIT"] }, storage),
    ...(grants.objectVersions ? [pages, blobs].flatMap(objectVersionStatements) : []),
    grants.readTrail &&
      hasReads &&
      tableStatement({ actions: [grants.readTrail], items: ["READS"] }, storage),
    grants.folderKeys && tableStatement({ actions: ["GetItem", "PutItem"], items: ["FOLDERKEY"] }, storage),
    grants.pages && bucketStatement(grants.pages, pages),
    grants.cards && bucketStatement(grants.cards, pages, cardsPrefix),
    grants.reports && bucketStatement(grants.reports, pages, reportsPrefix),
    grants.words && bucketStatement(grants.words, pages, pageTextPrefix),
    grants.searchIndex && bucketStatement(grants.searchIndex, pages, searchPrefix),
    grants.folders && bucketStatement(grants.folders, pages, folderPrefix),
    grants.archives && bucketStatement(grants.archives, pages, folderPrefix, ".zip"),
    grants.blobs && bucketStatement(grants.blobs, blobs),
    grants.stagedFiles && bucketStatement(grants.stagedFiles, blobs, stagedPrefix),
    grants.restrictedFiles && bucketStatement(grants.restrictedFiles, blobs, restrictedPrefix),
    uses("cookieKey") && tableStatement({ actions: ["GetItem"], items: ["KEY"] }, storage),
    uses("newCookieKey") && tableStatement({ actions: ["UpdateItem"], items: ["KEY"] }, storage),
    uses("scimTokens") && tableStatement({ actions: ["GetItem"], items: ["SCIMTOKEN"] }, storage),
    uses("identityProvider") && parameterStatement(storage, secrets.identityProviderParameter),
    uses("slackApp") && parameterStatement(storage, secrets.slackParameter),
    ...(grants.queues ?? []).map(
      (name) =>
        queues[name] &&
        new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queues[name].queueArn] }),
    ),
    ...(grants.functions ?? []).map((name) => targets[name] && invokeStatement([targets[name].functionArn])),
    grants.operations && invokeStatement(grants.operations.map((id) => operationArn(storage, id))),
    grants.distribution && distributionStatement(grants.distribution, distributionOf(targets)),
    grants.events && eventBusStatement(targets),
  ].filter((statement) => statement instanceof PolicyStatement);
}

/** Type of the names in a list of grants. */
type ListedIn<List extends "functions" | "queues" | "secrets" | "settings"> = NonNullable<
  Grants[List]
>[number];

/** Returns a function's environment variables: the names of its granted resources, and the settings that it reads. */
export function grantEnvironment(
  grants: Grants,
  targets: GrantTargets | GrantTargetsBehindEdge,
): Record<string, string> {
  const { storage, secrets, queues } = targets;
  const sendsTo = (queue: ListedIn<"queues">) => grants.queues?.includes(queue);
  const calls = (name: ListedIn<"functions">) => grants.functions?.includes(name);
  const uses = (secret: ListedIn<"secrets">) => grants.secrets?.includes(secret);
  const { pages, cards, reports, words, searchIndex, folders, objectVersions } = grants;
  return environmentOf({
    tableName:
      (grants.table || grants.audit || grants.auditReads || uses("cookieKey")) && storage.table.tableName,
    pagesBucket:
      (pages || cards || reports || words || searchIndex || folders || objectVersions) &&
      storage.pages.bucketName,
    blobsBucket:
      (grants.blobs || grants.stagedFiles || grants.restrictedFiles || objectVersions) &&
      storage.blobs.bucketName,
    viewsQueueUrl: sendsTo("views") && queues.views.queueUrl,
    followUpsQueueUrl: sendsTo("followUps") && queues.followUps.queueUrl,
    invalidationDelaySeconds: sendsTo("followUps") && queues.invalidationDelay.toSeconds(),
    webhooksQueueUrl: sendsTo("webhooks") && queues.webhooks?.queueUrl,
    webhookPauseSeconds: sendsTo("webhooks") && queues.webhooks && queues.webhookPause.toSeconds(),
    drawPageFunction: calls("drawPage") && targets.drawPage?.functionName,
    operationFunctionPrefix: grants.operations && operationFunctionPrefix,
    indexDropsFunction: calls("indexDrops") && targets.indexDrops?.functionName,
    renderPageFunction: calls("renderPage") && targets.renderPage?.functionName,
    distributionId: grants.distribution && distributionOf(targets).distributionId,
    // Functions write the stack's name into the events that they send.
    stackName: grants.events && Stack.of(storage).stackName,
    identityProviderParameter: uses("identityProvider") && secrets.identityProviderParameter,
    slackParameter: uses("slackApp") && secrets.slackParameter,
    identityProvider: uses("identityProvider") && JSON.stringify(targets.identityProvider),
    auditDays: (grants.audit || grants.auditReads) && targets.auditDays,
    ...settingsEnvironment(settingsOf(grants), targets),
  });
}

/** Returns the granted settings, and the settings that other grants require. */
function settingsOf({ settings = [], table, readTrail }: Grants): Set<GrantedSetting> {
  const granted = new Set<GrantedSetting>(settings);
  if (readTrail) granted.add("readTrail");
  // Functions that read tokens need the maximum lifetime, because they refuse older tokens.
  if (table?.items.includes("TOKEN")) granted.add("tokenDaysMax");
  return granted;
}

/** JSON replacer that omits empty lists, to keep the template small: most functions have the member rules in their environment. */
function withoutEmptyLists(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

type Variable = (typeof settingVariables)[GrantedSetting][number];
type Value = string | number | false | undefined;

/**
 * Returns the environment variables of settings. Unless listed here, a variable has the unchanged value of the setting with the same name.
 */
function settingsEnvironment(
  settings: ReadonlySet<GrantedSetting>,
  targets: GrantTargets | GrantTargetsBehindEdge,
): Partial<Record<Variable, Value>> {
  const { storage, queues, identityProvider, members, githubActions, webhooks, readTrail } = targets;
  const {
    auditDays = auditDaysDefault,
    mostOpenVisibility,
    defaultVisibility = mostOpenVisibility,
  } = targets;
  const values: Partial<Record<Variable, Value>> = {
    ...targets,
    accessRequests: targets.accessRequests && 1,
    administrators: administratorsOf(targets.administrators),
    answers: targets.answers === false && "off",
    defaultVisibility,
    embeddingOrigins: targets.embedding?.origins.join(" "),
    enterpriseAuthorization: targets.enterpriseAuthorization && JSON.stringify(identityProvider),
    githubActions: githubActions && JSON.stringify(completeTrust(githubActions)),
    members: members && JSON.stringify(members, withoutEmptyLists),
    teamCreation: typeof targets.teams === "string" ? targets.teams : targets.teams?.creation,
    teamLeavers: leaversOf(targets.teams),
    readTrailDays: readTrail && auditDays,
    renders: targets.areRendered && 1,
    stackName: Stack.of(storage).stackName,
    webhooks: queues.webhooks && webhooks && serializeWebhooks(webhooks),
  };
  const variables = [...settings].flatMap((setting): readonly Variable[] => settingVariables[setting]);
  return Object.fromEntries(variables.map((variable) => [variable, values[variable]]));
}

function completeTrust({ repositories, issuer = githubIssuer }: GitHubActionsSettings): WorkflowTrust {
  return { issuer, repositories };
}

function distributionOf(targets: GrantTargets | GrantTargetsBehindEdge): Distribution {
  if ("distribution" in targets) return targets.distribution;
  throw new Error("A function that the distribution depends on cannot have a grant on the distribution.");
}

/**
 * Allows actions on items whose partition key begins with one of the prefixes; see "Using IAM policy conditions for fine-grained access
 * control", DynamoDB developer guide.
 */
function tableStatement(
  { actions, items }: { actions: TableGrant["actions"]; items: readonly ItemFamily[] },
  { table }: Storage,
): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": items.map((family) => `${family}#*`) },
    },
  });
}

function bucketStatement(
  actions: readonly BucketAction[],
  bucket: Bucket,
  prefix = "",
  ending = "",
): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `s3:${action}`),
    resources: [bucket.arnForObjects(`${prefix}*${ending}`)],
  });
}

/** Allows listing all object versions of a bucket, setting and removing the tag that hides objects, and deleting objects permanently. */
function objectVersionStatements(bucket: Bucket): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ["s3:ListBucket", "s3:ListBucketVersions"],
      resources: [bucket.bucketArn],
    }),
    new PolicyStatement({
      actions: [
        "s3:DeleteObject",
        "s3:DeleteObjectTagging",
        "s3:DeleteObjectVersion",
        "s3:GetObjectTagging",
        "s3:PutObjectTagging",
      ],
      resources: [bucket.arnForObjects("*")],
    }),
  ];
}

/**
 * Allows reading an SSM parameter. No permission for AWS KMS is needed, because anyone in the account who may read a parameter may also use
 * its AWS managed key. See "AWS KMS encryption for AWS Systems Manager Parameter Store SecureString parameters", AWS Systems Manager user
 * guide.
 */
function parameterStatement(storage: Storage, name: string): PolicyStatement {
  const resource = { service: "ssm", resource: "parameter", resourceName: name.slice(1) };
  return new PolicyStatement({
    actions: ["ssm:GetParameter"],
    resources: [Stack.of(storage).formatArn(resource)],
  });
}

/** Allows invoking functions, which have no versions or aliases. */
function invokeStatement(functionArns: readonly string[]): PolicyStatement {
  return new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [...functionArns] });
}

/**
 * Returns the ARN of an operation's function, made from the function's name. A reference to the function would create a dependency cycle
 * with its role, or with another operation's function.
 */
export function operationArn(scope: Construct, operation: string): string {
  const resourceName = `${operationFunctionPrefix}${operation}`;
  const { COLON_RESOURCE_NAME: arnFormat } = ArnFormat;
  return Stack.of(scope).formatArn({ service: "lambda", resource: "function", resourceName, arnFormat });
}

/**
 * Allows sending events to the account's default event bus, limited to the service's source and event kinds; see "Using IAM policy
 * conditions", Amazon EventBridge user guide.
 */
function eventBusStatement({
  storage,
  auditEvents,
}: Pick<GrantTargets, "storage" | "auditEvents">): PolicyStatement {
  const bus = { service: "events", resource: "event-bus", resourceName: "default" };
  return new PolicyStatement({
    actions: ["events:PutEvents"],
    resources: [Stack.of(storage).formatArn(bus)],
    conditions: {
      StringEquals: {
        "events:source": eventSource,
        "events:detail-type": auditEvents ? [...eventKinds, auditEventKind] : [...eventKinds],
      },
    },
  });
}

function distributionStatement(
  actions: NonNullable<Grants["distribution"]>,
  distribution: Distribution,
): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `cloudfront:${action}`),
    resources: [distribution.distributionArn],
  });
}

/**
 * Returns the size of `/tmp`. Functions that keep a copy of the search index there get 2 GiB, enough for 180,000 drops with 5 KB of text
 * (docs/measured/search.json). Storage above 512 MB costs a thousandth of the price of memory.
 */
export function temporaryStorageFor(grants: readonly Grants[]): Size | undefined {
  return grants.some(({ searchIndex }) => searchIndex !== undefined) ? Size.gibibytes(2) : undefined;
}
