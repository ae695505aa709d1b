// @module-tag nightly

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { afterEach, expect, test } from "vitest";
import { send } from "../../packages/local-cloud/test/http-client.ts";

const projectDirectory = resolve(import.meta.dirname, "../..");
const copied = [
  "bin",
  "docs",
  "functions",
  "lib",
  "local",
  "settings.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
/** Time for a start that synthesizes the stack, which takes a busy machine minutes. */
const synthesis = { timeout: 240_000 };
const directory = mkdtempSync(join(tmpdir(), "dropleaf-watch-"));
let child: ChildProcess | undefined;
afterEach(async () => {
  if (child?.exitCode === null) {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
  rmSync(directory, { recursive: true });
});

test("npm run dev serves the changed code at the same address and with the same data", async () => {
  for (const path of copied) cpSync(join(projectDirectory, path), join(directory, path), { recursive: true });
  symlinkSync(join(projectDirectory, "node_modules"), join(directory, "node_modules"));
  const port = await findFreePort(2);
  child = spawn(process.execPath, ["--import", "tsx", "bin/watch.ts"], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? "", PORT: String(port), DATA_DIR: join(directory, "data") },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => (output += String(bytes)));
  const ready = `Dropleaf is ready at http://localhost:${port}\n`;
  const timesReady = () => output.split(ready).length - 1;
  const robots = async () =>
    (await send(port, "/robots.txt", { headers: { Host: `localhost:${port}` } })).text;
  await expect.poll(timesReady, synthesis).toBe(1);
  expect(await robots()).not.toContain("changed meanwhile");

  const Host = `localhost:${port}`;
  const started = await send(port, "/api/auth/start", { method: "POST", headers: { Host }, body: "{}" });
  const { poll_token } = started.json() as { poll_token: string };

  const source = join(directory, "functions/discovery/text-documents.ts");
  const text = readFileSync(source, "utf8");
  writeFileSync(source, text.replace("User-agent: *", "# changed meanwhile\nUser-agent: *"));

  await expect.poll(timesReady, synthesis).toBe(2);
  expect(await robots()).toContain("changed meanwhile");
  const poll = await send(port, `/api/auth/poll?token=${poll_token}`, { headers: { Host } });
  expect(poll.json()).toMatchObject({ status: "pending" });
});
