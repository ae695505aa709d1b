import { randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import { readSavedJson, saveJson } from "../../saved-json.ts";
import { type Resource, resourcesOfType, type Template } from "../../template.ts";

/** Prefix of every secret's ARN. The secret's name follows. */
const SECRET_ARN_PREFIX = "arn:aws:secretsmanager:us-east-1:000000000000:secret:";

/** Returns a secret's ARN, given its name or ARN; see "GetSecretValue" (SecretId), Secrets Manager API reference. */
export function secretArnOf(nameOrArn: string): string {
  return nameOrArn.startsWith("arn:") ? nameOrArn : `${SECRET_ARN_PREFIX}${nameOrArn}`;
}

/** The template's secrets with their values, stored in the data folder. */
export type SecretStore = ReturnType<typeof openSecretStore>;

/** A secret with its labelled versions; see "What's in a Secrets Manager secret?", Secrets Manager user guide. */
interface Secret {
  readonly arn: string;
  readonly name: string;
  readonly current: SecretVersion;
  /** Version before the current version. Undefined until the value is replaced. */
  readonly previous: SecretVersion | undefined;
}

interface SecretVersion {
  readonly value: string;
  readonly versionId: string;
  readonly createdAtMs: number;
}

type SavedSecret = SecretVersion & { readonly previous?: SecretVersion };

/** Opens the secrets of the data folder and generates missing values. Throws an Error if the file of secrets cannot be read. */
export function openSecretStore(template: Template, dataDirectory: string) {
  const file = join(dataDirectory, "secrets.json");
  const saved = readSavedJson<Record<string, SavedSecret>>(file, {});
  const arns = new Map<string, string>();
  for (const resource of resourcesOfType(template, "AWS::SecretsManager::Secret")) {
    const { arn } = resource;
    arns.set(arn, arn.slice(SECRET_ARN_PREFIX.length));
    saved[arn] ??= newVersion(initialValue(resource));
  }
  saveJson(file, saved);

  const find = (nameOrArn: string): Secret | undefined => {
    const arn = secretArnOf(nameOrArn);
    const name = arns.get(arn);
    const found = saved[arn];
    if (name === undefined || found === undefined) return undefined;
    const { previous, ...current } = found;
    return { arn, name, current, previous };
  };
  const existing = (nameOrArn: string): Secret => {
    const secret = find(nameOrArn);
    if (secret) return secret;
    throw new Error(
      `There is no secret ${nameOrArn} in the template; its secrets are ${[...arns.keys()].join(", ")}`,
    );
  };
  return {
    /** Finds a secret by name or ARN. Returns undefined if the template has no such secret. */
    find,
    /** Returns the current value of the secret with this ARN. Throws if the template has no such secret. */
    readSecret: (arn: string): string => existing(arn).current.value,
    /** Stores a new current value of the secret with this name or ARN. The old value becomes the previous version. */
    setSecret(nameOrArn: string, value: string): void {
      const secret = existing(nameOrArn);
      if (secret.current.value === value) return;
      saved[secret.arn] = { ...newVersion(value), previous: secret.current };
      saveJson(file, saved);
    },
  };
}

function initialValue(resource: Resource): string {
  const { SecretString: literal, GenerateSecretString: generate } = resource.properties;
  if (typeof literal === "string") return literal;
  const options = (generate ?? {}) as GenerateSecretString;
  const password = generatePassword(options, resource.logicalId);
  if (options.SecretStringTemplate === undefined || options.GenerateStringKey === undefined) return password;
  const fields = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...fields, [options.GenerateStringKey]: password });
}

function newVersion(value: string): SecretVersion {
  return { value, versionId: randomUUID(), createdAtMs: Date.now() };
}

/** The property GenerateSecretString of AWS::SecretsManager::Secret. */
interface GenerateSecretString {
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly IncludeSpace?: boolean;
  readonly RequireEachIncludedType?: boolean;
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
}

const UPPERCASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const NUMBERS = "0123456789";
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Creates a random password with the options of GetRandomPassword. Throws an Error if the options exclude every character. */
function generatePassword(options: GenerateSecretString, logicalId: string): string {
  const excluded = new Set(options.ExcludeCharacters ?? "");
  const types = [
    options.ExcludeUppercase ? "" : UPPERCASE,
    options.ExcludeLowercase ? "" : LOWERCASE,
    options.ExcludeNumbers ? "" : NUMBERS,
    options.ExcludePunctuation ? "" : PUNCTUATION,
    options.IncludeSpace ? " " : "",
  ]
    .map((characters) => [...characters].filter((character) => !excluded.has(character)))
    .filter((characters) => characters.length > 0);
  const length = options.PasswordLength ?? 32;
  const all = types.flat();
  if (all.length === 0) throw new Error(`${logicalId}: GenerateSecretString excludes every character`);
  const required = options.RequireEachIncludedType === false ? [] : types.map(pick);
  const rest = Array.from({ length: Math.max(0, length - required.length) }, () => pick(all));
  return shuffle([...required, ...rest]).join("");
}

function pick(characters: readonly string[]): string {
  return characters[randomInt(characters.length)] ?? "";
}

function shuffle(characters: string[]): string[] {
  for (let last = characters.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? "", characters[last] ?? ""];
  }
  return characters;
}
