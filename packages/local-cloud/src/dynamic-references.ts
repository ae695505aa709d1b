/** Gives the text of a secret by its name or ARN. */
export type SecretReader = (nameOrArn: string) => string | Promise<string>;

const reference =
  /\{\{resolve:secretsmanager:(arn:aws:secretsmanager:[^:}]*:[^:}]*:secret:[^:}]+|[^:}]+)(?::SecretString)?(?::([^:}]*))?(?::[^:}]*)?(?::[^:}]*)?\}\}/g;

/**
 * Replaces `{{resolve:secretsmanager:<secret>:SecretString:<json key>::}}` everywhere in a value by what the
 * secret holds. CloudFormation user guide, "Get a secret or secret value from Secrets Manager".
 */
export async function resolveDynamicReferences<T>(value: T, readSecret: SecretReader): Promise<T> {
  return (await resolve(value, readSecret)) as T;
}

async function resolve(value: unknown, readSecret: SecretReader): Promise<unknown> {
  if (typeof value === "string") return resolveText(value, readSecret);
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolve(item, readSecret)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await resolve(item, readSecret)]);
  return Object.fromEntries(await Promise.all(entries));
}

async function resolveText(text: string, readSecret: SecretReader): Promise<string> {
  let resolved = "";
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const [whole, secret = "", key = ""] = match;
    resolved += text.slice(end, match.index) + selectKey(secret, await readSecret(secret), key);
    end = match.index + whole.length;
  }
  resolved += text.slice(end);
  if (resolved.includes("{{resolve:")) {
    throw new Error(`The local cloud resolves only secretsmanager references, not ${resolved}`);
  }
  return resolved;
}

function selectKey(secret: string, text: string, key: string): string {
  if (key === "") return text;
  const value = (JSON.parse(text) as Record<string, unknown>)[key];
  if (typeof value !== "string") throw new Error(`The secret ${secret} has no text under the key "${key}"`);
  return value;
}
