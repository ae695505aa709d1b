import {
  certificateManager,
  certificateNames,
  iam,
  parameterStore,
  secretsManager,
} from "./quotas/access.ts";
import { apiGateway, apiGatewayAccount } from "./quotas/api-gateway.ts";
import { cloudFormation } from "./quotas/cloudformation.ts";
import { cacheTags, cloudFront } from "./quotas/cloudfront.ts";
import { dynamoDbConstraints, dynamoDbQuotas, s3 } from "./quotas/data.ts";
import { eventFiltering, functionNames, lambdaFunctions, webFunctions } from "./quotas/lambda.ts";
import { eventBridge, scheduler, sns, sqsMessages, sqsPolicies, sqsQueues } from "./quotas/messages.ts";
import { cloudWatch, cloudWatchAlarms, cloudWatchLogs, xRay } from "./quotas/monitoring.ts";
import { route53, vpcEndpoints, vpcs, waf } from "./quotas/network.ts";
import { backup, costManagement } from "./quotas/operating.ts";
import { pricingPlans } from "./quotas/pricing-plans.ts";
import type { QuotaPage } from "./quotas/quota.ts";

/**
 * Quota pages of every service that a stack uses, row by row, as of autumn 2026. Read the pages again and change the rows when a service
 * is added or a deployment exceeds a quota that is missing here. Two sets of quotas could not be read: those of AWS Lambda Web Functions,
 * and those of alarms and dashboards of Amazon CloudWatch. Comments at their rows say so.
 */
export const quotaPages: readonly QuotaPage[] = [
  cloudFormation,
  cloudFront,
  cacheTags,
  pricingPlans,
  apiGatewayAccount,
  apiGateway,
  lambdaFunctions,
  eventFiltering,
  functionNames,
  webFunctions,
  dynamoDbQuotas,
  dynamoDbConstraints,
  s3,
  sqsMessages,
  sqsQueues,
  sqsPolicies,
  sns,
  eventBridge,
  scheduler,
  iam,
  secretsManager,
  parameterStore,
  certificateManager,
  certificateNames,
  vpcs,
  vpcEndpoints,
  route53,
  waf,
  cloudWatch,
  cloudWatchAlarms,
  cloudWatchLogs,
  xRay,
  costManagement,
  backup,
];
