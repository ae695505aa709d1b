import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { findFreePort } from "../../local/free-port.ts";
import { send } from "./http-client.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-test-"));
const dataDirectory = join(directory, "data");
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(dataDirectory, { recursive: true, force: true });
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** What `npm start` runs; `until` waits for a text in its output, `exited` for its exit code. */
function start(environment: Record<string, string>) {
  const command = ["--import", "tsx", "bin/local.ts"];
  const started = spawn(process.execPath, command, { env: { PATH: process.env.PATH ?? "", ...environment } });
  child = started;
  let output = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (bytes) => (output += String(bytes)));
  const exited = new Promise<number | null>((resolve) => started.once("exit", resolve));
  const until = (text: string) => expect.poll(() => output, { timeout: 20_000 }).toContain(text);
  return { started, exited, until, output: () => output };
}

describe("npm start", () => {
  it("serves the stack of the settings, says where, and ends cleanly at SIGTERM", {
    timeout: 30_000,
  }, async () => {
    const port = await findFreePort(2);
    const settings = join(directory, "settings.ts");
    writeFileSync(settings, 'export const settings = { ingest: "none", identityProvider: "github" };');
    const { started, exited, until } = start({
      PORT: String(port),
      DATA_DIR: dataDirectory,
      SETTINGS: settings,
    });
    await until(`${settings}: this machine's own instead of identityProvider\n`);
    await until(`Dropleaf is ready at http://localhost:${port}\n`);

    const answer = await send(port, "/api/me", { headers: { Host: `localhost:${port}` } });
    const large = await send(port, "/api/blobs", {
      method: "POST",
      headers: { Host: `localhost:${port}` },
      body: "x".repeat(3_145_729),
    });
    started.kill("SIGTERM");

    // Nothing takes large bodies, as the settings say.
    expect(large.status).toBe(413);
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: "unauthorized" } });
    expect(await exited).toBe(0);
  });

  it("refuses a wrong PORT at once", { timeout: 30_000 }, async () => {
    const { exited, output } = start({ PORT: "eighty", DATA_DIR: dataDirectory });

    expect(await exited).toBe(1);
    expect(output()).toBe('PORT must be a whole number from 1024 to 65534, not "eighty".\n');
  });

  it("refuses wrong settings at once, by file and name", { timeout: 30_000 }, async () => {
    const settings = join(directory, "wrong.json");
    writeFileSync(settings, '{ "stage": "test" }');

    const { exited, output } = start({ DATA_DIR: dataDirectory, SETTINGS: settings });

    expect(await exited).toBe(1);
    expect(output()).toBe(`${settings}: stage is "test": write "production" or "throwaway"\n`);
  });
});
