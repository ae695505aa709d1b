import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { outputNames } from "../../lib/output-names.ts";
import { send } from "../../packages/local-cloud/test/http-client.ts";

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

/** Starts the program of `npm start`. `until` waits for a text in its output, and `exited` is its exit code. */
function start(environment: Record<string, string>) {
  const command = ["bin/start.mjs"];
  const started = spawn(process.execPath, command, { env: { PATH: process.env.PATH ?? "", ...environment } });
  child = started;
  let output = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (bytes) => (output += String(bytes)));
  const exited = new Promise<number | null>((resolve) => started.once("exit", resolve));
  const until = (text: string) => expect.poll(() => output).toContain(text);
  return { started, exited, until, output: () => output };
}

/** Returns the command lines of a process's running children. */
function childrenOf(processId: number | undefined): string[] {
  const lines = execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => Number.parseInt(line, 10) === processId && !line.includes("<defunct>"));
}

/** Stores a drop whose item is invalid. */
async function givenBrokenDrop(slug: string): Promise<void> {
  const access = JSON.parse(readFileSync(join(dataDirectory, operatorAccessFile), "utf8")) as OperatorAccess;
  const { awsEndpointUrl: endpoint, administrator: credentials } = access;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: "us-east-1", credentials }),
  );
  const TableName = access.outputs[outputNames.tableName] ?? "";
  const pointer = { ...keys.pointer(slug), ownerId: "usr_1", namespace: "ada" };
  const drop = { ...keys.drop("usr_1", slug), slug, namespace: "ada", metadata: "not JSON" };
  for (const item of [pointer, drop]) {
    await client.send(new PutCommand({ TableName, Item: item }));
  }
}

/** Sets a breakpoint at a text of the code, like a debugger, and returns where a request stops. */
async function stopAt(address: string, text: string, request: () => Promise<unknown>) {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const scripts: { scriptId: string; url: string; sourceMapURL: string }[] = [];
  const responses = new Map<number, (result: Record<string, never>) => void>();
  const paused = Promise.withResolvers<{ callFrames: { functionName: string }[] }>();
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result } = JSON.parse(String(data));
    if (method === "Debugger.scriptParsed") scripts.push(params);
    if (method === "Debugger.paused") paused.resolve(params);
    responses.get(id)?.(result);
  });
  let lastId = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<Record<string, never>>((resolve) => {
      lastId += 1;
      responses.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  await ask("Debugger.enable");
  const script = scripts.find(({ url }) => url.endsWith("/index.mjs"));
  const { scriptSource } = await ask("Debugger.getScriptSource", { scriptId: script?.scriptId });
  const before = String(scriptSource).split(text)[0] ?? "";
  const lineNumber = before.split("\n").length - 1;
  await ask("Debugger.setBreakpoint", { location: { scriptId: script?.scriptId, lineNumber } });
  const response = request();
  const [frame] = (await paused.promise).callFrames;
  await ask("Debugger.resume");
  await response;
  socket.close();
  const map = JSON.parse(readFileSync(fileURLToPath(script?.sourceMapURL ?? ""), "utf8")) as {
    sources: string[];
  };
  const sources = map.sources.filter((source) => source.endsWith("functions/drops/items.ts"));
  return { functionName: frame?.functionName, sources };
}

describe("npm start", () => {
  it("serves the stack of the settings, prints its URL, and stops with exit code 0 on SIGTERM", {
    tags: "slow",
  }, async () => {
    const port = await findFreePort(2);
    const settings = join(directory, "settings.ts");
    writeFileSync(settings, 'export const settings = { ingest: "none", identityProvider: "github" };');
    const { started, exited, until } = start({
      PORT: String(port),
      DATA_DIR: dataDirectory,
      SETTINGS: settings,
    });
    await until(`npm start replaces settings of ${settings} with local values: identityProvider\n`);
    await until(`Starting the local cloud, with its data in ${dataDirectory}.\n`);
    await until(
      "Pages are public unless their owners choose another visibility (setting defaultVisibility).\n",
    );
    await until(`Dropleaf is ready at http://localhost:${port}\n`);
    await until("Any user name signs in.");
    await until(
      `export DROPLEAF_URL=http://localhost:${port} && export DROPLEAF_TOKEN=$(node examples/node/sign-in.mjs)\n`,
    );
    await until("sh examples/curl/publish.sh hello.html\n");

    const response = await send(port, "/api/me", { headers: { Host: `localhost:${port}` } });
    const large = await send(port, "/api/blobs", {
      method: "POST",
      headers: { Host: `localhost:${port}` },
      body: "x".repeat(3_145_729),
    });
    started.kill("SIGTERM");

    // The settings have no ingest server, so large bodies are refused.
    expect(large.status).toBe(413);
    expect(response.status).toBe(401);
    expect(response.json()).toMatchObject({ error: { code: "unauthorized" } });
    expect(await exited).toBe(0);
  });

  it("with DEBUG=1 runs unminified functions: stacks name the sources, and a debugger stops in them", {
    tags: "nightly",
  }, async () => {
    const port = await findFreePort(2);
    const { started, exited, until, output } = start({
      PORT: String(port),
      DATA_DIR: dataDirectory,
      SETTINGS: "settings.ts",
      DEBUG: "1",
    });
    await until(`Dropleaf is ready at http://localhost:${port}\n`);
    await expect.poll(() => childrenOf(started.pid)).not.toContainEqual(expect.stringContaining("esbuild"));
    await givenBrokenDrop("Ab3dE6g");
    const view = () => send(port, "/p/Ab3dE6g", { headers: { Host: `localhost:${port}` } });

    expect((await view()).status).toBe(500);
    await until("SyntaxError: ");

    expect(output()).toMatch(/SyntaxError: .*"not JSON" is not valid JSON\n/);
    expect(output()).toMatch(/ at toDrop \(functions\/drops\/items\.ts:\d+:\d+\)\n/);
    const address = /\[local_view-drop\] Debugger: attach to (ws:\S+)/.exec(output())?.[1] ?? "";
    const stopped = await stopAt(address, "metadata: new Map(JSON.parse(", view);
    expect(stopped).toMatchObject({
      functionName: "toDrop",
      sources: [expect.stringContaining("file://")],
    });
    started.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it("refuses an invalid PORT before it starts", { tags: "slow" }, async () => {
    const { exited, output } = start({ PORT: "eighty", DATA_DIR: dataDirectory, SETTINGS: "settings.ts" });

    expect(await exited).toBe(1);
    expect(output()).toBe('PORT must be a whole number from 1024 to 65534, not "eighty".\n');
  });

  it("refuses invalid settings before it starts, with the file and the setting's name", {
    tags: "slow",
  }, async () => {
    const settings = join(directory, "wrong.json");
    writeFileSync(settings, '{ "stage": "test" }');

    const { exited, output } = start({ DATA_DIR: dataDirectory, SETTINGS: settings });

    expect(await exited).toBe(1);
    expect(output()).toBe(`${settings}: stage is "test": use "production" or "throwaway"\n`);
  });
});
