// @module-tag nightly

import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { type ClientHost, startClientHost } from "../support/client-host.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { connectMcp, revisions } from "../support/mcp-client.ts";
import {
  callback,
  decide,
  discover,
  openConsent,
  redeem,
  sendTo,
  startAuthorization,
} from "../support/oauth.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { connectByAddress } from "../support/sdk-client.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

const publicAddress = "93.184.215.14";
const good = "https://good.clients.example/client.json";

let host: ClientHost;
let service: RunningService;
const asked: string[] = [];

/** Invalid documents by path. Every other path has a valid one. */
const misdeeds: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "/redirect": (_, response) => response.writeHead(302, { location: good }).end(),
  "/missing": (_, response) => response.writeHead(404, json).end("{}"),
  "/html": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  "/text": (_, response) => response.writeHead(200, json).end("no JSON"),
  "/list": (_, response) => response.writeHead(200, json).end("[]"),
  "/large": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { more: "m".repeat(5_200) })),
  "/endless": (_, response) => {
    response.writeHead(200, json);
    const more = () => response.writable && response.write(" ".repeat(64)) && setTimeout(more, 50);
    more();
  },
  "/slow": () => undefined,
  "/other-id": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { client_id: good })),
  "/secret": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { client_secret: "s" })),
  "/by-key": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { token_endpoint_auth_method: "private_key_jwt" })),
  "/no-way-back": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { redirect_uris: [] })),
  "/script": (request, response) =>
    response.writeHead(200, json).end(documentOf(request, { redirect_uris: ["javascript:alert(1)"] })),
};
const json = { "content-type": "application/json" };

beforeAll(async () => {
  host = await startClientHost((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    const misdeed = misdeeds[request.url ?? ""];
    if (misdeed) misdeed(request, response);
    else response.writeHead(200, json).end(documentOf(request));
  });
  // Without a domain, unlike most services in tests.
  service = await startService({
    settings: {},
    environmentsPerFunction: 1,
    internet: host.internetWith({
      "good.clients.example": { addresses: [publicAddress, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"] },
      "bad.clients.example": { addresses: [publicAddress] },
      "rebound.clients.example": { addresses: [publicAddress], connectsTo: "10.0.0.1" },
      "half.clients.example": { addresses: [publicAddress, "169.254.169.254"] },
      ...Object.fromEntries(
        privateAddresses.map((address, index) => [`p${index}.clients.example`, { addresses: [address] }]),
      ),
    }),
  });
  useService(service);
});

afterAll(async () => {
  await service?.stop();
  await host?.stop();
});

/** Private addresses, used as host names and as the targets of host names. */
const privateAddresses = [
  "127.0.0.1",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00:ec2::254",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::a9fe:a9fe",
  "2002:7f00:1::",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "ff02::1",
];

/** Addresses from which no document is fetched. */
const places: readonly (readonly [what: string, clientId: string])[] = [
  ["a name that resolves to a private and a public address", "https://half.clients.example/client.json"],
  [
    "a name that resolves to another address at the connection",
    "https://rebound.clients.example/client.json",
  ],
  ...privateAddresses.map(
    (address, index) =>
      [`a name that resolves to ${address}`, `https://p${index}.clients.example/client.json`] as const,
  ),
  ...privateAddresses.map(
    (address) =>
      [
        address,
        `https://${address.includes(":") ? new URL(`http://[${address}]`).hostname : address}/client.json`,
      ] as const,
  ),
  ["this machine by its name", "https://localhost/client.json"],
  ["this machine as a number", "https://2130706433/client.json"],
  ["this machine in hexadecimal", "https://0x7f.1/client.json"],
  ["http", "http://good.clients.example/client.json"],
  ["another port", "https://good.clients.example:8443/client.json"],
  ["no path", "https://good.clients.example/"],
  ["a fragment", "https://good.clients.example/client.json#x"],
  ["a user name", "https://user@good.clients.example/client.json"],
  ["another spelling of the host", "https://GOOD.clients.example/client.json"],
  ["dots in its path", "https://good.clients.example/a/../client.json"],
  ["an address that is too long", `https://good.clients.example/${"a".repeat(500)}`],
  ["a file", "file:///etc/passwd"],
];

test("a client is identified and admitted by its metadata document, which is fetched only once in minutes", async () => {
  const server = await discover();
  const client = { client_id: good };
  const started = await startAuthorization(client);
  const visitor = new Visitor();

  const page = await openConsent(started.url, unusedUsername("document"), visitor);
  const { tokens } = await redeem({ server, client, started }, await decide(visitor, page, "allow"));

  expect(server.client_id_metadata_document_supported).toBe(true);
  expect(elementsOf(page.response, "strong").map(textOf)).toEqual(["A client by its document"]);
  expect(page.response.text).toContain("The name comes from good.clients.example.");
  expect(asked.filter((one) => one === "good.clients.example/client.json")).toHaveLength(1);
  const { drops } = await (await connectMcp(tokens.access_token)).succeed("list_drops");
  expect(drops).toEqual([]);
  const again = await sendTo("token", {
    grant_type: "refresh_token",
    client_id: good,
    refresh_token: tokens.refresh_token ?? "",
  });
  expect(again.status).toBe(200);
});

test.each(revisions)(
  "the SDK's client of revision %s connects by its metadata document, unregistered",
  async (revision) => {
    const metadataUrl = `https://good.clients.example/sdk-${revision}.json`;

    const { client, clientId } = await connectByAddress(
      revision,
      unusedUsername("sdk-document"),
      metadataUrl,
    );
    const given = { title: "By its document", html: pageOf("sdk") };
    const published = await client.callTool({ name: "publish_drop", arguments: given });

    expect(clientId).toBe(metadataUrl);
    expect(JSON.stringify(published.structuredContent)).toContain("By its document");
  },
);

describe("a client's metadata document is not used", () => {
  // The service gives up on an endless document before the function times out, which would be another response.
  test.each(Object.keys(misdeeds))("if it is invalid: %s", async (path) => {
    const response = await ask(`https://bad.clients.example${path}`);

    expectErrorPage(response, 400);
    expect(response.headers.location).toBeUndefined();
  });

  test.each(places)("if it is at %s, and it is not fetched", async (_case, clientId) => {
    const before = asked.length;

    const response = await ask(clientId);

    expectErrorPage(response, 400);
    expect(asked.slice(before)).toEqual([]);
  });
});

async function ask(clientId: string) {
  const { url } = await startAuthorization({ client_id: clientId }, { resource: `${baseUrl()}/mcp` });
  return (await new Visitor().request(url)).response;
}

function documentOf({ headers, url }: IncomingMessage, changes: object = {}): string {
  return JSON.stringify({
    client_id: `https://${headers.host}${url}`,
    client_name: "A client by its document",
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
    ...changes,
  });
}

test("without a domain, a drop is read on the distribution's host, below its owner's name", async () => {
  const { api } = await newAccount("without-domain");

  const { url, raw_url, slug } = await publish(api, { html: pageOf("no domain") });

  const home = ownerAddress(url);
  expect(home).toMatch(/^https:\/\/\w+\.cloudfront\.net\/@[a-z0-9-]+$/);
  expect([url, raw_url]).toEqual([`${home}/d/${slug}`, `${home}/p/${slug}/raw`]);
  expect((await fetchPage(url)).status).toBe(200);
  expect((await fetchPage(raw_url)).text).toContain("no domain");
});
