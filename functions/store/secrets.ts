import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
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

/** And after this long where what was kept does not hold: it may have been rotated since. */
const keptInDoubtMs = 10 * 1000;

/** Secrets Manager user guide, "What's in a Secrets Manager secret?": rotation moves the labels. */
type Stage = "AWSCURRENT" | "AWSPREVIOUS";

interface Kept {
  readonly value: Promise<string | undefined>;
  readonly readAtMs: number;
}

const kept = new Map<string, Kept>();

/** The service's secrets, kept in memory for five minutes. */
export const secrets = {
  /** The key that signs cookies. */
  async cookieKey(): Promise<string> {
    return readCurrent(readEnvironment(environmentNames.cookieKeySecretArn));
  },

  /**
   * Whether a check of a cookie holds with the key that signs them, or with the one before it: rotation ends nobody's
   * session. A key that was rotated in a moment ago is found too.
   */
  async isCookieKey(holdsWith: (key: string) => boolean): Promise<boolean> {
    const arn = readEnvironment(environmentNames.cookieKeySecretArn);
    for (const ageMsMax of [keptMs, keptInDoubtMs]) {
      for (const stage of ["AWSCURRENT", "AWSPREVIOUS"] as const) {
        const key = await read(arn, stage, ageMsMax);
        if (key !== undefined && holdsWith(key)) return true;
      }
    }
    return false;
  },

  /**
   * The service's registration with the identity provider.
   *
   * @throws Error when the secret is not the JSON object that it should be; the message does not repeat it.
   */
  async identityProviderClient(): Promise<{ clientId: string; clientSecret: string }> {
    const text = await readCurrent(readEnvironment(environmentNames.identityProviderSecretArn));
    const { client_id: clientId, client_secret: clientSecret } = parseObject(text);
    if (typeof clientId !== "string" || typeof clientSecret !== "string") {
      throw new Error('The identity provider secret must be {"client_id": "…", "client_secret": "…"}.');
    }
    return { clientId, clientSecret };
  },
};

async function readCurrent(arn: string): Promise<string> {
  const value = await read(arn, "AWSCURRENT", keptMs);
  if (value === undefined) throw new Error(`The secret ${arn} has no text.`);
  return value;
}

async function read(arn: string, stage: Stage, ageMsMax: number): Promise<string | undefined> {
  const key = `${stage} ${arn}`;
  const found = kept.get(key);
  if (found && Date.now() - found.readAtMs <= ageMsMax) return found.value;
  const value = fetchSecret(arn, stage);
  kept.set(key, { value, readAtMs: Date.now() });
  value.catch(() => kept.delete(key));
  return value;
}

/** Undefined where no version has the label: a secret that was never rotated has no previous one. */
async function fetchSecret(arn: string, stage: Stage): Promise<string | undefined> {
  try {
    const command = new GetSecretValueCommand({ SecretId: arn, VersionStage: stage });
    return (await secretsManager.send(command)).SecretString;
  } catch (error) {
    if (stage === "AWSPREVIOUS" && error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
