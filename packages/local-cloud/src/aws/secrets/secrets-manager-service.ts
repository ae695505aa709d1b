import { AwsError } from "../aws-error.ts";
import type { AwsService } from "../aws-service.ts";
import { jsonTarget, jsonWireFormat, parseJsonInput, unknownOperation, writeJson } from "../json-protocol.ts";
import { type SecretStore, secretArnOf } from "./secret-store.ts";

type Answer = Readonly<Record<string, unknown>>;
type Operation = (secrets: SecretStore, input: Readonly<Record<string, unknown>>) => Answer;

const operations: Readonly<Record<string, Operation>> = {
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
};

/** Secrets Manager: GetSecretValue by name or ARN and by label, and PutSecretValue of a text. */
export function createSecretsManagerService(secrets: SecretStore): AwsService {
  return {
    signingName: "secretsmanager",
    wireFormat: jsonWireFormat,
    bodyBytesMax: 128 * 1024,
    async handle(request, response) {
      const target = jsonTarget(request);
      const { prefix, operation: name } = target;
      const operation = prefix === "secretsmanager" ? operations[name] : undefined;
      if (operation === undefined) throw unknownOperation(target);
      const input = parseJsonInput(request);
      const resourceArn = secretArnOf(String(input.SecretId ?? ""));
      request.authorize({ action: `secretsmanager:${name}`, resourceArn });
      writeJson(response, 200, request.id, operation(secrets, input));
    },
  };
}

function getSecretValue(secrets: SecretStore, { SecretId, VersionStage = "AWSCURRENT" }: Answer): Answer {
  const { arn, name, current, previous } = existing(secrets, SecretId);
  const version = { AWSCURRENT: current, AWSPREVIOUS: previous }[String(VersionStage)];
  if (version === undefined) {
    throw notFound(
      `Secrets Manager can't find the specified secret value for staging label: ${String(VersionStage)}`,
    );
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

function putSecretValue(secrets: SecretStore, { SecretId, SecretString }: Answer): Answer {
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
