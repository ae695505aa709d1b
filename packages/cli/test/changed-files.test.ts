import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { publishChangedFiles } from "../src/changed-files.ts";
import { Client } from "../src/service/client.ts";

interface Sent {
  readonly call: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const sent: Sent[] = [];
const statuses: number[] = [];
const server = createServer(async (request, response) => {
  sent.push({
    call: `${request.method} ${request.url}`,
    headers: request.headers,
    body: await text(request),
  });
  if (request.method === "PUT") return void response.writeHead(statuses.shift() ?? 200).end();
  const missing = [{ path: "b.js", upload_url: `${address()}/upload`, headers: { "content-length": "6" } }];
  const result = request.url?.endsWith("/files") ? { publication_id: "p1", missing } : { latest_version: 2 };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const files = [
  { path: "index.html", bytes: Buffer.from("entry") },
  { path: "b.js", bytes: Buffer.from("second") },
];

function publish() {
  sent.length = 0;
  const description = { spa: true, fields: { note: "Mended" } };
  return publishChangedFiles(
    new Client(address(), "a token"),
    "/api/drops/k3J9xQ2",
    z.object({ latest_version: z.number() }),
    files,
    description,
    () => {},
  );
}

test("digests of all files are sent to the service, and missing contents are uploaded without the token", async () => {
  const { result } = await publish();

  expect(result).toEqual({ latest_version: 2 });
  expect(sent.map(({ call }) => call)).toEqual([
    "POST /api/drops/k3J9xQ2/files",
    "PUT /upload",
    "POST /api/drops/k3J9xQ2/files/p1",
  ]);
  const [start, upload, end] = sent;
  expect(JSON.parse(start?.body ?? "")).toEqual({
    files: Object.fromEntries(
      files.map(({ path, bytes }) => [
        path,
        { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.byteLength },
      ]),
    ),
    spa: true,
  });
  expect(upload).toMatchObject({ body: "second", headers: { "content-length": "6" } });
  expect(upload?.headers).not.toHaveProperty("authorization");
  expect(JSON.parse(end?.body ?? "")).toEqual({ note: "Mended" });
});

test("an upload is retried after a 503, and a refused one ends the publication", async () => {
  statuses.push(503);
  await publish();
  expect(sent.map(({ call }) => call).filter((call) => call === "PUT /upload")).toHaveLength(2);

  statuses.push(403);
  await expect(publish()).rejects.toThrow("refused a file (status 403)");
  expect(sent).toHaveLength(2);
});
