import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "./kept-secrets.ts";

/** File beside a service's log and data that lists the secrets its tests have seen, one JSON object a line. */
const fileName = "seen-secrets.txt";

/** Adds a secret to a service's file. */
export function writeSeenSecret(serviceDirectory: string, secret: Secret): void {
  appendFileSync(join(serviceDirectory, fileName), `${JSON.stringify(secret)}\n`);
}

/** Reads all secrets that the tests of a service have seen. */
export function readSeenSecrets(serviceDirectory: string): Secret[] {
  const file = join(serviceDirectory, fileName);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Secret);
}
