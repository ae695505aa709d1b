import { compileEdgeFunction, type EdgeFunction } from "@dropleaf/local-cloud/cloudfront/edge-function";
import { describe, expect, test } from "vitest";
import { edgeHeaders } from "../../functions/core/environment.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { otherSpellings } from "../support/spellings.ts";
import { valuesOf } from "./run-edge-function.ts";

const bundled = (values: Record<string, string>) =>
  compileEdgeFunction(
    "ViewerRequest",
    bundleEdgeFunction("functions/edge/viewer-request.ts", {
      INGEST_ORIGIN_ID: "ingest",
      API_ORIGIN_ID: "api",
      ...values,
    }),
  );
const named = bundled({ BASE_HOST: "drops.example.com", BASE_DOMAIN: "example.page" });
const unnamed = bundled({ BASE_HOST: "", BASE_DOMAIN: "" });

interface Place {
  readonly where: string;
  readonly code: EdgeFunction;
  readonly host: string;
  readonly prefix: string;
}

/** Hosts of a path: the base host, an owner's host, and without a domain one host for both. */
const base = { where: "the base host", code: named, host: "drops.example.com", prefix: "" };
const owners = { where: "an owner's host", code: named, host: "ada.example.page", prefix: "" };
const places: readonly Place[] = [
  base,
  owners,
  { where: "the only host", code: unnamed, host: "d111.cloudfront.net", prefix: "" },
  { where: "the only host, below an owner", code: unnamed, host: "d111.cloudfront.net", prefix: "/@ada" },
];

interface Sent {
  /** Undefined for a redirect. */
  readonly uri: string | undefined;
  readonly headers: Record<string, { value: string }>;
}

/** Runs the deployed function and returns the request that it passes on. */
function send(place: Place, path: string, method = "GET"): Sent {
  return run(place, path, method) as Sent;
}

/** Returns the status and the target of the redirect. */
function redirectOf(place: Place, path: string, method = "GET"): unknown[] {
  const { statusCode, headers } = run(place, path, method) as {
    readonly statusCode?: number;
    readonly headers: Record<string, { value: string }>;
  };
  return [statusCode, headers.location?.value];
}

function run({ code, host, prefix }: Place, path: string, method: string): unknown {
  const { returned } = code.run({
    version: "1.0",
    context: {
      distributionDomainName: "d111.cloudfront.net",
      distributionId: "E1",
      eventType: "viewer-request",
      requestId: "1",
    },
    viewer: { ip: "198.51.100.7" },
    request: {
      method,
      uri: prefix + path,
      querystring: {},
      headers: valuesOf({ host }),
      cookies: {},
      rawQuery: "v=1",
    },
  });
  return returned;
}

/** The contract's paths, with examples for the parameters. */
const key = `k${"aZ09_-".repeat(20)}`;
const examples: Readonly<Record<string, string>> = { n: "2", key, asset: "reference.0123456789abcdef.js" };
const rows = operationIds.flatMap((id) => {
  const { path, alsoAt } = routeOf(id);
  return [path, alsoAt?.path].flatMap((one) => {
    const filled = one?.replace(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? "ZfCzC4C");
    return filled === undefined || filled.includes("{") ? [] : [{ id, filled }];
  });
});
const dropPaths = [
  "/p/ZfCzC4C",
  "/p/ZfCzC4C/raw",
  "/p/ZfCzC4C/context",
  "/p/ZfCzC4C/compare",
  "/p/ZfCzC4C/feedback",
  "/p/ZfCzC4C/access",
  "/p/ZfCzC4C/answers",
  "/p/ZfCzC4C/pdf",
  "/p/ZfCzC4C/state",
  "/p/ZfCzC4C/unlock",
  "/p/ZfCzC4C/lock",
  "/d/ZfCzC4C",
];

