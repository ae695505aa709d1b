import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isTokenPlaintext } from "../../functions/table/identifiers.ts";

/** Kinds of secrets that must not be found after the tests. */
export type SecretKind =
  | "API token"
  | "authorization code"
  | "gate cookie"
  | "page address"
  | "passcode"
  | "poll token"
  | "refresh token"
  | "secret of the stack"
  | "sign-in cookie";

/** A value that only its owner may know. */
export interface Secret {
  readonly kind: SecretKind;
  readonly value: string;
}

/** A found secret and its file. */
export interface KeptSecret {
  readonly kind: SecretKind;
  /** Enough characters to identify it. */
  readonly start: string;
  readonly file: string;
  readonly offset: number;
}

/** Files in which the local cloud itself stores secrets. */
const notSearched = new Set(["secrets.json", "systems-manager.json", "local-cloud.json"]);

/**
 * Searches everything that a service has logged and stored for secrets: its log, the table, the streams and the
 * queues, including deleted data that is not yet overwritten. Objects are left out: users published them.
 */
export function findKeptSecrets(directory: string, secrets: readonly Secret[]): KeptSecret[] {
  const find = createSearch([...secrets, ...stackSecrets(join(directory, "data"))]);
  const files = [join(directory, "log.txt"), ...filesIn(join(directory, "data"))];
  return files
    .filter((file) => !notSearched.has(basename(file)))
    .flatMap((file) => find(file, readFileSync(file)));
}

/** Lists the database files. */
function filesIn(data: string): string[] {
  return readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(data, name));
}

/** The identity provider's client secret, and the current and the previous origin secret. */
function stackSecrets(data: string): Secret[] {
  return ["secrets.json", "systems-manager.json"]
    .map((name) => join(data, name))
    .filter((file) => existsSync(file))
    .flatMap((file) => textsIn(JSON.parse(readFileSync(file, "utf8")), ""))
    .map((value) => ({ kind: "secret of the stack", value }));
}

/** Extracts the texts of a secret's value, which may itself be JSON. ARNs, ids and client names are skipped. */
function textsIn(value: unknown, name: string): string[] {
  if (typeof value === "string") {
    if (value.startsWith("{")) return textsIn(JSON.parse(value), name);
    return /^(value|client_secret)$/.test(name) ? [value] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, key));
}

/** Searches for all secrets in one pass over the bytes, because there are thousands. */
function createSearch(secrets: readonly Secret[]): (file: string, bytes: Buffer) => KeptSecret[] {
  const byHash = new Map<number, { readonly kind: SecretKind; readonly bytes: Buffer }[]>();
  const isKnown = new Uint8Array(hashes);
  for (const { kind, value } of secrets) {
    const bytes = Buffer.from(value);
    const hash = hashAt(bytes, 0);
    isKnown[hash] = 1;
    byHash.set(hash, [...(byHash.get(hash) ?? []), { kind, bytes }]);
  }
  return (file, bytes) => {
    const found = tokensIn(file, bytes);
    for (let offset = 0; offset + hashedBytes <= bytes.byteLength; offset += 1) {
      const hash = hashAt(bytes, offset);
      if (isKnown[hash] === 0) continue;
      for (const secret of byHash.get(hash) ?? []) {
        if (bytes.subarray(offset, offset + secret.bytes.byteLength).equals(secret.bytes)) {
          found.push(toKept(secret.kind, secret.bytes.toString(), file, offset));
        }
      }
    }
    return found;
  };
}

const hashes = 1 << 20;
/** Shorter than every secret. */
const hashedBytes = 6;

function hashAt(bytes: Buffer, offset: number): number {
  let hash = 0;
  for (let index = 0; index < hashedBytes; index += 1)
    hash = Math.imul(hash, 31) + (bytes[offset + index] ?? 0);
  return (hash ^ (hash >>> 20)) & (hashes - 1);
}

/** Finds API tokens by prefix, length and checksum, including those that no test client has seen. */
function tokensIn(file: string, bytes: Buffer): KeptSecret[] {
  return [...bytes.toString("latin1").matchAll(/hb_[0-9A-Za-z]{36}/g)]
    .filter(([text]) => isTokenPlaintext(text))
    .map(({ 0: text, index }) => toKept("API token", text, file, index));
}

function toKept(kind: SecretKind, value: string, file: string, offset: number): KeptSecret {
  return { kind, start: `${value.slice(0, 6)}…`, file, offset };
}
