import { spawnSync } from "node:child_process";
import { compileEdgeFunction } from "@dropleaf/local-cloud/cloudfront/edge-function";
import { describe, expect, test } from "vitest";
import { artifacts, eventOf, njsVersion, requestOf, runInNjs, type Sample } from "./njs.ts";
import { valuesOf } from "./run-edge-function.ts";

const page = { method: "GET", uri: "/p/aB3dE5f/raw", rawQuery: "v=1&x=%C3%A9" };

const upload = { method: "POST", uri: "/api/drops" };

const requests: readonly (readonly [what: string, sample: Sample])[] = [
  ["the front page", requestOf("drops.example.com")],
  ["an owner's host", requestOf("Ada.Example.Page")],
  ["an owner's page", requestOf("ada.example.page", page)],
  [
    "an owner's page below the base URL",
    requestOf("d111111abcdef8.cloudfront.net", { ...page, uri: "/@ada/p/aB3dE5f/raw" }),
  ],
  [
    "an owner in capital letters",
    requestOf("d111111abcdef8.cloudfront.net", { uri: "/@ADA", rawQuery: "a=1" }),
  ],
  ["another spelling of a page", requestOf("ada.example.page", { uri: "/p/%61B3dE5f/raw" })],
  ["a file", requestOf("ada.example.page", { uri: "/b/aB3dE5f" })],
  [
    "a file of a folder",
    requestOf("ada.example.page", { uri: "/p/aB3dE5f/raw/a/%C3%A9 b/../c.js", rawQuery: "v=1" }),
  ],
  ["a page of a folder", requestOf("ada.example.page", { ...page, uri: "/p/aB3dE5f/raw/@3/docs/" })],
  [
    "a service worker of a folder",
    requestOf("ada.example.page", { uri: "/p/aB3dE5f/raw/sw.js" }, { "service-worker": "script" }),
  ],
  ["a folder's host", requestOf(`f--${"a".repeat(26)}.example.page`, { uri: "/b/aB3dE5f", rawQuery: "v=1" })],
  ["a version at a folder's host", requestOf(`f--${"a".repeat(26)}.example.page`, { rawQuery: "x=1&v=3" })],
  [
    "an expired signed object of a folder",
    requestOf(
      "drops.example.com",
      {
        uri: "/_files/aB3dE5f/0123456789abcdeF.1.pack",
        rawQuery: "X-Amz-Date=20260101T000000Z&X-Amz-Expires=60",
      },
      { "sec-fetch-dest": "document" },
    ),
  ],
  ["a file on the wrong host", requestOf("drops.example.com", { uri: "/b/aB3dE5f" })],
  [
    "forged headers",
    requestOf("drops.example.com", {}, { "x-dropleaf-host": "evil", "x-dropleaf-owner": "evil" }),
  ],
  [
    "cookies of several values",
    requestOf("ada.example.page", {
      ...page,
      cookies: {
        "__Host-dl_aB3dE5f": { value: "1", multiValue: [{ value: "1" }, { value: "2" }] },
        other: { value: "x" },
      },
    }),
  ],
  [
    "headers of several values",
    {
      request: {
        ...requestOf("drops.example.com").request,
        headers: {
          host: { value: "drops.example.com" },
          "x-a": { value: "1", multiValue: [{ value: "1" }, { value: "2" }] },
        },
      },
    },
  ],
  [
    "more cookies than are accepted",
    requestOf("drops.example.com", {
      ...page,
      cookies: { "__Host-dl_aB3dE5f": { value: "x".repeat(9_300) }, other: { value: "x" } },
    }),
  ],
  ["a window", requestOf("drops.example.com", page, { "sec-fetch-dest": "document" })],
  ["a body of unknown length", requestOf("drops.example.com", upload)],
  ["a large body", requestOf("drops.example.com", upload, { "content-length": "3145729" })],
  ["a small body", requestOf("drops.example.com", upload, { "content-length": "10" })],
  [
    "a large body for an unknown path",
    requestOf("drops.example.com", { method: "POST", uri: "/nothing" }, { "content-length": "3145729" }),
  ],
  [
    "a large message for MCP",
    requestOf("drops.example.com", { method: "POST", uri: "/mcp" }, { "content-length": "3145729" }),
  ],
  [
    "too many headers",
    requestOf("drops.example.com", { uri: "/api/drops" }, { "x-large": "x".repeat(9_300) }),
  ],
  [
    "too many headers of a browser",
    requestOf("drops.example.com", {}, { accept: "text/html", "x-large": "x".repeat(9_300) }),
  ],
  ["too many parameters", requestOf("ada.example.page", { ...page, rawQuery: "v&".repeat(21) })],
  ["an invalid version", requestOf("ada.example.page", { ...page, rawQuery: "v=abc&version=2&framed=1" })],
  [
    "more headers than are accepted",
    requestOf(
      "drops.example.com",
      {},
      Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`x-${index}`, "1"])),
    ),
  ],
  ["no host", { request: { ...requestOf("").request, headers: {} } }],
];