describe("the path of each operation", () => {
  test.each(rows.filter(({ id }) => id !== "serve-blob"))(
    "reaches the origin unchanged: $id, $filled",
    ({ filled }) => {
      const { uri, headers } = send(filled.startsWith("/b/") ? owners : base, filled);

      expect([uri, headers[edgeHeaders.path]?.value]).toEqual([filled, filled]);
    },
  );

  test("has its other spellings tested below if it is a drop's path", () => {
    const found = rows.map(({ filled }) => filled).filter((path) => /^\/[pd]\//.test(path));

    expect([...new Set(found)].sort()).toEqual([...dropPaths].sort());
  });

  test("is sent in a header outside the cache key, which replaces a header of this name from the viewer", () => {
    const { headers } = send(owners, "/");

    expect(headers[edgeHeaders.path]).toEqual({ value: "/owner" });
  });
});

/** Checks for a path below a viewer's URL that is not another operation's. */
function isViewerPage(path: string): boolean {
  return /^\/[pd]\/ZfCzC4C\/./.test(path) && !dropPaths.includes(path);
}

describe.each(places)("on $where, other spellings", (place) => {
  test.each([...dropPaths, "/b/ZfCzC4C"])(
    "of %s are neither passed on nor looked up in the cache",
    (path) => {
      // `/P/` is a different path, which does not exist: CloudFront's patterns and API Gateway are case-sensitive.
      const passed = otherSpellings(path)
        .filter((one) => one !== `${path}/`)
        .map((one) => ({ one, ...send(place, one) }))
        // A folder's page below the viewer is another URL, and is looked up by the path that was sent.
        .filter(({ one, headers }) => !isViewerPage(one) || headers[edgeHeaders.path]?.value !== one)
        .filter(({ uri }) => !/^(\/p)?\/not-found$|^\/[PDB]\//.test(uri ?? ""));

      expect(passed).toEqual([]);
    },
  );

  test.each(["/docs/of-something", "/login", "/.well-known/api-catalog"])(
    "of %s are not passed on",
    (path) => {
      // `/login.` is a different path, not a spelling of `/login`.
      const spellings = otherSpellings(path).filter((one) => !/^(\/[A-Za-z0-9._~-]+)+\/?$/.test(one));
      const passed = spellings.filter((one) => send(place, one).uri !== "/not-found");

      expect(spellings.length).toBeGreaterThan(30);
      expect(passed).toEqual([]);
    },
  );
});

describe.each(places)("on $where, a trailing slash", (place) => {
  // A folder's URL keeps its trailing slash, because relative links need it.
  const others = dropPaths.filter((path) => !path.endsWith("/raw"));

  test.each([...others, "/docs/of-something", "/login", "/llms.txt"])(
    "of %s redirects to the path without it, with the query",
    (path) => {
      for (const method of ["GET", "HEAD"])
        expect(redirectOf(place, `${path}/`, method)).toEqual([308, `${place.prefix}${path}?v=1`]);
    },
  );

  test.each([
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "/%5celsewhere.example/",
    "/%2felsewhere.example/",
    "/.//elsewhere.example/",
    "/https://elsewhere.example/",
    "/elsewhere.example\n/",
    "/docs//",
  ])("of %j does not redirect, because the target could be on another host", (path) => {
    expect([redirectOf(place, path)[0], send(place, path).uri]).toEqual([undefined, "/not-found"]);
  });

  test.each(["/login", "/p/ZfCzC4C"])("of %s does not redirect a request that writes", (path) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(redirectOf(place, `${path}/`, method)[0]).toBeUndefined();
  });
});

describe.each(places)("on $where, the raw page", (place) => {
  test.each(["/d/ZfCzC4C/raw", "/p/ZfCzC4C.html", "/d/ZfCzC4C.htm", "/p/ZfCzC4C/html", "/raw/ZfCzC4C"])(
    "is the redirect target of %s for GET, but not for POST",
    (path) => {
      expect(redirectOf(place, path)).toEqual([308, `${place.prefix}/p/ZfCzC4C/raw?v=1`]);
      expect(redirectOf(place, path, "POST")[0]).toBeUndefined();
    },
  );
});

test.each(["/api/drops/", "/api/drops/ZfCzC4C/", "/mcp/", "/scim/v2/Users/"])(
  "programs get a 404 for a trailing slash, not a redirect without a body: %s",
  (path) => {
    expect(send(base, path).uri).toBe("/not-found");
  },
);

describe.each(places)("on $where, a file of a folder", (place) => {
  const folder = "/p/ZfCzC4C/raw/";
  const longest = "%F0%9F%8D%83".repeat(200);

  test.each([
    "",
    "index.html",
    "docs/",
    "assets/app.js",
    "a/b/c/d.html",
    "raw",
    "state",
    "b/ZfCzC4C",
    "@3/",
    "@3-framed/docs/",
    `@${key}/app.js`,
    "%C3%A9t%C3%A9.html",
    "a%20b+c;d=e,f!g'(h).js",
    "[slug]|{x}~^.js",
    ".well-known/x",
    ".../x",
    "..x/x..",
    longest,
  ])("is sent to the function in a header, unchanged: %s", (path) => {
    for (const method of ["GET", "HEAD"]) {
      const { uri, headers } = send(place, folder + path, method);

      expect([uri, headers[edgeHeaders.path]?.value]).toEqual([`${folder}file`, folder + path]);
      expect(headers).not.toHaveProperty(edgeHeaders.query);
    }
  });

  test.each([
    "..",
    ".",
    "../x",
    "./x",
    "x/..",
    "x/./y",
    "%2e%2e/x",
    "%2E./x",
    ".%2e/x",
    "x/%2e%2e",
    "..%2fx",
    "..%2Fx",
    "..%5cx",
    "..\\x",
    "x\\..\\y",
    "/x",
    "x//y",
    "x//",
    "/",
    "%2fx",
    "x%2f%2fy",
    "x y",
    "x\ty",
    "x\n",
    "x\u0000",
    "x\u007f",
    "é.html",
  ])("returns 404 if its path climbs or is not in the one spelling: %j", (path) => {
    expect(send(place, folder + path)).toMatchObject({ uri: "/not-found" });
  });
});

describe.each(places)("on $where, a folder's page in the viewer", (place) => {
  test.each(["/d/ZfCzC4C", "/p/ZfCzC4C"])(
    "reaches the viewer at %s with its path in a header, unchanged",
    (viewer) => {
      for (const path of [
        "unlock2",
        "versions",
        "v/2",
        "raw.html",
        "guide/about.html",
        "guide/",
        "about",
        "@3/x",
        "%C3%A9.html",
        "x&v=2",
        "...",
        `${"x".repeat(300)}.html`,
      ])
        for (const method of ["GET", "HEAD"]) {
          const { uri, headers } = send(place, `${viewer}/${path}`, method);

          expect([uri, headers[edgeHeaders.path]?.value]).toEqual([viewer, `${viewer}/${path}`]);
          expect(headers[edgeHeaders.level]?.value).toMatch(/^[0-9]$/);
          expect(headers[edgeHeaders.query]?.value).toBe("v=1");
        }
    },
  );

  test("below /p/ does not replace the drop's own URLs; below /d/ every URL is a page", () => {
    for (const word of ["context", "compare", "feedback", "state", "unlock", "lock", "raw/x.js"]) {
      expect(send(place, `/p/ZfCzC4C/${word}`).headers[edgeHeaders.level]).toBeUndefined();
      expect(send(place, `/d/ZfCzC4C/${word}`).uri).toBe("/d/ZfCzC4C");
    }
  });

  test.each(["x//y", "/x", "..", "x/../y", "./x", "%2e%2e/x", "x%2fy", "x\\y", "x y", "x\n", "é.html"])(
    "returns 404 if its path climbs or is not in the one spelling: %j",
    (path) => {
      expect(send(place, `/d/ZfCzC4C/${path}`).uri).toBe("/not-found");
    },
  );

  test("is read-only", () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect(send(place, "/d/ZfCzC4C/guide/about.html", method).uri).toBe("/not-found");
  });
});

