// @module-tag slow

import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { webhookSecretCommand } from "../../scripts/operator/keys.ts";
import { type ClientHost, startClientHost } from "../support/client-host.ts";
import { type ServiceWithStorage, startServiceWithStorage } from "../workers/service-with-storage.ts";

/** A delivery that a receiver got. */
interface Received {
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const publicAddress = "93.184.215.14";
const urlOf = (name: string) => `https://${name}.clients.example/hook`;

let hosts: ClientHost;
let service: ServiceWithStorage;
const received: Received[] = [];
/** Responses of receivers by name. The default is to accept. */
const manners = new Map<string, (response: ServerResponse) => void>();

beforeAll(async () => {
  hosts = await startClientHost((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const host = (request.headers.host ?? "").split(".")[0] ?? "";
      received.push({ host, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const manner = manners.get(host) ?? (() => response.writeHead(204).end());
      manner(response);
    });
  });
  const names = ["good", "away", "hangs", "picky", "elsewhere"];
  service = await startServiceWithStorage(60, {
    environmentsPerFunction: 2,
    unsafeWebhookPauseSeconds: 1,
    fileSettings: {
      ingest: "none",
      webhooks: [
        { url: urlOf("good") },
        { url: urlOf("away") },
        { url: urlOf("hangs") },
        { url: urlOf("picky"), events: ["drop.deleted"] },
        { url: urlOf("rebound") },
      ],
    },
    internet: hosts.internetWith({
      ...Object.fromEntries(names.map((name) => [`${name}.clients.example`, { addresses: [publicAddress] }])),
      "rebound.clients.example": { addresses: [publicAddress], connectsTo: "10.0.0.1" },
    }),
  });
});
afterAll(async () => {
  await service?.stop();
  await hosts?.stop();
});

test("a receiver gets events with signatures that the reference verifier accepts", async () => {
  const slug = await publish();

  await expect.poll(() => of("good", slug)).toHaveLength(1);
  const [{ headers, body } = nothing()] = of("good", slug);
  const [secret] = await secretsFor("good");
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: "drop.published",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      id: headers["webhook-id"],
      number: 1,
      time: expect.any(String),
      stack: "Dropleaf",
      slug,
      owner: expect.stringMatching(/^\w{16}$/),
      version: 1,
    },
  });
  expect(headers["content-type"]).toBe("application/json");
  expect(body).not.toMatch(/secret/i);
});

test("each URL has its own secret", async () => {
  const slug = await publish();
  await expect.poll(() => of("good", slug)).toHaveLength(1);
  const [{ headers, body } = nothing()] = of("good", slug);

  const [other] = await secretsFor("away");

  expect(() => new Webhook(other).verify(body, headers as Record<string, string>)).toThrow(
    "No matching signature found",
  );
});

test("a receiver gets only the kinds of events in its setting", async () => {
  const slug = await publish();
  await service.call("DELETE", `/api/drops/${slug}`);

  await expect.poll(() => kindsOf("good", slug)).toEqual(["drop.published", "drop.deleted"]);
  await expect.poll(() => kindsOf("picky", slug)).toEqual(["drop.deleted"]);
});

test("a receiver that was down gets all events afterwards, and each event always has the same content", {
  tags: "nightly",
}, async () => {
  manners.set("away", (response) => response.writeHead(503).end());
  const slug = await publish();
  for (const title of ["Two", "Three", "Four"]) await service.call("PATCH", `/api/drops/${slug}`, { title });
  await expect.poll(() => of("good", slug)).toHaveLength(4);
  await expect.poll(() => of("away", slug).length).toBeGreaterThan(6);

  manners.delete("away");
  const from = received.length;

  await expect.poll(() => idsOf(received.slice(from), "away", slug).size).toBe(4);
  const bodies = new Set(of("away", slug).map(({ headers, body }) => `${headers["webhook-id"]} ${body}`));
  expect(bodies.size).toBe(4);
  const [secret] = await secretsFor("away");
  for (const { headers, body } of of("away", slug))
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      data: { slug },
    });
});

