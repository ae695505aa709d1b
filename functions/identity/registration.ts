import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";

/** The process's only client. */
export const systemsManager = withoutUnusedMiddleware(
  new SSMClient({
    maxAttempts: 4,
    requestHandler: timeouts(3_000),
  }),
);

/** Time that the parameter is cached. */
const keptMs = 5 * 60 * 1000;

/** The service's registration with the identity provider. */
export interface IdentityProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

let kept: { readonly client: Promise<IdentityProviderClient>; readonly readAtMs: number } | undefined;

/**
 * The service's registration with the identity provider, cached for five minutes.
 *
 * @throws Error if the parameter is missing or not the expected JSON object; the message does not repeat it
 */
export async function readIdentityProviderClient(): Promise<IdentityProviderClient> {
  if (kept && Date.now() - kept.readAtMs <= keptMs) return kept.client;
  const client = readParameter().then(parseClient);
  const mine = { client, readAtMs: Date.now() };
  kept = mine;
  client.catch(() => {
    if (kept === mine) kept = undefined;
  });
  return client;
}

async function readParameter(): Promise<string> {
  const Name = readEnvironment(environmentNames.identityProviderParameter);
  const { Parameter } = await systemsManager.send(new GetParameterCommand({ Name, WithDecryption: true }));
  return Parameter?.Value ?? "";
}

function parseClient(text: string): IdentityProviderClient {
  const { client_id: clientId, client_secret: clientSecret } = parseObject(text);
  if (typeof clientId !== "string" || typeof clientSecret !== "string") {
    throw new Error('The identity provider parameter must be {"client_id": "…", "client_secret": "…"}.');
  }
  return { clientId, clientSecret };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
