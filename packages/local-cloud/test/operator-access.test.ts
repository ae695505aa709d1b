import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { operatorAccessFile, writeOperatorAccess } from "../src/operator-access.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-test-"));
const file = join(folder, operatorAccessFile);
afterAll(() => rmSync(folder, { recursive: true }));

const access = {
  address: "http://localhost:8787",
  awsEndpointUrl: "http://127.0.0.1:9",
  administrator: { accessKeyId: "key", secretAccessKey: "secret" },
  outputs: { TableName: "Table" },
};

test("the file of the administrator's keys exists while the local cloud runs, readable only by its owner", async () => {
  // A local cloud that was killed leaves this file.
  writeFileSync(file, "{}", { mode: 0o644 });

  const written = writeOperatorAccess(folder, access);
  const mode = statSync(file).mode & 0o777;
  const text = readFileSync(file, "utf8");
  await written.stop();

  expect(mode).toBe(0o600);
  expect(JSON.parse(text)).toEqual(access);
  expect(existsSync(file)).toBe(false);
});
