import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { listen, setEnvironment } from "./programs.ts";
import { runInProcess } from "./run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-large-"));
const page = join(folder, "plot.html");
const drop = {
  slug: "aB3dE5f",
  title: "Plot",
  url: "http://localhost/d/aB3dE5f",
  locked: false,
  latest_version: 1,
  visibility: "public",
  readable_by: "anyone",
};

/** Calls with the size of their bodies, and with the body itself if it is short. */
let calls: { readonly call: string; readonly bytes: number; readonly body: string }[] = [];
let address = "";
const server = createServer(async (request, response) => {
  const sent = await buffer(request);
  const body = sent.toString();
  const call = `${request.method} ${request.url?.split("?")[0]}`;
  calls.push({ call, bytes: sent.byteLength, body: body.length > 5_000 ? "" : body });
  const missing = [{ path: "index.html", upload_url: `${address}/upload`, headers: {} }];
  const answers: Readonly<Record<string, object>> = {
    "GET /api/drops/aB3dE5f/versions": { versions: [{ version: 1, size_bytes: 5 }] },
    "POST /api/drops/aB3dE5f/files": { publication_id: "p1", missing },
    "POST /api/publications": {
      url: `${address}/api/publications/page?key=k`,
      upload_url: `${address}/upload`,
    },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers[call] ?? drop));
});
address = await listen(server);
const restore = setEnvironment({
  DROPLEAF_URL: address,
  DROPLEAF_TOKEN: "hb_1",
  DROPLEAF_CONFIG_DIR: folder,
});

beforeEach(() => {
  calls = [];
});
afterAll(() => {
  restore();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

test("a page above 2 MiB is published as a folder: as an archive, or in steps if it is large or a new version", async () => {
  const start = "<!doctype html><title>Plot</title>";
  writeFileSync(page, `${start}${Array.from({ length: 400_000 }, (_, index) => index).join(" ")}`);
  await runInProcess(["publish", page, "--new"]);
  const archive = calls;
  calls = [];
  writeFileSync(page, `${start}${randomBytes(3_300_000).toString("base64")}`);
  const { exitCode, notes } = await runInProcess(["publish", page, "--new", "--title", "Mine"]);
  const first = calls;
  calls = [];
  await runInProcess(["publish", page]);

  expect(archive.map(({ call }) => call)).toEqual(["POST /api/drops"]);
  expect(archive[0]?.bytes).toBeLessThan(2_000_000);
  expect(exitCode, notes).toBe(0);
  expect(first.map(({ call }) => call)).toEqual([
    "POST /api/publications",
    "PUT /upload",
    "POST /api/publications/page",
  ]);
  expect(JSON.parse(first[0]?.body ?? "")).toEqual({ title: "Mine", archive_bytes: first[1]?.bytes });
  expect(calls.map(({ call }) => call)).toEqual([
    "GET /api/drops/aB3dE5f/versions",
    "POST /api/drops/aB3dE5f/files",
    "PUT /upload",
    "POST /api/drops/aB3dE5f/files/p1",
  ]);
});
