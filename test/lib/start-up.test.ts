// @module-tag slow

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { grantsOf, type OperationId } from "../../functions/routes.ts";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { findOrBundleFunctions } from "../../lib/bundle/bundle-cache.ts";
import {
  functionSources,
  handlerSource,
  ingestSource,
  servedOperationIds,
} from "../../lib/bundle/function-source.ts";
import { type ColdFunction, lambdaEnvironment, startColdFunction } from "../support/cold-function.ts";
import { patiently } from "../support/patience.ts";
import { startTlsEndpoint, type TlsEndpoint } from "../support/tls-endpoint.ts";

let directory: string;
beforeAll(async () => {
  // The local cloud bundles the same sources, so they are often in the cache already.
  ({ directory } = await findOrBundleFunctions([...functionSources, ingestSource]));
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function givenEndpoint(answer: RequestListener = answerNothing): Promise<TlsEndpoint> {
  const endpoint = await startTlsEndpoint(answer);
  ends.push(endpoint.stop);
  return endpoint;
}

async function givenFunction(id: OperationId, env: Readonly<Record<string, string>>): Promise<ColdFunction> {
  const started = await startColdFunction(join(directory, id, "index.mjs"), handlerSource(id).exportName, {
    ...functionEnvironment,
    ...lambdaEnvironment,
    ...env,
  });
  ends.push(started.kill);
  return started;
}

const functionEnvironment = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  BASE_URL: "https://drops.example.com",
  BASE_DOMAIN: "drops.example.com",
  TABLE_NAME: "table",
  PAGES_BUCKET: "pages",
  BLOBS_BUCKET: "blobs",
  VIEWS_QUEUE_URL: "https://sqs.us-east-1.amazonaws.com/000000000000/views",
  IDENTITY_PROVIDER_PARAMETER: "/dropleaf/Dropleaf/identity-provider",
};

const endpointOf = ({ url, certificateFile }: TlsEndpoint) => ({
  AWS_ENDPOINT_URL: url,
  NODE_EXTRA_CA_CERTS: certificateFile,
});

/** Responds like an empty table. */
const answerNothing: RequestListener = (request, response) => {
  request.resume();
  request.on("end", () => response.end("{}"));
};

/** Returns an event of a REST API's proxy integration. */
function requestOf(path: string, query = ""): object {
  const headers = {
    "x-dropleaf-host": ["drops.example.com"],
    "x-dropleaf-query": [query],
  };
  const requestContext = { requestId: "request", identity: { sourceIp: "192.0.2.1" } };
  return {
    httpMethod: "GET",
    path,
    multiValueHeaders: headers,
    pathParameters: { slug: "ZfCzC4" },
    body: null,
    isBase64Encoded: false,
    requestContext,
  };
}

/** Waits for the server's side of TLS, which completes a moment after the client's. */
function opened(endpoint: TlsEndpoint, count: number): Promise<void> {
  return vi.waitFor(() => expect(endpoint.handshakes()).toBe(count), patiently);
}

const statusOf = ({ response }: { readonly response: unknown }) =>
  (response as { statusCode: number }).statusCode;

describe("the first request of a function", () => {
  test("opens no connection, because they were opened while the function was loaded", async () => {
    const endpoint = await givenEndpoint();

    const viewer = await givenFunction("view-drop", endpointOf(endpoint));
    // Two for the table (the drop and its versions) and one for the queue of views.
    await opened(endpoint, 3);
    const answered = await viewer.call(requestOf("/p/ZfCzC4"));

    expect(statusOf(answered)).toBe(404);
    expect(endpoint.handshakes()).toBe(3);
  });

  test("is the function's first call to AWS", async () => {
    let requests = 0;
    const endpoint = await givenEndpoint((request, response) => {
      requests += 1;
      answerNothing(request, response);
    });

    await givenFunction("read-raw-page", endpointOf(endpoint));

    await opened(endpoint, 2);
    expect(requests).toBe(0);
  });

  test("opens a connection itself if the early one was closed in the meantime", async () => {
    const endpoint = await givenEndpoint();
    const drop = await givenFunction("read-raw-page", endpointOf(endpoint));
    await opened(endpoint, 2);
    endpoint.closeConnections();

    const answered = await drop.call(requestOf("/p/ZfCzC4/raw"));

    expect(statusOf(answered)).toBe(404);
  });

  test("reads a secret again that could not be read while the function was loaded", async () => {
    let isRefused = true;
    const asked = Promise.withResolvers<void>();
    const endpoint = await givenEndpoint((_, response) => {
      asked.resolve();
      const secret = { Parameter: { Value: '{"client_id":"id","client_secret":"secret"}' } };
      response.statusCode = isRefused ? 400 : 200;
      response.end(JSON.stringify(isRefused ? { __type: "AccessDeniedException" } : secret));
    });
    const reader = await startColdFunction(await bundleReader(), "read", {
      ...functionEnvironment,
      ...lambdaEnvironment,
      ...endpointOf(endpoint),
    });
    ends.push(reader.kill);
    // The function may be loaded before its first request has arrived.
    await asked.promise;
    isRefused = false;

    const { response } = await reader.call({});

    expect(reader.output()).toBe("");
    expect(response).toEqual({ readings: 2, clientId: "id" });
  });
});

/** Bundles a function that reads a secret for every request. */
async function bundleReader(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-start-up-"));
  ends.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "read.ts");
  const functions = resolve(import.meta.dirname, "../../functions");
  writeFileSync(
    file,
    `import { readIdentityProviderClient, systemsManager } from "${functions}/identity/registration.ts";
     import { onInit } from "${functions}/core/start-up.ts";
     let readings = 0;
     const { send } = systemsManager;
     systemsManager.send = (command) => { readings += 1; return send.call(systemsManager, command); };
     onInit(readIdentityProviderClient);
     export const read = async () => {
       const { clientId } = await readIdentityProviderClient();
       return { readings, clientId };
     };`,
  );
  await bundleFunctions([{ id: "read", file, exportName: "read" }], join(folder, "functions"));
  return join(folder, "functions/read/index.mjs");
}