const responseOf = (statusCode: number, headers: Record<string, string>): Sample => ({
  ...requestOf("ada.example.page", { uri: "/ada/aB3dE5f" }),
  response: { statusCode, headers: valuesOf(headers) },
});

const responses: readonly (readonly [what: string, sample: Sample])[] = [
  ["a file shown inline", responseOf(200, { "content-disposition": "inline" })],
  [
    "a file downloaded",
    responseOf(206, { "content-disposition": 'attachment; filename="é.txt"', etag: '"1"' }),
  ],
  ["an unchanged file", responseOf(304, {})],
  [
    "a file of a folder",
    {
      ...requestOf("drops.example.com", { uri: "/_files/aB3dE5f/0123456789abcdeF.1.pack" }),
      response: { statusCode: 206, headers: valuesOf({ "content-disposition": "inline" }) },
    },
  ],
  ["a response without headers", { ...responseOf(200, {}), response: { statusCode: 200 } }],
];

const challenges: readonly (readonly [what: string, sample: Sample])[] = [
  ["a refused call", responseOf(200, { "x-dropleaf-challenge": "Bearer", "www-authenticate": "Bearer" })],
  ["a call", responseOf(200, { "www-authenticate": "Bearer" })],
];

const icons: readonly (readonly [what: string, sample: Sample])[] = ["GET", "HEAD", "POST"].map((method) => [
  method,
  requestOf(method === "HEAD" ? "f--a.example.page" : "drops.example.com", { method, uri: "/favicon.ico" }),
]);

/** Runs the artifact in njs and returns its result for each event. */
async function resultsInNjs(code: string, samples: readonly Sample[]): Promise<unknown[]> {
  const lines = await runInNjs(
    code,
    `
;${JSON.stringify(samples.map(eventOf))}.forEach(function (event) {
  var chosen = globalThis.chosen || [];
  chosen.length = 0;
  var returned = handler(prepare(event));
  console.log(JSON.stringify({ returned: returned, originId: chosen[chosen.length - 1] }));
});`,
  );
  return lines.map((line) => JSON.parse(line));
}

function runInV8(code: string, samples: readonly Sample[]): unknown[] {
  const { run } = compileEdgeFunction("Function", code);
  return samples.map((sample) => {
    const { returned, origin } = run(eventOf(sample));
    return { returned, ...(origin?.type === "select" ? { originId: origin.originId } : {}) };
  });
}

if (njsVersion === undefined) {
  test("without njs the edge functions run in V8 only, which is reported", () => {
    process.stderr.write(
      "njs is not installed (Debian: apt-get install njs): only V8 ran the edge functions.\n",
    );

    expect(spawnSync("njs", ["-v"]).error).toMatchObject({ code: "ENOENT" });
  });
} else {
  describe(`njs ${njsVersion}, which is related to CloudFront's runtime,`, () => {
    const all = artifacts();

    test.each([
      ["viewer-request", requests],
      ["blob-response", responses],
      ["mcp-response", challenges],
      ["show-icon", icons],
    ] as const)(
      "runs %s like V8, for every kind of settings",
      async (name, samples) => {
        const codes = all[name] ?? [];
        const given = samples.map(([, sample]) => sample);
        const named = (results: readonly unknown[]) => samples.map(([what], index) => [what, results[index]]);

        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) {
          expect(named(await resultsInNjs(code, given))).toEqual(named(runInV8(code, given)));
        }
      },
      60_000,
    );

    test("refuses syntax that CloudFront's runtime lacks", async () => {
      const code = "function handler({ request }) { return request; }";

      await expect(resultsInNjs(code, [requestOf("drops.example.com")])).rejects.toThrow(/SyntaxError/);
    });
  });
}
