import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { environmentNames } from "../contract/environment.ts";
import { readEnvironment } from "./environment.ts";

/** The one client of the process. */
export const secretsManager = new SecretsManagerClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
});

/** A rotated secret is in use everywhere after this long. */
const keptMs = 5 * 60 * 1000;

interface Kept {
  readonly value: Promise<string>;
  readonly untilMs: number;
}

const kept = new Map<string, Kept>();

/** The service's secrets, kept in memory for five minutes. */
export const secrets = {
  /** The key that signs cookies. */
  async cookieKey(): Promise<string> {
    return read(readEnvironment(environmentNames.cookieKeySecretArn));
  },

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
  if (found && found.untilMs > Date.now()) return found.value;
  const value = fetchSecret(arn);
  kept.set(arn, { value, untilMs: Date.now() + keptMs });
  value.catch(() => kept.delete(arn));
  return value;
}

async function fetchSecret(arn: string): Promise<string> {
  const answer = await secretsManager.send(new GetSecretValueCommand({ SecretId: arn }));
  if (answer.SecretString === undefined) throw new Error(`The secret ${arn} has no text.`);
  return answer.SecretString;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
