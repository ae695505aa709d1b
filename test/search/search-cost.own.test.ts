// @module-tag nightly

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";
import { environmentOf } from "../support/stack-environment.ts";
import { measureDearSearches, putDearCorpus } from "./dear-searches.ts";

let storage: OwnStorage;

beforeAll(async () => {
  storage = await runOwnStorage();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { template, endpoint: awsEndpoint } = storage;
  Object.assign(process.env, await environmentOf({ template, awsEndpoint }));
  await putDearCorpus();
}, 300_000);
afterAll(() => storage.remove());

test("no search takes more than three times the processor time of an ordinary one, whatever an account publishes", {
  timeout: 300_000,
}, async () => {
  const { dear } = await measureDearSearches();

  expect(dear.filter(({ ratio }) => ratio > 3)).toEqual([]);
});
