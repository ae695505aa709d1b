import { AwsError } from "../aws-error.ts";
import type { AwsService } from "../aws-service.ts";
import { createJsonService, type JsonInput } from "../json-protocol.ts";
import { type SecretStore, secretArnOf } from "./secret-store.ts";

/** Serves GetSecretValue of Secrets Manager, by name or ARN and by version label, and PutSecretValue for string values. */
export function createSecretsManagerService(secrets: SecretStore): AwsService {
  return createJsonService({
    signingName: "secretsmanager",
    targetPrefix: "secretsmanager",
    bodyBytesMax: 128 * 1024,
    operations: {
      GetSecretValue: (input) => getSecretValue(secrets, input),
      PutSecretValue: (input) => putSecretValue(secrets, input),
    },
    accessesOf: (operation, { SecretId }) => [
      { action: `secretsmanager:${operation}`, resourceArn: secretArnOf(String(SecretId ?? "")) },
    ],
  });
}

function getSecretValue(secrets: SecretStore, { SecretId, VersionStage = "AWSCURRENT" }: JsonInput): object {
  const { arn, name, current, previous } = existing(secrets, SecretId);
  const version = { AWSCURRENT: current, AWSPREVIOUS: previous }[String(VersionStage)];
  if (version === undefined) {
    const label = String(VersionStage);
    throw notFound(`Secrets Manager can't find the specified secret value for staging label: ${label}`);
  }
  return {
    ARN: arn,
    Name: name,
    VersionId: version.versionId,
    SecretString: version.value,
    VersionStages: [VersionStage],
    CreatedDate: version.createdAtMs / 1000,
  };
}

function putSecretValue(secrets: SecretStore, { SecretId, SecretString }: JsonInput): object {
  const { arn } = existing(secrets, SecretId);
  if (typeof SecretString !== "string" || SecretString === "") {
    throw new AwsError("InvalidParameterException", 400, "You must provide SecretString.");
  }
  secrets.setSecret(arn, SecretString);
  const { name, current } = existing(secrets, SecretId);
  return { ARN: arn, Name: name, VersionId: current.versionId, VersionStages: ["AWSCURRENT"] };
}

function existing(secrets: SecretStore, secretId: unknown) {
  const secret = secrets.find(String(secretId ?? ""));
  if (secret) return secret;
  throw notFound("Secrets Manager can't find the specified secret.");
}

function notFound(message: string): AwsError {
  return new AwsError("ResourceNotFoundException", 400, message);
}
