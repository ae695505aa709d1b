// @module-tag slow

import { afterAll, beforeAll, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, useService } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { expectCommonHeaders } from "../support/security-headers.ts";

let service: RunningService;
let owner: Account;
let drop: DropResponse;
let image: BlobResponse;

beforeAll(async () => {
  service = await startService({
    settings: { pricingPlan: "free", ingest: "none" },
    environmentsPerFunction: 1,
  });
  useService(service);
  owner = await newAccount("ada");
  drop = await publish(owner.api, { title: "On the shelf", html: pageOf("first") });
  image = await owner.api.succeed("upload-blob", { query: { filename: "a.png" }, text: "0123456789" });
});

afterAll(() => service.stop());

test("with the smallest pricing plan, pages, their next versions and files are read at their addresses", async () => {
  const first = await fetchPage(drop.raw_url);
  await owner.api.succeed("publish-version", {
    params: { slug: drop.slug },
    body: { html: pageOf("second") },
  });
  const second = await fetchPage(drop.raw_url);
  const viewer = await fetchPage(drop.url);
  const file = await fetchPage(image.url);

  expect([first.status, second.status, viewer.status, file.status]).toEqual([200, 200, 200, 200]);
  expect(first.text).toContain("first");
  // Nothing is kept at the edge, so nothing has to be invalidated first.
  expect(second.text).toContain("second");
  expect(file.text).toBe("0123456789");
  for (const response of [first, viewer, file]) {
    expectCommonHeaders(response);
    expect(response.headers).not.toHaveProperty("x-amz-meta-cache-tag");
  }
});

test("with the smallest pricing plan, a missing file is the 404 page, and a file stays on its owner's address", async () => {
  const home = ownerAddress(drop.url);
  const other = ownerAddress((await publish((await newAccount("grace")).api)).url);
  const accept = { accept: "text/html" };

  expectErrorPage(await fetchPage(`${home}/b/AAAAAAAAAAAA`, { headers: accept }), 404);
  expectErrorPage(await fetchPage(`${other}/b/${image.id}`, { headers: accept }), 404);
});

test("with the smallest pricing plan, a client without a token is challenged, also at /mcp", async () => {
  const api = await fetchPage("/api/drops");
  const mcp = await fetchPage("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_drops" } }),
  });

  expect(api.status).toBe(401);
  for (const { headers } of [api, mcp]) expect(headers["www-authenticate"]).toMatch(/^Bearer/);
});

test("the pricing plan is in the template, and one machine runs without it", () => {
  const types = [...service.cloud.template.resources.values()].map(({ type }) => type);

  expect(types).toContain("AWS::PricingPlanManager::Subscription");
});
