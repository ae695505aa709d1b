import { randomInt } from "node:crypto";

const UPPERCASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const NUMBERS = "0123456789";
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** The property GenerateSecretString of AWS::SecretsManager::Secret. */
export interface GenerateSecretString {
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

/**
 * Makes a random password with the options of GetRandomPassword in the Secrets Manager API Reference.
 *
 * @throws Error naming the logical id when the options exclude every character
 */
export function generatePassword(options: GenerateSecretString, logicalId: string): string {
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
