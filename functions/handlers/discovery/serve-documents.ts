import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { Operation } from "../../http/operation.ts";
import { listAgentSkills } from "./list-agent-skills.ts";
import { readAgentSkill } from "./read-agent-skill.ts";
import { readApiCatalog } from "./read-api-catalog.ts";
import { readLlmsTxt } from "./read-llms-txt.ts";
import { readOnboarding } from "./read-onboarding.ts";
import { readOpenApi } from "./read-open-api.ts";
import { readReferenceAsset } from "./read-reference-asset.ts";
import { readRobotsTxt } from "./read-robots-txt.ts";
import { readSecurityTxt } from "./read-security-txt.ts";
import { showReference } from "./show-reference.ts";

const operations: readonly Operation[] = [
  listAgentSkills,
  readAgentSkill,
  readApiCatalog,
  readLlmsTxt,
  readOnboarding,
  readOpenApi,
  readReferenceAsset,
  readRobotsTxt,
  readSecurityTxt,
  showReference,
];

/** By the path as its row has it, which API Gateway says of each request. */
const operationsByPath = new Map(operations.map((operation) => [operation.route.path, operation]));

/** Every operation whose row is `servedBy: "documents"`, in one function: they have nothing that others must not have. */
export async function serveDocuments(
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<APIGatewayProxyResult> {
  const operation = operationsByPath.get(event.resource);
  if (operation === undefined) {
    throw new Error(
      `functions/handlers/discovery/serve-documents.ts lacks the operation of ${event.resource}, whose row names it.`,
    );
  }
  return operation(event, context);
}
