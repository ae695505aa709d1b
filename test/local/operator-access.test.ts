import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeOperatorAccess } from "@dropleaf/local-cloud/operator-access";
import { afterAll, expect, test } from "vitest";
import { openService } from "../../scripts/operator/service.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const access = {
  address: "http://localhost:8787",
  awsEndpointUrl: "http://127.0.0.1:9",
  administrator: { accessKeyId: "key", secretAccessKey: "secret" },
  outputs: { TableName: "Table" },
};

test("a local cloud that was killed is reported as not running", async () => {
  writeOperatorAccess(folder, access);

  const opening = openService({ local: folder });

  await expect(opening).rejects.toThrow(
    `The local cloud of ${folder} is not running. Start it with npm start.`,
  );
});
