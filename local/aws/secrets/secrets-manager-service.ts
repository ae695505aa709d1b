import { AwsError } from "../aws-error.ts";
import type { AwsService } from "../aws-service.ts";
import { jsonTarget, jsonWireFormat, parseJsonInput, writeJson } from "../json-protocol.ts";
import { SECRET_ARN_PREFIX, type SecretStore } from "./secret-store.ts";

/** Secrets Manager: GetSecretValue of the current version, by name or ARN. */
export function createSecretsManagerService(secrets: SecretStore): AwsService {
  return {
    signingName: "secretsmanager",
    wireFormat: jsonWireFormat,
    bodyBytesMax: 128 * 1024,
    async handle(request, response) {
      const { prefix, operation } = jsonTarget(request);
      if (prefix !== "secretsmanager" || operation !== "GetSecretValue") {
        throw new AwsError("UnknownOperationException", 400, `${prefix}.${operation} is not emulated.`);
      }
      const secretId = String(parseJsonInput(request).SecretId ?? "");
      const secret = secrets.find(secretId);
      request.authorize({
        action: "secretsmanager:GetSecretValue",
        resourceArn:
          secret?.arn ?? (secretId.startsWith("arn:") ? secretId : `${SECRET_ARN_PREFIX}${secretId}`),
      });
      if (!secret) {
        throw new AwsError(
          "ResourceNotFoundException",
          400,
          "Secrets Manager can't find the specified secret.",
        );
      }
      writeJson(response, 200, request.id, {
        ARN: secret.arn,
        Name: secret.name,
        VersionId: secret.versionId,
        SecretString: secret.value,
        VersionStages: ["AWSCURRENT"],
        CreatedDate: secret.createdAtMs / 1000,
      });
    },
  };
}
