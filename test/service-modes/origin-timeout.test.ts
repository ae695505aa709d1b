// @module-tag nightly

import { afterAll, beforeAll, expect, test } from "vitest";
import { originTimeout } from "../../lib/api/gateway-errors.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectErrorShape } from "../support/expect-error.ts";
import { fetchPage, useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";

let service: RunningService;
let owner: Account;

beforeAll(async () => {
  service = await startService({
    fileSettings: { ingest: "none" },
    // Two seconds in place of 30, so that a feedback request that waits for comments takes longer.
    breakTemplate: ({ Resources }) => {
      for (const { Type, Properties = {} } of Object.values(Resources)) {
        if (Type !== "AWS::CloudFront::Distribution") continue;
        const { Origins } = Properties.DistributionConfig as {
          Origins: { CustomOriginConfig?: { OriginReadTimeout?: number } }[];
        };
        for (const { CustomOriginConfig } of Origins)
          if (CustomOriginConfig) CustomOriginConfig.OriginReadTimeout = 2;
      }
    },
  });
  useService(service);
  owner = await newAccount("ada");
});
afterAll(() => service.stop());

test("a request whose origin does not respond in time gets an error of the contract", async () => {
  const response = await fetchPage("/api/feedback?wait=5", {
    headers: { authorization: `Bearer ${owner.api.token}` },
  });

  expect(response.status).toBe(503);
  expectErrorShape(response);
  expect(JSON.parse(response.text).error).toEqual({
    code: "unavailable",
    message: originTimeout.message,
    details: { retry_after_seconds: 5 },
  });
  expect(response.headers).toMatchObject({
    "content-type": "application/json",
    "retry-after": "5",
    "cache-control": "no-store",
  });
});

test("the error of a function keeps its body", async () => {
  const response = await fetchPage("/api/me");

  expect(JSON.parse(response.text).error.code).toBe("unauthorized");
});
