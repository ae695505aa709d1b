import type { Access } from "@dropleaf/local-cloud/aws/aws-service";
import { findResource, resourcesOfType, type Template } from "@dropleaf/local-cloud/template";
import { type OperationId, operationIds, optionalOperationIds, routeOf } from "../functions/routes.ts";
import type { Grants, TableGrant } from "../functions/table/grants.ts";
import type { ItemFamily } from "../functions/table/keys.ts";
import { handlerOf } from "../lib/bundle/function-source.ts";

/**
 * Describes the missing grant that would allow a refused access. Returns undefined if the function serves no operation, or if no grant can
 * allow the access.
 */
export function missingGrant(template: Template, functionArn: string, access: Access): string | undefined {
  const id = operationOf(template, functionArn);
  if (id === undefined) return undefined;
  const route = routeOf(id);
  const line = grantLine(template, route.grants, access);
  if (line === undefined) return undefined;
  const folder = handlerOf(id).file.split("/").slice(0, 2).join("/");
  const whose = route.performs ? `${id}, or of an operation that it performs,` : id;
  return `To allow this access, extend the grants of ${whose} (operation definitions in ${folder}): ${line}`;
}

function operationOf(template: Template, functionArn: string): OperationId | undefined {
  const found = resourcesOfType(template, "AWS::Lambda::Function").find(({ arn }) => arn === functionArn);
  const exportName = String(found?.properties.Handler).split(".").at(-1);
  return [...operationIds, ...optionalOperationIds].find((id) => handlerOf(id).exportName === exportName);
}

function grantLine(template: Template, grants: Grants, access: Access): string | undefined {
  const [service, action = ""] = access.action.split(":");
  switch (service) {
    case "dynamodb":
      return tableLine(grants.table, action, access.conditionKeys?.["dynamodb:LeadingKeys"] ?? []);
    case "s3": {
      const bucket = /^arn:aws:s3:::([^/]+)/.exec(access.resourceArn)?.[1];
      const { logicalId = "" } = findResource(template, "AWS::S3::Bucket", bucket) ?? {};
      const name = (["pages", "blobs"] as const).find((one) => logicalId.toLowerCase().includes(one));
      return name && `${name}: ${list([...(grants[name] ?? []), action])}`;
    }
    case "sqs": {
      const name = (["views", "followUps", "webhooks"] as const).find((one) =>
        access.resourceArn.toLowerCase().includes(one.toLowerCase()),
      );
      return name && `queues: ${list([...(grants.queues ?? []), name])}`;
    }
    case "lambda":
      return invocationLine(grants, access.resourceArn);
    case "ssm":
      return `secrets: ${list([...(grants.secrets ?? []), "identityProvider"])}`;
    case "cloudfront":
      return `distribution: ${list([action])}`;
    default:
      return undefined;
  }
}

/** Returns the text of the grant to invoke a function. The name of an operation's function ends in `_` and the operation's id. */
function invocationLine(grants: Grants, functionArn: string): string {
  const [, operation] = /_([a-z-]+)$/.exec(functionArn) ?? [];
  if (operation !== undefined) return `operations: ${list([...(grants.operations ?? []), operation])}`;
  const name = /render-?page/i.test(functionArn) ? "renderPage" : "drawPage";
  return `functions: ${list([...(grants.functions ?? []), name])}`;
}

/** Returns the text of the operation's table grant, with the missing action and item families added. */
function tableLine(table: TableGrant | undefined, action: string, leadingKeys: readonly string[]): string {
  const families = leadingKeys.map((key) => key.slice(0, key.indexOf("#")));
  if (families.includes("AUDIT" satisfies ItemFamily)) return "audit: true";
  if (families.includes("KEY" satisfies ItemFamily))
    return action === "GetItem" ? 'secrets: ["cookieKey"]' : 'secrets: ["cookieKey", "newCookieKey"]';
  const actions = [...(table?.actions ?? []), action].toSorted();
  return `table: { actions: ${list(actions)}, items: ${list([...(table?.items ?? []), ...families])} }`;
}

function list(names: readonly string[]): string {
  return `[${[...new Set(names)].map((name) => `"${name}"`).join(", ")}]`;
}
