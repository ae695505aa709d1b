import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Size, Stack } from "aws-cdk-lib/core";
import { restrictedPrefix, stagedPrefix } from "../../functions/blobs/blob.ts";
import { eventKinds, eventSource } from "../../functions/events/event.ts";
import { pageTextPrefix } from "../../functions/feedback/feedback.ts";
import { folderPrefix } from "../../functions/folders/folder.ts";
import {
  auditDaysDefault,
  environmentNames,
  type IdentityProviderSettings,
  type MemberRules,
  type SecretScanMode,
  type WorkflowTrust,
} from "../../functions/http/environment.ts";
import type { BucketAction, Grants, TableGrant } from "../../functions/http/route.ts";
import type { VisibilityKind } from "../../functions/identity/visibility.ts";
import { cardsPrefix, reportsPrefix } from "../../functions/renders/render.ts";
import { searchPrefix } from "../../functions/search/search-document.ts";
import type { ItemFamily } from "../../functions/table/keys.ts";
import type { Secrets } from "../secrets.ts";
import type { EnterpriseAuthorization, GitHubActionsSettings, WebhookSettings } from "../settings.ts";
import type { Storage } from "../storage.ts";
import type { Queues } from "./queues.ts";

/** Resources of grants. */
export interface GrantTargets {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly queues: Queues;
  /** Pages are rendered. */
  readonly areRendered: boolean;
  /** The function with the browser. @default - pages are not rendered */
  readonly drawPage?: IFunction | undefined;
  /** The function that has pages drawn. @default - pages are not rendered */
  readonly renderPage?: IFunction | undefined;
  readonly distribution: Distribution;
  /** The domain under which owners live. @default - they live below `/@<namespace>/` of the service's own host */
  readonly baseDomain?: string | undefined;
  readonly identityProvider: IdentityProviderSettings;
  /** Days for which audit lines are kept. @default - `auditDaysDefault` */
  readonly auditDays?: number | undefined;
  /** Newest versions of a drop that are kept. @default - all */
  readonly keepVersions?: number | undefined;
  /** Days in the trash. @default - `trashDaysDefault` */
  readonly trashDays?: number | undefined;
  /** @default "warn" */
  readonly secretScan?: SecretScanMode | undefined;
  /** Reads of restricted drops are recorded. @default false */
  readonly readTrail?: boolean | undefined;
  /** @default - only whom the operator has let in */
  readonly members?: MemberRules | undefined;
  /** @default - none */
  readonly securityContact?: string | undefined;
  /** @default - as many as the service allows anyhow */
  readonly pageBytesMax?: number | undefined;
  /** @default - `mostOpenVisibility` */
  readonly defaultVisibility?: VisibilityKind | undefined;
  /** @default - public */
  readonly mostOpenVisibility?: VisibilityKind | undefined;
  /** @default - never */
  readonly defaultExpiryDays?: number | undefined;
  /** @default - as long as the service allows anyhow, or never */
  readonly maxExpiryDays?: number | undefined;
  /** The addresses that are told what happens. @default - none */
  readonly webhooks?: readonly WebhookSettings[] | undefined;
  /** The number of functions that Lambda runs at once in the account. @default - `concurrentExecutionsDefault` */
  readonly concurrentExecutions?: number | undefined;
  /** Issuer of identity assertions, which is the identity provider's. @default - assertions are not accepted */
  readonly enterpriseAuthorization?: EnterpriseAuthorization | undefined;
  /** Repositories whose workflows may publish. @default - none */
  readonly githubActions?: GitHubActionsSettings | undefined;
  /** Hours of a reader's session. @default - `readerSessionHoursDefault` */
  readonly readerSessionHours?: number | undefined;
  /** @default - tokens are good until they are revoked */
  readonly tokenDaysMax?: number | undefined;
  /** @default - as many as the service allows anyhow */
  readonly tokensPerAccountMax?: number | undefined;
}

/** GitHub documentation, "OpenID Connect reference". */
const githubIssuer = "https://token.actions.githubusercontent.com";

/** The same without the distribution, for what the distribution itself is made of: whatever answers requests. */
export type GrantTargetsBehindEdge = Omit<GrantTargets, "distribution">;

