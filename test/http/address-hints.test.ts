import { describe, expect, test } from "vitest";
import { addressesOf, explainMissing } from "../../functions/http/address-hints.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

const site = { baseUrl: "https://drops.example.com", baseDomain: undefined };
const addresses = addressesOf(operationIds.map(routeOf));
const paths = [...new Set(addresses.map(({ path }) => path.replace(/\{\w+\}/g, "aB3dE5f")))];

describe.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("%s at a known path", (method) => {
  test.each(paths)("is never refused as a method that it has: %s", (path) => {
    for (const asked of [path, `${path}/`, `/v1${path}`]) {
      const { allow = [], message, status } = explainMissing(method, asked, addresses, site);

      expect(allow).not.toContain(method);
      expect(status).toBe(allow.length === 0 ? 404 : 405);
      expect(message).toContain("https://drops.example.com/llms.txt");
    }
  });
});

test.each(["comments", "html", "raw", "tags", "v/1/html"])(
  "whoever wants a part of a drop deleted is not led first to delete the drop: %s",
  (part) => {
    const { details } = explainMissing("DELETE", `/api/drops/aB3dE5f/${part}`, addresses, site);

    expect((details.nearest as string[])[0]).not.toBe("DELETE /api/drops/{slug}");
  },
);

test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])(
  "every unknown path gets a sentence that names a call: %s",
  (method) => {
    for (const asked of [
      "/api/flurb",
      "/flurb/x/y",
      "/api/drops/aB3dE5f/flurb",
      "/api/blobs/aB3dE5f/flurb",
    ]) {
      const { details } = explainMissing(method, asked, addresses, site);

      expect(details.nearest).not.toEqual([]);
    }
  },
);
