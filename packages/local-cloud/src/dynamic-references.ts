/**
 * Maximum number of dynamic references in a template; see "Get values stored in other services using dynamic references", CloudFormation
 * user guide.
 */
const referencesMax = 60;

/**
 * Refuses a template with more dynamic references than CloudFormation resolves. Each occurrence counts.
 *
 * @throws Error with the number of references
 */
export function requireFewReferences(templateText: string): void {
  const references = templateText.split("{{resolve:").length - 1;
  if (references <= referencesMax) return;
  throw new Error(
    `The template has ${references} dynamic references ({{resolve:…}}); CloudFormation takes at most ${referencesMax}`,
  );
}

/** Returns the value of a secret, given its name or ARN. */
export type SecretReader = (nameOrArn: string) => string;

const reference =
  /\{\{resolve:secretsmanager:(arn:aws:secretsmanager:[^:}]*:[^:}]*:secret:[^:}]+|[^:}]+)(?::SecretString)?(?::([^:}]*))?(?::[^:}]*)?(?::[^:}]*)?\}\}/g;

/**
 * Replaces `{{resolve:secretsmanager:<secret>:SecretString:<json key>::}}` everywhere in a value with the secret's content; see "Get a
 * secret or secret value from Secrets Manager", CloudFormation user guide.
 */
export function resolveDynamicReferences<T>(value: T, readSecret: SecretReader): T {
  return resolve(value, readSecret) as T;
}

function resolve(value: unknown, readSecret: SecretReader): unknown {
  if (typeof value === "string") return resolveText(value, readSecret);
  if (Array.isArray(value)) return value.map((item) => resolve(item, readSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, readSecret)]));
}

function resolveText(text: string, readSecret: SecretReader): string {
  const resolved = text.replace(reference, (_, secret: string, key = "") =>
    selectKey(secret, readSecret(secret), key),
  );
  if (resolved.includes("{{resolve:")) {
    throw new Error(`The local cloud resolves only secretsmanager references, not ${resolved}`);
  }
  return resolved;
}

function selectKey(secret: string, text: string, key: string): string {
  if (key === "") return text;
  const value = (JSON.parse(text) as Record<string, unknown>)[key];
  if (typeof value !== "string") throw new Error(`The secret ${secret} has no string under the key "${key}"`);
  return value;
}
