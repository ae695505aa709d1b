import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalCloud } from "@dropleaf/local-cloud";
import { synthesize } from "./stack.ts";

const directory = mkdtempSync(join(tmpdir(), "counter-"));
synthesize(join(directory, "cdk.out"), join(directory, "code"));
const cloud = await startLocalCloud({
  assetsDirectory: join(directory, "cdk.out"),
  port: Number(process.env.PORT ?? 8080),
  dataDirectory: join(directory, "data"),
  log: console.log,
});

const response = await fetch(`${cloud.address}/visits`, { method: "POST" });
console.log(await response.text()); // {"visits":1}
await cloud.stop();
