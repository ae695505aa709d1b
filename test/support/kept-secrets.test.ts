import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { findKeptSecrets, type Secret } from "./kept-secrets.ts";

const token = createTokenPlaintext((max) => max - 1);
const cookie: Secret = { kind: "gate cookie", value: "1.1795268117.3.c2lnbmF0dXJl" };
const passcode: Secret = { kind: "passcode", value: "öffne dich" };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-secrets-"));
  mkdirSync(join(directory, "data"));
  write("log.txt", '{"operation":"get-me"}\n');
  const client = JSON.stringify({ client_id: "dropleaf", client_secret: "the-clients-own-secret" });
  const previous = { value: "the-key-before-this-one" };
  write(
    "data/secrets.json",
    JSON.stringify({ arn: { value: client, versionId: "a-version-of-it", previous } }),
  );
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(directory, file), text);
}

test("no secret is found in the data of a service that leaks nothing", () => {
  write("data/dynamodb.sqlite", `dropleaf a-version-of-it ${token.slice(0, -1)}_ 1.1795268117.3`);

  expect(findKeptSecrets(directory, [cookie, passcode])).toEqual([]);
});

test.each([
  ["log.txt", "API token", token],
  ["data/dynamodb.sqlite", "API token", token],
  ["data/dynamodb.sqlite-wal", "gate cookie", cookie.value],
  ["data/sqs.sqlite", "passcode", passcode.value],
  ["log.txt", "secret of the stack", "the-clients-own-secret"],
  ["data/streams.sqlite", "secret of the stack", "the-key-before-this-one"],
])("in %s an %s is found, and not printed", (file, kind, value) => {
  write(file, `\u0000before${value}after\u0000${"x".repeat(10)}`);

  const found = findKeptSecrets(directory, [cookie, passcode]);

  expect(found).toEqual([{ kind, start: `${value.slice(0, 6)}…`, file: join(directory, file), offset: 7 }]);
});
