import { expect, test } from "vitest";
import { calledRows, refuseUnknownCall } from "../../functions/refusals/nearest-operations.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { processorMs } from "../support/processor-time.ts";

const rows = calledRows(operationIds.map(routeOf));
const site = { baseUrl: "https://drops.example.com", baseDomain: "drops.example.com", hasOwnerHosts: true };

function refuse(asked: string): void {
  refuseUnknownCall({ method: "POST", headers: {}, rawQuery: "", bodyBytes: undefined }, asked, rows, site);
}

test.each([
  ["ids", `/api${"/drops/aB3dE5f".repeat(570)}`],
  ["words", `/${"abc-def/".repeat(1_000)}`],
])("an unknown path of 8 KB of %s takes at most 20 times as long as an ordinary one", (_, asked) => {
  const ordinaryMs = processorMs(() => refuse("/api/pages/aB3dE5f/publish"));

  expect(processorMs(() => refuse(asked))).toBeLessThan(20 * Math.max(1, ordinaryMs));
});