describe("a path under /p/, /d/ or /b/ that matches no drop or file", () => {
  test.each([
    "/p",
    "/p/",
    "/p/ZfCzC4",
    "/p/ZfCzC4Cx",
    "/p/ZfCzC-C/raw",
    "/p/ZfCzC4é/raw",
    "/p/ZfCzC4C/raw\u0000",
    "/d",
    "/b",
    "/b/ZfCzC4C/raw",
    "/b/ada/ZfCzC4C",
  ])("returns 404: %j", (uri) => {
    // Below a drop's URL, the origin's function redirects to the right URL or names it.
    const path = /^\/[pd]\/(?!\w{7}\W)/.test(uri) ? "/p/not-found" : "/not-found";
    for (const place of places) expect(send(place, uri).uri).toBe(path);
  });
});

test.each(["/p/ZfCzC4C&v=2", "/d/ZfCzC4C@1", "/d/ZfCzC4C%23a", "/p/ZfCzC4C.json"])(
  "a URL that only starts like a drop's returns 404, and the function gets the requested path: %s",
  (path) => {
    for (const place of places) {
      const { uri, headers } = send(place, path);

      expect(uri).toBe("/not-found");
      expect(headers["x-dropleaf-asked"]).toEqual({ value: place.prefix + path });
    }
  },
);

