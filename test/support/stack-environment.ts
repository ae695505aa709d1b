import type { LocalCloud } from "@dropleaf/local-cloud";
import { resolveDynamicReferences } from "@dropleaf/local-cloud/dynamic-references";
import { resourcesOfType } from "@dropleaf/local-cloud/template";

/** The environment variables of all functions together, with the administrator's credentials. */
export function environmentOf({
  template,
  awsEndpoint,
}: Pick<LocalCloud, "template" | "awsEndpoint">): Record<string, string> {
  const variables = resourcesOfType(template, "AWS::Lambda::Function").map(
    ({ properties }) => (properties.Environment as { Variables?: Record<string, string> })?.Variables ?? {},
  );
  const { accessKeyId, secretAccessKey } = awsEndpoint.administrator;
  return {
    ...resolveDynamicReferences(Object.assign({}, ...variables), awsEndpoint.readSecret),
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL: awsEndpoint.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
