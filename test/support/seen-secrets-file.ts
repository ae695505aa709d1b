import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "./kept-secrets.ts";

/** Beside a service's log and data, the secrets that went between it and its tests: one of JSON a line. */
const fileName = "seen-secrets.txt";

/** Adds one to those of a service. */
export function writeSeenSecret(serviceDirectory: string, secret: Secret): void {
  appendFileSync(join(serviceDirectory, fileName), `${JSON.stringify(secret)}\n`);
}

/** All that the tests of a service have seen. */
export function readSeenSecrets(serviceDirectory: string): Secret[] {
  const file = join(serviceDirectory, fileName);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Secret);
}