test.each([
  "/p/ZfCzC4C/raw\n",
  "/d/ZfCzC4C\r\n",
  "/login\n",
  "/api/drops/ZfCzC4C\n",
  "/api/drops/a b",
  "/\n",
])("white space is not accepted in a URL, not even at its end: %j", (uri) => {
  for (const place of [base, owners]) expect(send(place, uri).uri).toMatch(/^(\/p)?\/not-found$/);
});

describe("a path of the API", () => {
  test.each([
    "/%61pi/drops",
    "/api%2fdrops",
    "/api/%64rops",
    "/api/%2564rops",
    "//api/drops",
    "/api//drops",
    "/api/./drops",
    "/api/%2E/drops",
    "/api/x/../drops",
    "/api/drops/",
    "/api/drops//ZfCzC4C",
    "/api/drops/ZfCzC4C/",
    "/api/drops/..",
    "/api/drops/%2e%2e/%2e%2e/p/ZfCzC4C/raw",
    "/api/drops/..%2f..%2fp%2fZfCzC4C%2fraw",
    "/api/drops/..%5c..%5cp",
    "/api/drops/%2fZfCzC4C",
    "/api\\drops",
    "/api/drops;a=1",
    "/api/drops;a=1/ZfCzC4C",
  ])("has only one spelling, so that the rules for bodies cannot be bypassed: %s", (uri) => {
    for (const method of ["GET", "POST"]) expect(send(base, uri, method).uri).toBe("/not-found");
  });

  test.each(["a%20b", "a%25", "%c3%a4", "%zz", "a;b", "a+b", "%41bCdEfG", "..."])(
    "passes any slug to its operation, whose error explains slugs: %s",
    (slug) => {
      for (const uri of [`/api/drops/${slug}`, `/api/drops/${slug}/v/1`]) {
        const { uri: sent, headers } = send(base, uri);
        expect([sent, headers[edgeHeaders.path]?.value]).toEqual([uri, uri]);
      }
    },
  );
});

test.each(places)(
  "on $where, the URL of a SCIM schema may contain a URN, and other URLs may not",
  (place) => {
    const id = "urn:ietf:params:scim:schemas:core:2.0:User";

    for (const path of [`/scim/v2/Schemas/${id}`, `/scim/v2/Schemas/${encodeURIComponent(id)}`])
      expect(send(place, path).uri).toBe(path);
    expect(send(place, `/docs/${id}`).uri).toBe("/not-found");
  },
);
