// @module-tag nightly

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage, useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";

const requestsPerDayMax = 1_000;

let service: RunningService;
let owner: Account;

beforeAll(async () => {
  service = await startService({
    fileSettings: { ingest: "none", originSecrets: { sent: 1, accepted: [1, 2] }, requestsPerDayMax },
  });
  useService(service);
  owner = await newAccount("ada");
});

afterAll(() => service.stop());

/** Sends a request directly to the API, as anyone can who knows its host name. */
async function askApi(path: string, headers: Readonly<Record<string, string>> = {}) {
  const [api] = service.cloud.restApis;
  if (api === undefined) throw new Error("The stack has no REST API.");
  const response = await api.handle({
    method: "GET",
    path: `/live${path}`,
    query: undefined,
    headers: Object.entries({ host: api.domainName, ...headers }),
    body: Readable.from([]),
    peer: { address: "192.0.2.1", port: 1 },
  });
  const sent = Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return {
    status: response.statusCode,
    headers: sent,
    /** The function that responded, or undefined if API Gateway did. */
    servedBy: response.servedBy,
    error: JSON.parse(String(response.body)).error,
  };
}

/** Returns the edge's keys, beginning with the one that the edge sends. */
function edgeKeys(): string[] {
  const { template, awsEndpoint } = service.cloud;
  return resourcesOfType(template, "AWS::SecretsManager::Secret").map(({ arn }) =>
    awsEndpoint.readSecret(arn),
  );
}

const log = () => readFileSync(join(service.directory, "log.txt"), "utf8");

describe("a request that bypasses CloudFront", () => {
  test.each([
    ["without a key", {}],
    ["with a guessed key", { "x-api-key": "guess0123456789abcdefghijklmnop" }],
    ["with an empty key", { "x-api-key": "" }],
  ])(
    "is refused by API Gateway with an error of the contract, and runs no function: %s",
    async (_, headers) => {
      for (const path of ["/", "/api/me", "/p/aB3dE5f", "/no/such/address"]) {
        const claimed = { ...headers, "x-dropleaf-host": "localhost", "x-dropleaf-address": "203.0.113.1" };
        const response = await askApi(path, claimed);

        expect([response.status, response.error.code, response.servedBy]).toEqual([
          403,
          "forbidden",
          undefined,
        ]);
        expect(response.error.message).toContain("Call the service at its base URL");
        // Functions log each request that they receive.
        expect(log()).not.toContain(response.headers["x-amzn-requestid"]);
      }
    },
  );

  test("is accepted with either of two valid keys, as during a rotation", async () => {
    const keys = edgeKeys();
    expect(keys).toHaveLength(2);

    for (const key of keys) {
      const { servedBy, error, headers } = await askApi("/no/such/address", {
        "x-api-key": key,
        "x-dropleaf-host": `localhost:${service.port}`,
      });

      expect([servedBy, error.code]).toEqual([expect.stringContaining("show-not-found"), "not_found"]);
      await expect.poll(log).toContain(headers["x-amzn-requestid"]);
    }
  });
});

describe("a viewer's own x-api-key", () => {
  test("has no effect, because the edge replaces it", async () => {
    const { slug } = await publish(owner.api);
    const headers = { "x-api-key": "viewer0123456789abcdefghijklmnop" };

    expect((await fetchPage(`/p/${slug}`, { headers })).status).toBe(200);
    const me = await fetchPage("/api/me", {
      headers: { ...headers, authorization: `Bearer ${owner.api.token}` },
    });
    expect(me.status).toBe(200);
  });
});

// This must be the last describe, because the service refuses all requests afterwards.
describe("after requestsPerDayMax requests", () => {
  test("every request gets 429 with the operator's limit and the time to retry", async () => {
    const [key = ""] = edgeKeys();
    const send = () => askApi("/no/such/address", { "x-api-key": key });
    const isOver = ({ error }: Awaited<ReturnType<typeof send>>) => String(error.message).includes("today");
    let served = 0;
    for (;;) {
      const response = await send();
      if (isOver(response)) break;
      if (response.servedBy !== undefined) served += 1;
      expect(served).toBeLessThanOrEqual(requestsPerDayMax);
    }

    expect(served).toBeGreaterThan(requestsPerDayMax / 2);
    for (const path of ["/api/me", "/"]) {
      // The requests above have also used up the rate of this second, whose refusal has precedence.
      const response = await vi.waitUntil(async () => {
        const one = await fetchPage(path, { headers: { accept: "application/json" } });
        return one.headers["retry-after"] !== "1" && one;
      });

      expect(JSON.parse(response.text).error).toEqual({
        code: "rate_limited",
        message: expect.stringContaining("its request limit for today"),
        details: { retry_after_seconds: 3_600 },
      });
      expect([response.status, response.headers["retry-after"]]).toEqual([429, "3600"]);
      expect(response.headers["cache-control"]).toBe("no-store");
    }
    const { details } = expectError(await fetchPage("/api/me"), "rate_limited");
    expect(details.retry_after_seconds).toBe(3_600);
  });

  test("requests with the next key of a rotation are still served", async () => {
    const [, second = ""] = edgeKeys();

    expect((await askApi("/no/such/address", { "x-api-key": second })).servedBy).toBeDefined();
  });
});