/** The environment variable that tells a function whether owners have hosts. */
export function baseDomainEnvironment({
  baseDomain,
}: Pick<GrantTargets, "baseDomain">): Record<string, string> {
  return baseDomain === undefined ? {} : { [environmentNames.baseDomain]: baseDomain };
}

/** The environment variable that tells a function whom its refusals and pages are to name. */
export function securityContactEnvironment({
  securityContact,
}: Pick<GrantTargets, "securityContact">): Record<string, string> {
  return securityContact === undefined ? {} : { [environmentNames.securityContact]: securityContact };
}

/** The statements of a row's grants: these actions on these resources, and nothing that a CDK grant would add. */
export function grantStatements(
  grants: Grants,
  targets: GrantTargets | GrantTargetsBehindEdge,
): PolicyStatement[] {
  const { storage, secrets, queues } = targets;
  return [
    ...(grants.table ? [tableStatement(grants.table, storage)] : []),
    // Without a condition on it, but also without the right to read: nobody can put a line over one whose key is unknown.
    ...(grants.audit ? [tableStatement({ actions: ["PutItem"], items: ["AUDIT"] }, storage)] : []),
    ...(grants.readTrail === "Query" || (grants.readTrail && targets.readTrail)
      ? [tableStatement({ actions: [grants.readTrail], items: ["READS"] }, storage)]
      : []),
    ...(grants.pages ? [bucketStatement(grants.pages, storage.pages)] : []),
    ...(grants.cards ? [bucketStatement(grants.cards, storage.pages, cardsPrefix)] : []),
    ...(grants.reports ? [bucketStatement(grants.reports, storage.pages, reportsPrefix)] : []),
    ...(grants.words ? [bucketStatement(grants.words, storage.pages, pageTextPrefix)] : []),
    ...(grants.searchIndex ? [bucketStatement(grants.searchIndex, storage.pages, searchPrefix)] : []),
    ...(grants.archives ? [bucketStatement(grants.archives, storage.pages, folderPrefix, ".zip")] : []),
    ...(grants.blobs ? [bucketStatement(grants.blobs, storage.blobs)] : []),
    ...(grants.stagedFiles ? [bucketStatement(grants.stagedFiles, storage.blobs, stagedPrefix)] : []),
    ...(grants.restrictedFiles
      ? [bucketStatement(grants.restrictedFiles, storage.blobs, restrictedPrefix)]
      : []),
    ...(grants.secrets?.includes("cookieKey")
      ? [tableStatement({ actions: ["GetItem"], items: ["KEY"] }, storage)]
      : []),
    ...(grants.secrets?.includes("newCookieKey")
      ? [tableStatement({ actions: ["UpdateItem"], items: ["KEY"] }, storage)]
      : []),
    ...(grants.secrets?.includes("scimTokens")
      ? [tableStatement({ actions: ["GetItem"], items: ["SCIMTOKEN"] }, storage)]
      : []),
    ...(grants.secrets?.includes("identityProvider")
      ? [parameterStatement(storage, secrets.identityProviderParameter)]
      : []),
    ...(grants.queues ?? []).flatMap((name) => {
      const queue = queues[name];
      return queue === undefined ? [] : [sendStatement(queue)];
    }),
    ...(grants.functions ?? []).flatMap((name) => {
      const invoked = targets[name];
      return invoked === undefined ? [] : [invokeStatement(invoked)];
    }),
    ...(grants.distribution ? [distributionStatement(grants.distribution, distributionOf(targets))] : []),
    ...(grants.events ? [eventBusStatement(storage)] : []),
  ];
}

