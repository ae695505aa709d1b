import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { environmentNames } from "../contract/environment.ts";
import { readEnvironment } from "./environment.ts";

/** The one client of the process. */
export const secretsManager = new SecretsManagerClient({
  maxAttempts: 4,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
    throwOnRequestTimeout: true,
    socketTimeout: 3_000,
  },
});

/** A secret is read again after this long. */
const keptMs = 5 * 60 * 1000;

interface Kept {
  readonly value: Promise<string>;
  readonly readAtMs: number;
}

const kept = new Map<string, Kept>();

/** The service's secrets, kept in memory for five minutes. */
export const secrets = {
  /**
   * The service's registration with the identity provider.
   *
   * @throws Error when the secret is not the JSON object that it should be; the message does not repeat it.
   */
  async identityProviderClient(): Promise<{ clientId: string; clientSecret: string }> {
    const text = await read(readEnvironment(environmentNames.identityProviderSecretArn));
    const { client_id: clientId, client_secret: clientSecret } = parseObject(text);
    if (typeof clientId !== "string" || typeof clientSecret !== "string") {
      throw new Error('The identity provider secret must be {"client_id": "…", "client_secret": "…"}.');
    }
    return { clientId, clientSecret };
  },
};

async function read(arn: string): Promise<string> {
  const found = kept.get(arn);
  if (found && Date.now() - found.readAtMs <= keptMs) return found.value;
  const value = fetchSecret(arn);
  kept.set(arn, { value, readAtMs: Date.now() });
  value.catch(() => kept.delete(arn));
  return value;
}

async function fetchSecret(arn: string): Promise<string> {
  const { SecretString: text } = await secretsManager.send(new GetSecretValueCommand({ SecretId: arn }));
  if (text === undefined) throw new Error(`The secret ${arn} has no text.`);
  return text;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
