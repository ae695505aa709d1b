import type { Code } from "aws-cdk-lib/aws-lambda";
import { CfnOutput, Duration, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { auditDaysDefault } from "../functions/core/environment.ts";
import { Api } from "./api/api.ts";
import { Backup } from "./backup.ts";
import { drawPageSource, type FunctionId } from "./bundle/function-source.ts";
import { Edge } from "./edge/edge.ts";
import { Firewall, firewallLimitDefault } from "./edge/firewall.ts";
import { Ingest } from "./ingest/ingest.ts";
import type { GrantTargets } from "./lambda/grants.ts";
import { KeepWarm } from "./lambda/keep-warm.ts";
import { Operations } from "./lambda/operations.ts";
import { Queues } from "./lambda/queues.ts";
import { Renderer } from "./lambda/renderer.ts";
import { Workers } from "./lambda/workers.ts";
import { stackTag } from "./monitoring/cost-anomaly.ts";
import { Monitoring } from "./monitoring/monitoring.ts";
import { traceAll } from "./monitoring/tracing.ts";
import { type OutputKey, type OutputValues, outputDescriptions, outputNames } from "./output-names.ts";
import { Secrets, valueAtDeployment } from "./secrets.ts";
import { dataFormat, serviceVersion } from "./service-version.ts";
import { domainOf } from "./settings/domain.ts";
import { completeIdentityProvider, completeMembers } from "./settings/identity-provider-preset.ts";
import { warnOfSharedSite } from "./settings/site-warnings.ts";
import { validateSettings } from "./settings/validate-settings.ts";
import { areRendered, edgeRegion, hasWebhooks, ingestLimitOf, type Settings } from "./settings.ts";
import { Storage } from "./storage.ts";

export interface HostingStackProps {
  readonly settings: Settings;
  /** Returns the code of a function. */
  readonly codeOf: (id: FunctionId) => Code;
  /** Folder with the code of the server for large request bodies. */
  readonly ingestDirectory: string;
  /**
   * Seconds after which a stored object that no table item refers to is deleted. Only for tests with the local cloud, because an upload
   * that takes longer is lost.
   *
   * @default - longer than an upload can take
   */
  readonly unsafeOrphanDelaySeconds?: number;
  /**
   * Seconds between the first and the second invalidation. Only for tests with the local cloud, because a response that takes longer stays
   * cached.
   *
   * @default - longer than any response takes
   */
  readonly unsafeInvalidationDelaySeconds?: number;
  /**
   * Seconds before the second attempt of a webhook delivery. Each later delay is twice as long. Only for tests with the local cloud.
   *
   * @default - 5
   */
  readonly unsafeWebhookPauseSeconds?: number;
}

/** The whole service in one stack. */
export class HostingStack extends Stack {
  /** @throws Error if a setting is wrong */
  constructor(scope: Construct, props: HostingStackProps) {
    const { settings, codeOf } = props;
    validateSettings(settings);
    const { stage = "production", stackName = "Dropleaf" } = settings;
    super(scope, stackName, {
      tags: { [stackTag]: stackName },
      description: "Dropleaf: HTML hosting for agents",
      env: { region: settings.region ?? edgeRegion },
      // The template is not indented, because indentation would take a third of the 1 MB that CloudFormation accepts; see "Understand
      // CloudFormation quotas", CloudFormation user guide.
      suppressTemplateIndentation: true,
    });
    const domain = domainOf(settings);
    warnOfSharedSite(this, domain);
    const queues = new Queues(this, "Queues", {
      hasWebhooks: hasWebhooks(settings),
      orphanDelay: durationOf(props.unsafeOrphanDelaySeconds),
      webhookPause: durationOf(props.unsafeWebhookPauseSeconds),
      invalidationDelay: durationOf(props.unsafeInvalidationDelaySeconds),
    });
    const { backupVaultArn } = settings;
    const storage = new Storage(this, "Storage", {
      stage,
      isBackedUp: backupVaultArn !== undefined,
      createdObjects: queues.followUps,
    });
    if (backupVaultArn !== undefined)
      new Backup(this, "Backup", { storage, stage, vaultArn: backupVaultArn });
    const secrets = new Secrets(this, "Secrets", { stage, originSecrets: settings.originSecrets });
    const members = completeMembers(settings.members);
    const baseDomain = domain?.baseDomain;
    const behindEdge = {
      ...settings,
      storage,
      secrets,
      queues,
      areRendered: areRendered(settings),
      identityProvider: completeIdentityProvider(settings.identityProvider, settings.members, settings.scim),
      members,
      baseDomain,
    };
    const ingest = new Ingest(this, "Ingest", {
      ...behindEdge,
      limit: ingestLimitOf(settings),
      directory: props.ingestDirectory,
      domain,
    });
    const webAclArn = settings.waf
      ? new Firewall(this, "Firewall", { limit: settings.waf === true ? firewallLimitDefault : settings.waf })
          .webAclArn
      : undefined;
    const { functions } = new Operations(this, "Operations", {
      ...behindEdge,
      codeOf,
      baseUrl: domain?.baseUrl,
      visitorConcurrencyMax: settings.visitorConcurrencyMax,
    });
    if (settings.keepWarm) new KeepWarm(this, "KeepWarm", { functions, every: settings.keepWarm });
    const api = new Api(this, "Api", {
      functions,
      edgeSecrets: secrets.acceptedOrigins,
      concurrentExecutions: settings.concurrentExecutions,
      requestsPerDayMax: settings.requestsPerDayMax,
    });
    const { distribution } = new Edge(this, "Edge", {
      api,
      apiKey: valueAtDeployment(secrets.origin),
      pages: storage.pages,
      blobs: storage.blobs,
      ingest: ingest.origin,
      hasSlack: settings.slack,
      webAclArn,
      domain,
    });
    const baseUrl = domain?.baseUrl ?? `https://${distribution.distributionDomainName}`;
    const renderer = areRendered(settings)
      ? new Renderer(this, "Renderer", { code: codeOf(drawPageSource.id), files: storage.blobs })
      : undefined;
    const targets: GrantTargets = { ...behindEdge, distribution, drawPage: renderer?.drawPage };
    const { janitor, dropTracker, indexDrops, doDueWork, checkReaderWay } = new Workers(this, "Workers", {
      ...targets,
      baseUrl,
      renderConcurrency: settings.renderConcurrency,
      codeOf,
    });
    const { topicArn } = new Monitoring(this, "Monitoring", {
      ...targets,
      restApi: api.restApi,
      janitor,
      dropTracker,
      indexDrops,
      doDueWork,
      checkReaderWay,
      ingestFunctionName: ingest.webFunctionName,
      settings,
    });
    if (settings.tracing) traceAll(this, renderer && [renderer]);
    // The API's own URL is not an output, because callers would bypass the edge.
    const outputs: { readonly [key in OutputKey]: OutputValues[key] | number } = {
      baseUrl,
      baseDomain,
      callbackUrl: `${baseUrl}/api/auth/idp/callback`,
      distributionDomainName: distribution.distributionDomainName,
      distributionId: distribution.distributionId,
      identityProviderParameter: secrets.identityProviderParameter,
      slackParameter: settings.slack ? secrets.slackParameter : undefined,
      tableName: storage.table.tableName,
      pagesBucket: storage.pages.bucketName,
      blobsBucket: storage.blobs.bucketName,
      auditDays: settings.auditDays ?? auditDaysDefault,
      keepVersions: settings.keepVersions,
      members: members === undefined ? undefined : JSON.stringify(members),
      mostOpenVisibility: settings.mostOpenVisibility,
      scim: settings.scim === undefined ? undefined : JSON.stringify(settings.scim),
      pageBytesMax: settings.pageBytesMax,
      tokenDaysMax: settings.tokenDaysMax,
      alarmTopicArn: topicArn,
      version: serviceVersion,
      dataFormat,
    };
    for (const key of Object.keys(outputNames) as OutputKey[]) {
      const value = outputs[key];
      if (value === undefined) continue;
      new CfnOutput(this, outputNames[key], { description: outputDescriptions[key], value: String(value) });
    }
  }
}

function durationOf(seconds: number | undefined): Duration | undefined {
  return seconds === undefined ? undefined : Duration.seconds(seconds);
}
