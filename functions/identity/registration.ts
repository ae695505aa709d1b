import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";

/** Systems Manager client that the whole process shares. */
export const systemsManager = withoutUnusedMiddleware(
  new SSMClient({
    maxAttempts: 4,
    requestHandler: timeouts(3_000),
  }),
);

/** Cache lifetime of a parameter's value, in milliseconds. */
const keptMs = 5 * 60 * 1000;

/** The service's registration with the identity provider. */
export interface IdentityProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads the service's registration with the identity provider, and caches it for five minutes. */
export const readIdentityProviderClient = cachedParameter(
  environmentNames.identityProviderParameter,
  ({ client_id: clientId, client_secret: clientSecret }): IdentityProviderClient => {
    if (typeof clientId !== "string" || typeof clientSecret !== "string") {
      throw new Error('The identity provider parameter must be {"client_id": "…", "client_secret": "…"}.');
    }
    return { clientId, clientSecret };
  },
);

/**
 * Creates a function that reads a JSON object from a Systems Manager parameter and caches it for five minutes. The function throws if the
 * parameter is missing or `parse` fails. Error messages of `parse` must not contain the secret value.
 *
 * @param variable the environment variable with the parameter's name
 */
export function cachedParameter<Value>(
  variable: string,
  parse: (fields: Readonly<Record<string, unknown>>) => Value,
): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly readAtMs: number } | undefined;
  return async () => {
    if (kept && Date.now() - kept.readAtMs <= keptMs) return kept.value;
    const value = readParameter(variable).then((text) => parse(parseObject(text)));
    const mine = { value, readAtMs: Date.now() };
    kept = mine;
    value.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return value;
  };
}

async function readParameter(variable: string): Promise<string> {
  const Name = readEnvironment(variable);
  const { Parameter } = await systemsManager.send(new GetParameterCommand({ Name, WithDecryption: true }));
  return Parameter?.Value ?? "";
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
