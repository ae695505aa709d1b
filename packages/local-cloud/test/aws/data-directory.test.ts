import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseProcess } from "./database-process.ts";
import { runEndpoint, temporaryFolder } from "./running-endpoint.ts";
import { stackOf } from "./stack.ts";

test("a data folder in use by another local cloud is refused until that one stops", async () => {
  const first = await runEndpoint(stackOf());

  const second = runEndpoint(stackOf(), first.dataDirectory);

  await expect(second).rejects.toThrow(
    `The data folder ${first.dataDirectory} is in use by the local cloud of process ${process.pid}`,
  );
  await first.endpoint.stop();
  await (await runEndpoint(stackOf(), first.dataDirectory)).remove();
});

test("a data folder that cannot be written is refused with its path and DATA_DIR", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "file");
  writeFileSync(file, "");

  await expect(runEndpoint(stackOf(), join(file, "data"))).rejects.toThrow(
    `The data folder ${join(file, "data")} cannot be written (ENOTDIR). Choose another one with DATA_DIR`,
  );
  rmSync(folder, { recursive: true });
});

test("a killed local cloud leaves no database process, and its data folder can be used again", {
  tags: "slow",
}, async () => {
  const folder = temporaryFolder();
  const script = `
    import { startAwsEndpoint } from "${import.meta.dirname}/../../src/aws/aws-endpoint.ts";
    import { stackOf } from "${import.meta.dirname}/stack.ts";
    await startAwsEndpoint({ template: stackOf(), dataDirectory: "${folder}", log: console.error });
    console.log("ready");
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");

  child.kill("SIGKILL");
  await once(child, "exit");

  await expect.poll(() => databaseProcess(folder)).toBeUndefined();
  await (await runEndpoint(stackOf(), folder)).remove();
});