/** The environment variables that tell a function where to find what it is granted. */
export function grantEnvironment(
  grants: Grants,
  targets: GrantTargets | GrantTargetsBehindEdge,
): Record<string, string> {
  const { storage, secrets, queues, identityProvider } = targets;
  const { auditDays, members, pageBytesMax, readerSessionHours } = targets;
  const { tokenDaysMax, tokensPerAccountMax } = targets;
  const usesCookies = grants.secrets?.includes("cookieKey");
  const usesIdentityProvider = grants.secrets?.includes("identityProvider");
  return {
    ...(grants.table || grants.audit || usesCookies
      ? { [environmentNames.tableName]: storage.table.tableName }
      : {}),
    ...(grants.pages || grants.cards || grants.reports || grants.words || grants.searchIndex
      ? { [environmentNames.pagesBucket]: storage.pages.bucketName }
      : {}),
    ...(grants.blobs || grants.stagedFiles || grants.restrictedFiles
      ? { [environmentNames.blobsBucket]: storage.blobs.bucketName }
      : {}),
    ...(grants.queues?.includes("views") ? { [environmentNames.viewsQueueUrl]: queues.views.queueUrl } : {}),
    ...(grants.queues?.includes("followUps")
      ? {
          [environmentNames.followUpsQueueUrl]: queues.followUps.queueUrl,
          [environmentNames.invalidationDelaySeconds]: String(queues.invalidationDelay.toSeconds()),
        }
      : {}),
    ...(grants.functions?.includes("drawPage") && targets.drawPage
      ? { [environmentNames.drawPageFunction]: targets.drawPage.functionName }
      : {}),
    ...(grants.functions?.includes("renderPage") && targets.renderPage
      ? { [environmentNames.renderPageFunction]: targets.renderPage.functionName }
      : {}),
    ...(grants.settings?.includes("renders") && targets.areRendered
      ? { [environmentNames.renders]: "1" }
      : {}),
    ...(grants.distribution
      ? { [environmentNames.distributionId]: distributionOf(targets).distributionId }
      : {}),
    ...(grants.queues?.includes("webhooks") && queues.webhooks
      ? {
          [environmentNames.webhooksQueueUrl]: queues.webhooks.queueUrl,
          [environmentNames.webhookPauseSeconds]: String(queues.webhookPause.toSeconds()),
        }
      : {}),
    ...(grants.settings?.includes("webhooks") && targets.webhooks && queues.webhooks
      ? { [environmentNames.webhooks]: JSON.stringify(targets.webhooks) }
      : {}),
    // Functions that send an event name its owner.
    ...(grants.events || grants.settings?.includes("webhooks")
      ? { [environmentNames.stackName]: Stack.of(storage).stackName }
      : {}),
    ...(usesIdentityProvider
      ? {
          [environmentNames.identityProviderParameter]: secrets.identityProviderParameter,
          [environmentNames.identityProvider]: JSON.stringify(identityProvider),
        }
      : {}),
    ...(grants.settings?.includes("members") && members !== undefined
      ? { [environmentNames.members]: JSON.stringify(members) }
      : {}),
    ...(grants.settings?.includes("enterpriseAuthorization") && targets.enterpriseAuthorization
      ? { [environmentNames.enterpriseAuthorization]: JSON.stringify(identityProvider) }
      : {}),
    ...(grants.settings?.includes("githubActions") && targets.githubActions
      ? { [environmentNames.githubActions]: JSON.stringify(completeTrust(targets.githubActions)) }
      : {}),
    ...(grants.settings?.includes("pageBytesMax") && pageBytesMax !== undefined
      ? { [environmentNames.pageBytesMax]: String(pageBytesMax) }
      : {}),
    ...(grants.settings?.includes("keepVersions") && targets.keepVersions !== undefined
      ? { [environmentNames.keepVersions]: String(targets.keepVersions) }
      : {}),
    ...(grants.settings?.includes("visibility") ? visibilityEnvironment(targets) : {}),
    ...(grants.settings?.includes("expiry") ? expiryEnvironment(targets) : {}),
    ...(grants.settings?.includes("secretScan") && targets.secretScan !== undefined
      ? { [environmentNames.secretScan]: targets.secretScan }
      : {}),
    ...(grants.settings?.includes("trashDays") && targets.trashDays !== undefined
      ? { [environmentNames.trashDays]: String(targets.trashDays) }
      : {}),
    ...(grants.audit && auditDays !== undefined ? { [environmentNames.auditDays]: String(auditDays) } : {}),
    ...((grants.readTrail || grants.settings?.includes("readTrail")) && targets.readTrail
      ? { [environmentNames.readTrailDays]: String(auditDays ?? auditDaysDefault) }
      : {}),
    ...(grants.settings?.includes("concurrentExecutions") && targets.concurrentExecutions !== undefined
      ? { [environmentNames.concurrentExecutions]: String(targets.concurrentExecutions) }
      : {}),
    ...(grants.settings?.includes("readerSessionHours") && readerSessionHours !== undefined
      ? { [environmentNames.readerSessionHours]: String(readerSessionHours) }
      : {}),
    // Whoever reads tokens has to know when they end.
    ...((grants.table?.items.includes("TOKEN") || grants.settings?.includes("tokenDaysMax")) &&
    tokenDaysMax !== undefined
      ? { [environmentNames.tokenDaysMax]: String(tokenDaysMax) }
      : {}),
    ...(grants.settings?.includes("tokensPerAccountMax") && tokensPerAccountMax !== undefined
      ? { [environmentNames.tokensPerAccountMax]: String(tokensPerAccountMax) }
      : {}),
  };
}