test("a receiver that hangs does not delay others, and gets its events later", {
  tags: "nightly",
}, async () => {
  const waiting: ServerResponse[] = [];
  manners.set("hangs", (response) => void waiting.push(response));

  const slugs = await Promise.all(Array.from({ length: 12 }, publish));

  await expect.poll(() => slugs.filter((slug) => of("good", slug).length > 0)).toEqual(slugs);
  expect(waiting.length).toBeGreaterThan(0);
  await expect
    .poll(() => logged("not-delivered", "hangs.clients.example"))
    .toContainEqual(expect.objectContaining({ why: "timed-out" }));
  manners.delete("hangs");
  // Deliveries to it pause for half a minute.
  await expect
    .poll(() => slugs.filter((slug) => of("hangs", slug).length > 0), { timeout: 180_000 })
    .toEqual(slugs);
});

test("a receiver whose host name resolves to a private address at the connection gets nothing", async () => {
  const slug = await publish();

  await expect.poll(() => of("good", slug)).toHaveLength(1);
  await expect
    .poll(() => logged("not-delivered", "rebound.clients.example"))
    .toContainEqual(
      expect.objectContaining({ why: "not-public", explanation: expect.stringContaining("public internet") }),
    );
  expect(received.filter(({ host }) => host === "rebound")).toEqual([]);
});

test("a redirect is not followed, and a receiver that returns 410 gets nothing more", async () => {
  manners.set("picky", (response) => response.writeHead(307, { location: urlOf("elsewhere") }).end());
  const slug = await publish();
  await service.call("DELETE", `/api/drops/${slug}`);
  await expect.poll(() => of("picky", slug).length).toBeGreaterThan(1);

  manners.set("picky", (response) => response.writeHead(410).end());
  await expect.poll(() => logged("webhook-gone", "picky.clients.example")).toHaveLength(1);
  const count = of("picky", slug).length;
  manners.delete("picky");
  const other = await publish();
  await service.call("DELETE", `/api/drops/${other}`);
  await expect.poll(() => of("picky", other)).toHaveLength(1);

  expect(of("picky", slug)).toHaveLength(count);
  expect(received.filter(({ host }) => host === "elsewhere")).toEqual([]);
});

test("after a rotation each delivery is valid with the new secret and with the previous one", async () => {
  const [before] = await secretsFor("good");

  const [after, still] = await secretsFor("good", { rotate: true });
  const slug = await publish();

  expect(still).toBe(before);
  expect(after).not.toBe(before);
  await expect.poll(() => of("good", slug)).toHaveLength(1);
  const [{ headers, body } = nothing()] = of("good", slug);
  for (const secret of [after, before])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "drop.published",
    });
});

async function publish(): Promise<string> {
  const { json } = await service.call("POST", "/api/drops", {
    html: "<p>Secret plans",
    title: "Secret title",
  });
  return json.slug;
}

function of(host: string, slug: string, among: readonly Received[] = received): Received[] {
  return among.filter((one) => one.host === host && JSON.parse(one.body).data.slug === slug);
}

function idsOf(among: readonly Received[], host: string, slug: string): Set<unknown> {
  return new Set(of(host, slug, among).map(({ headers }) => headers["webhook-id"]));
}

function kindsOf(host: string, slug: string): unknown[] {
  const events = of(host, slug).map(({ body }) => JSON.parse(body));
  return events.sort((one, other) => one.data.number - other.data.number).map(({ type }) => type);
}

/** Reads the secrets as an operator does. */
async function secretsFor(
  name: string,
  options: { readonly rotate?: boolean } = {},
): Promise<[current: string, before: string]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const terminal = { print, report: print, ask: async () => "" };
  const args = [urlOf(name), "--local", service.dataDirectory, ...(options.rotate ? ["--rotate"] : [])];
  await webhookSecretCommand.execute(args, terminal);
  const [current = "", before = ""] = lines.map((line) => /whsec_\S+/.exec(line)?.[0]);
  return [current, before];
}

/** Log entries about deliveries to a host. */
function logged(event: string, host: string): object[] {
  const log = readFileSync(join(service.dataDirectory, "../log.txt"), "utf8");
  const lines = log.split("\n").flatMap((line) => /\{"level".*\}$/.exec(line) ?? []);
  const all = lines.map((line) => JSON.parse(line));
  return all.filter((line) => line.event === event && line.host === host);
}

function nothing(): never {
  throw new Error("Nothing was received.");
}
