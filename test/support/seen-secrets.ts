import { inject } from "vitest";
import type { Secret, SecretKind } from "./kept-secrets.ts";
import { writeSeenSecret } from "./seen-secrets-file.ts";

/** Shorter passcodes may also occur in titles or names. */
const charactersMin = 8;
/** Longer passcodes are those of tests that exceed the limit. */
const charactersMax = 1_024;

interface Exchange {
  readonly requestBody: string | Uint8Array | undefined;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly setCookies: readonly string[];
    readonly text: string;
  };
}

const seen = new Set<string>();

/**
 * Records accepted passcodes, and the poll tokens and cookies that the service issued. API tokens are recognized by
 * their pattern.
 */
export function noteSecrets(directory: string | undefined, exchange: Exchange): void {
  // Tests that start their own service may call it without its folder.
  const serviceDirectory = directory ?? inject("serviceDirectory") ?? "";
  if (serviceDirectory === "") return;
  for (const secret of secretsIn(exchange)) {
    const { length } = secret.value;
    if (length < charactersMin || length > charactersMax || seen.has(secret.value)) continue;
    if (secret.kind === "passcode" && !isOneOfAKind(secret.value)) continue;
    seen.add(secret.value);
    writeSeenSecret(serviceDirectory, secret);
  }
}

/** Excludes single words and repeated characters, which may also be titles, keys or contexts. */
function isOneOfAKind(passcode: string): boolean {
  return !/^[a-z]+$/i.test(passcode) && new Set(passcode).size >= 6;
}

function* secretsIn({ requestBody, response }: Exchange): Generator<Secret> {
  for (const cookie of response.setCookies) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    yield { kind: name.startsWith("__Host-dl_") ? "gate cookie" : "sign-in cookie", value };
  }
  yield* ofField("poll token", "poll_token", response.text);
  yield* ofField("refresh token", "refresh_token", response.text);
  const [, key] = /\/api\/publications\/page\?key=([0-9A-Za-z]{43})/.exec(response.text) ?? [];
  if (key !== undefined) yield { kind: "page address", value: key };
  const code = /[?&]code=([0-9A-Za-z]{43})(&|$)/.exec(response.headers.location ?? "")?.[1];
  if (code !== undefined) yield { kind: "authorization code", value: code };
  if (typeof requestBody !== "string" || response.status >= 400) return;
  yield* ofField("passcode", "passcode", requestBody);
  const typed = /^passcode=([^&]*)$/.exec(requestBody)?.[1];
  if (typed !== undefined) yield { kind: "passcode", value: decodeURIComponent(typed.replaceAll("+", " ")) };
}

/** Finds all values of a JSON field anywhere in a text. */
function* ofField(kind: SecretKind, name: string, text: string): Generator<Secret> {
  for (const [, value = ""] of text.matchAll(new RegExp(`"${name}":"([^"\\\\]+)"`, "g")))
    yield { kind, value };
}