function completeTrust({ repositories, issuer = githubIssuer }: GitHubActionsSettings): WorkflowTrust {
  return { issuer, repositories };
}

/** Environment of visibility settings. Without a default visibility, a drop gets the most open allowed one. */
function visibilityEnvironment({
  mostOpenVisibility,
  defaultVisibility = mostOpenVisibility,
}: Pick<GrantTargets, "defaultVisibility" | "mostOpenVisibility">): Record<string, string> {
  return {
    ...(defaultVisibility === undefined ? {} : { [environmentNames.defaultVisibility]: defaultVisibility }),
    ...(mostOpenVisibility === undefined
      ? {}
      : { [environmentNames.mostOpenVisibility]: mostOpenVisibility }),
  };
}

function expiryEnvironment({
  defaultExpiryDays,
  maxExpiryDays,
}: Pick<GrantTargets, "defaultExpiryDays" | "maxExpiryDays">): Record<string, string> {
  return {
    ...(defaultExpiryDays === undefined
      ? {}
      : { [environmentNames.defaultExpiryDays]: String(defaultExpiryDays) }),
    ...(maxExpiryDays === undefined ? {} : { [environmentNames.maxExpiryDays]: String(maxExpiryDays) }),
  };
}

function distributionOf(targets: GrantTargets | GrantTargetsBehindEdge): Distribution {
  if ("distribution" in targets) return targets.distribution;
  throw new Error(
    "A row that may touch the distribution cannot be served by what the distribution is made of.",
  );
}

/** DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control". */
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

/**
 * Nothing of AWS KMS: the key that AWS keeps for parameters is for all of the account who may read them. AWS Systems
 * Manager user guide, "AWS KMS encryption for AWS Systems Manager Parameter Store SecureString parameters".
 */
function parameterStatement(storage: Storage, name: string): PolicyStatement {
  const resource = { service: "ssm", resource: "parameter", resourceName: name.slice(1) };
  return new PolicyStatement({
    actions: ["ssm:GetParameter"],
    resources: [Stack.of(storage).formatArn(resource)],
  });
}

function sendStatement(queue: Queue): PolicyStatement {
  return new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] });
}

/** The function as it is: without versions and aliases, which it has none of. */
function invokeStatement({ functionArn }: IFunction): PolicyStatement {
  return new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] });
}

/** On the account's own bus, and nothing that could be taken for another's: Amazon EventBridge user guide, "Using IAM policy conditions". */
function eventBusStatement(storage: Storage): PolicyStatement {
  const bus = { service: "events", resource: "event-bus", resourceName: "default" };
  return new PolicyStatement({
    actions: ["events:PutEvents"],
    resources: [Stack.of(storage).formatArn(bus)],
    conditions: {
      StringEquals: { "events:source": eventSource, "events:detail-type": [...eventKinds] },
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
 * Size of `/tmp`: 2 GiB for functions that keep a copy of the search index there, which are 180,000 drops of 5 KB text
 * (docs/measured/search.json). What is above 512 MB costs a thousandth of the memory's price.
 */
export function temporaryStorageFor(grants: readonly Grants[]): Size | undefined {
  return grants.some(({ searchIndex }) => searchIndex !== undefined) ? Size.gibibytes(2) : undefined;
}
