import { resourcesOfType, type Template } from "../../template.ts";
import type { Access } from "../aws-service.ts";
import { decide } from "../policy.ts";
import { type PolicyStatement, parseStatements } from "../policy-statement.ts";
import { queueNameOf } from "./queue-settings.ts";

/** Queue policies of the template's AWS::SQS::QueuePolicy resources. */
export interface QueuePolicies {
  /** Returns true if a policy allows the action for an AWS service, such as `s3.amazonaws.com`. */
  allowsService(service: string, access: Access): boolean;
  /** Returns true if a policy denies the action to all principals. */
  deniesAll(access: Access): boolean;
}

interface Statement extends PolicyStatement {
  readonly queueName: string;
  readonly services: readonly string[];
  readonly isForAll: boolean;
}

/**
 * Reads the policies of the template's queues. Throws an Error for a principal other than a service or `*`, because roles get their
 * permissions from their own policies.
 */
export function queuePoliciesOf(template: Template): QueuePolicies {
  const statements = resourcesOfType(template, "AWS::SQS::QueuePolicy").flatMap(({ logicalId, properties }) =>
    (properties.Queues as string[]).flatMap((url) =>
      parsePolicy(queueNameOf(url), properties.PolicyDocument, logicalId),
    ),
  );
  const decisionOn = (access: Access, service?: string) => {
    const ofQueue = statements.filter(({ queueName }) => queueName === queueNameOf(access.resourceArn));
    const applying = ofQueue.filter(
      ({ services, isForAll }) => isForAll || (service !== undefined && services.includes(service)),
    );
    return decide(applying, access);
  };
  return {
    allowsService: (service, access) => decisionOn(access, service) === "allowed",
    deniesAll: (access) => decisionOn(access) === "denied by a statement",
  };
}

function parsePolicy(queueName: string, document: unknown, origin: string): Statement[] {
  const { Statement } = document as { Statement: { Principal?: unknown }[] };
  return parseStatements(document, origin).map((statement, index) => ({
    ...statement,
    queueName,
    ...parsePrincipal(Statement[index]?.Principal, `${origin}, statement ${index + 1}`),
  }));
}

function parsePrincipal(principal: unknown, origin: string): Pick<Statement, "services" | "isForAll"> {
  const { AWS, Service } = (typeof principal === "object" ? principal : {}) as Record<string, unknown>;
  const isForAll = principal === "*" || AWS === "*";
  if (!isForAll && Service === undefined) {
    throw new Error(
      `${origin}: Principal ${JSON.stringify(principal)} is not evaluated by the local cloud; name a service, or give a role its grant in its own policy`,
    );
  }
  return { isForAll, services: [Service ?? []].flat().map(String) };
}