describe("a function still loads", () => {
  test("when AWS's address refuses connections", async () => {
    const port = await findFreePort();

    const viewer = await givenFunction("view-drop", { AWS_ENDPOINT_URL: `https://localhost:${port}` });

    expect(viewer.output()).toBe("");
    expect(await viewer.end()).toBe(0);
  });

  test("when AWS accepts the connection and never responds", async () => {
    const silent = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "localhost", resolve));
    ends.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;

    const viewer = await givenFunction("view-drop", { AWS_ENDPOINT_URL: `https://localhost:${port}` });

    expect(viewer.output()).toBe("");
  });

  test("when its environment lacks required variables", async () => {
    const endpoint = await givenEndpoint();

    const viewer = await givenFunction("view-drop", {
      ...endpointOf(endpoint),
      TABLE_NAME: "",
      VIEWS_QUEUE_URL: "",
    });

    expect(viewer.output()).toBe("");
    expect(endpoint.handshakes()).toBe(0);
  });
});

describe("an early connection", () => {
  test("keeps no process running", async () => {
    const endpoint = await givenEndpoint();

    const viewer = await givenFunction("view-drop", endpointOf(endpoint));

    expect(await viewer.end()).toBe(0);
  });

  test("is not opened in the local cloud, which uses plain HTTP", async () => {
    let connections = 0;
    const local = createHttpServer().on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => local.listen(0, "localhost", resolve));
    ends.push(() => local.close());
    const { port } = local.address() as AddressInfo;

    await givenFunction("view-drop", { AWS_ENDPOINT_URL: `http://localhost:${port}` });

    expect(connections).toBe(0);
  });

  test("is not opened outside functions, such as in the operator's program", async () => {
    const endpoint = await givenEndpoint();

    const { AWS_LAMBDA_FUNCTION_NAME: _, ...env } = {
      ...functionEnvironment,
      ...endpointOf(endpoint),
      ...lambdaEnvironment,
    };
    const viewer = await startColdFunction(join(directory, "view-drop/index.mjs"), "viewDrop", env);
    ends.push(viewer.kill);

    expect(endpoint.handshakes()).toBe(0);
  });
});

/** AWS services with the grants that need them. A bundle that imports a service's client connects to it. */
const clients = [
  { service: "DynamoDB", grants: ["table"] },
  { service: "S3", grants: ["pages", "cards", "reports", "blobs", "stagedFiles", "searchIndex", "folders"] },
  { service: "SQS", grants: ["queues"] },
  { service: "SSM", grants: ["identityProvider"] },
  { service: "Lambda", grants: ["operations"] },
] as const;

test.for(servedOperationIds)("%s connects only to services that its grants include", (id) => {
  const code = readFileSync(join(directory, id, "index.mjs"), "utf8");
  // The cookie key is an item of the table, although rows declare it as a secret.
  const granted = grantsOf(id).flatMap(({ secrets = [], ...others }) => [
    ...Object.keys(others),
    ...(secrets.includes("identityProvider") ? ["identityProvider"] : []),
    ...(secrets.includes("cookieKey") ? ["table"] : []),
  ]);

  const connected = clients.filter(({ service }) => code.includes(`serviceId??"${service}"`));

  const wanted = clients.filter(({ grants }) => grants.some((name) => granted.includes(name)));
  expect(connected).toEqual(wanted);
});
