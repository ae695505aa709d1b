import { createContext, Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { edgeHeaders } from "../../functions/contract/environment.ts";
import { bundleEdgeFunction } from "../../lib/bundle-edge-function.ts";

const distributionDomain = "d111111abcdef8.cloudfront.net";
const named = { BASE_HOST: "drops.example.com", BASE_DOMAIN: "example.page" };
const unnamed = { BASE_HOST: "", BASE_DOMAIN: "" };

interface Viewer {
  readonly host: string;
  readonly uri?: string;
  /** Without `?`; undefined where the address has none. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs the artifact that is deployed, in a context that has the language and nothing else. */
function send({ host, uri = "/", query, headers = {} }: Viewer, values: Record<string, string> = named) {
  const context = createContext({ rawQuery: query });
  new Script(bundleEdgeFunction("functions/edge/viewer-request.ts", values)).runInContext(context);
  const event = {
    version: "1.0",
    context: {
      distributionDomainName: distributionDomain,
      distributionId: "E1",
      eventType: "viewer-request",
      requestId: "1",
    },
    viewer: { ip: "198.51.100.7" },
    request: { method: "GET", uri, querystring: {}, headers: valuesOf({ host, ...headers }), cookies: {} },
  };
  const call = `(() => { const event = ${JSON.stringify(event)}; event.request.rawQueryString = () => rawQuery; return JSON.stringify(handler(event)); })()`;
  return JSON.parse(new Script(call).runInContext(context)) as {
    uri: string;
    headers: Record<string, { value: string }>;
  };
}

function valuesOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
}

describe("what the origin learns", () => {
  test("is the viewer's host in lower case, and its address", () => {
    const { headers } = send({ host: "Ada.Example.Page", uri: "/d/aB3dE5f" });

    expect(headers["x-dropleaf-host"]).toEqual({ value: "ada.example.page" });
    expect(headers["x-dropleaf-address"]).toEqual({ value: "198.51.100.7" });
  });

  test("is the query as it was sent: order, repetition, encoding and semicolons", () => {
    const query = "metadata.a=1;2&metadata.a=%26&page=1&metadata.a=+";

    const { headers } = send({ host: "drops.example.com", uri: "/api/drops", query });

    expect(headers["x-dropleaf-query"]).toEqual({ value: query });
  });

  test.each([undefined, ""])("is no query where the address has none (%j)", (query) => {
    const { headers } = send({
      host: "drops.example.com",
      uri: "/api/drops",
      ...(query === undefined ? {} : { query }),
    });

    expect(headers).not.toHaveProperty("x-dropleaf-query");
  });

  test("comes under the names that the functions read", () => {
    const { headers } = send({ host: "drops.example.com", uri: "/login", query: "a=1" });

    expect(headers).toHaveProperty(edgeHeaders.host);
    expect(headers).toHaveProperty(edgeHeaders.query);
    expect(headers).toHaveProperty(edgeHeaders.address);
  });

  test("is never what a viewer claims", () => {
    const forged = {
      "x-dropleaf-host": "evil.example",
      "x-dropleaf-query": "page=2",
      "x-dropleaf-address": "203.0.113.9",
      "x-dropleaf-origin": "guess",
      "x-dropleaf-anything": "x",
      accept: "text/html",
    };

    const { headers } = send({ host: "drops.example.com", uri: "/login", headers: forged });

    expect(headers).toEqual(
      valuesOf({
        host: "drops.example.com",
        accept: "text/html",
        "x-dropleaf-host": "drops.example.com",
        "x-dropleaf-address": "198.51.100.7",
      }),
    );
  });
});

describe("a page's query, which is part of its cache key", () => {
  test.each([
    ["v=2", "v=2"],
    ["utm_source=mail&v=2&x=1", "v=2"],
    ["v=2&v=3", "v=2&v=3"],
    ["v", "v"],
  ])("%s becomes %s", (query, kept) => {
    const { headers } = send({ host: "ada.example.page", uri: "/p/aB3dE5f/raw", query });

    expect(headers["x-dropleaf-query"]).toEqual({ value: kept });
  });

  test.each(["%76=1", "V=1", "vv=1", "x=v=1"])(
    "%s is none, for the function behind would read another page",
    (query) => {
      const { headers } = send({ host: "ada.example.page", uri: "/p/aB3dE5f/raw", query });

      expect(headers).not.toHaveProperty("x-dropleaf-query");
    },
  );
});

describe("the path", () => {
  test.each(["ada.example.page", "ADA.example.page", "a-1.example.page"])(
    "/ on %s is the owner's page",
    (host) => {
      expect(send({ host }).uri).toBe("/owner");
    },
  );

  test.each([
    "drops.example.com",
    "example.page",
    "a.b.example.page",
    "ada.example.page.evil.example",
    "adaexample.page",
    "",
  ])("/ on %s stays", (host) => {
    expect(send({ host }).uri).toBe("/");
  });

  test("/ stays on the service's own host, also where that is one label below the base domain", () => {
    const values = { BASE_HOST: "drops.example.com", BASE_DOMAIN: "example.com" };

    expect(send({ host: "drops.example.com" }, values).uri).toBe("/");
    expect(send({ host: "ada.example.com" }, values).uri).toBe("/owner");
  });

  test("any other than / stays on an owner's host", () => {
    expect(send({ host: "ada.example.page", uri: "/d/aB3dE5f" }).uri).toBe("/d/aB3dE5f");
  });

  test("without a domain of its own the service goes by the distribution's", () => {
    expect(send({ host: distributionDomain }, unnamed).uri).toBe("/");
    expect(send({ host: `ada.${distributionDomain}` }, unnamed).uri).toBe("/owner");
    expect(send({ host: "ada.example.page" }, unnamed).uri).toBe("/");
  });

  test("/ is the owner's page on a host with a port, too", () => {
    const values = { BASE_HOST: "localhost:8787", BASE_DOMAIN: "localhost:8787" };

    expect(send({ host: "localhost:8787" }, values).uri).toBe("/");
    expect(send({ host: "ada.localhost:8787" }, values).uri).toBe("/owner");
  });
});

describe("the artifact", () => {
  const code = bundleEdgeFunction("functions/edge/viewer-request.ts", named);

  test("is small enough for CloudFront", () => {
    expect(Buffer.byteLength(code)).toBeLessThan(10_240);
  });

  // CloudFront developer guide, "JavaScript runtime 2.0 features for CloudFront Functions".
  test.each([
    /\bimport\b/,
    /\bexport/,
    /\brequire\b/,
    /\bclass\b/,
    /\bof\b/,
    /\?\./,
    /\?\?/,
    /\.\.\./,
    /\bexports\b/,
  ])("has nothing that the runtime lacks: %s", (missing) => {
    expect(code).not.toMatch(missing);
  });
});
