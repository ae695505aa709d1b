/** Maximum number of dynamic references in a template; see "Get values stored in other services using dynamic references". */
const referencesMax = 60;

/** Refuses a template with more dynamic references than CloudFormation resolves. Throws an Error with the number of references. */
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

/** Replaces each `{{resolve:secretsmanager:<secret>:SecretString:<json key>::}}` in a JSON value with the secret's content. */
export function resolveDynamicReferences<T>(value: T, readSecret: SecretReader): T {
  const resolve = (_: string, item: unknown) =>
    typeof item === "string" ? resolveText(item, readSecret) : item;
  return JSON.parse(JSON.stringify(value), resolve) as T;
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
