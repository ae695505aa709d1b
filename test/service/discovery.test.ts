import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { addressOfOwner, ownerAddress } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";

const documents: Readonly<Record<string, string>> = {
  "/openapi.json": "application/json; charset=utf-8",
  "/llms.txt": "text/plain; charset=utf-8",
  "/api/onboard": "application/json; charset=utf-8",
  "/api/onboard?format=md": "text/markdown; charset=utf-8",
  "/.well-known/agent-skills/index.json": "application/json; charset=utf-8",
  "/.well-known/agent-skills/dropleaf/SKILL.md": "text/markdown; charset=utf-8",
  "/.well-known/api-catalog": 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  "/robots.txt": "text/plain; charset=utf-8",
};

describe.each(Object.entries(documents))("%s", (path, type) => {
  test("needs no token, has its media type, is cached for minutes, and is inert in a browser", async () => {
    const response = await fetchPage(path);

    expect(response.status).toBe(200);
    expectCommonHeaders(response);
    expect(response.headers["content-type"]).toBe(type);
    expect(response.headers["cache-control"]).toBe("public, max-age=300, s-maxage=0");
    expect(contentSecurityPolicyOf(response)).toEqual({
      "default-src": "'none'",
      "frame-ancestors": "'none'",
    });
  });

  test("returns the same headers for HEAD, without a body", async () => {
    const { status, headers, text } = await fetchPage(path, { method: "HEAD" });

    expect({ status, type: headers["content-type"], text }).toEqual({ status: 200, type, text: "" });
  });

  test("contains this service's URLs and no placeholders", async () => {
    const { text } = await fetchPage(path);

    expect(text).not.toContain(".invalid");
    const urls = text.match(/https?:\/\/[^\s"'`)>\\|]+/g) ?? [];
    const owners = await addressOfOwner("");
    const others = urls.filter((url) => !isOfThisService(url, owners) && !isNamedOnPurpose(url));
    expect(others).toEqual([]);
  });

  test("is compressed as the client accepts", async () => {
    const plain = await fetchPage(path);

    const packed = await fetchPage(path, { headers: { "accept-encoding": "br" } });

    const isPacked = packed.headers["content-encoding"] === "br";
    expect(isPacked ? brotliDecompressSync(packed.bytes).toString() : packed.text).toBe(plain.text);
  });
});

describe("the service's documents", () => {
  const pathsOfBaseHost = Object.keys(documents).filter((path) => path !== "/robots.txt");

  test("are served on its own host only, except robots.txt", async () => {
    const { api } = await newAccount("documents");
    const owner = ownerAddress((await publish(api)).url);

    for (const path of [...pathsOfBaseHost, "/docs"]) {
      expect((await fetchPage(owner + path)).status, path).toBe(404);
    }
    expect((await fetchPage(`${owner}/robots.txt`)).text).toBe((await fetchPage("/robots.txt")).text);
  });
});

describe("GET /api/onboard", () => {
  test.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["text/markdown", "text/markdown"],
    ["application/json;q=0.5, text/markdown", "text/markdown"],
    ["text/markdown;q=0.5, application/json", "application/json"],
    ["image/png", "application/json"],
  ])("for Accept %s returns %s", async (accept, type) => {
    const response = await fetchPage("/api/onboard", { headers: accept === undefined ? {} : { accept } });

    expect(response.headers["content-type"]).toContain(type);
    expect(response.headers.vary?.split(", ")).toContain("Accept");
  });

  test("prefers ?format= over Accept", async () => {
    const response = await fetchPage("/api/onboard?format=json", { headers: { accept: "text/markdown" } });

    expect(response.headers["content-type"]).toContain("application/json");
  });

  test("refuses other formats", async () => {
    expectError(await fetchPage("/api/onboard?format=xml"), "invalid_arg");
  });
});

describe("GET /.well-known/agent-skills/index.json", () => {
  test("lists the skill with the digest of the served file", async () => {
    const address = new URL("/.well-known/agent-skills/index.json", baseUrl());

    const { $schema, skills } = JSON.parse((await fetchPage(address)).text);

    expect($schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    expect(skills).toHaveLength(1);
    const { type, name, url, digest } = skills[0];
    const skill = await fetchPage(new URL(url, address));
    expect({ type, name }).toEqual({ type: "skill-md", name: "dropleaf" });
    expect(digest).toBe(`sha256:${createHash("sha256").update(skill.bytes).digest("hex")}`);
  });
});

describe("links", () => {
  /** Parses the links of a Link header (RFC 8288). */
  const linksOf = (response: ReceivedResponse) =>
    [...(response.headers.link ?? "").matchAll(/<([^>]+)>; rel="([^"]+)"(?:; type="([^"]+)")?/g)].map(
      ([, target = "", rel = "", type = ""]) => ({ target, rel, type }),
    );

  test("of the start page lead to the catalog and to every description, each with its type", async () => {
    const links = linksOf(await fetchPage("/"));

    expect(new Set(links.map(({ rel }) => rel))).toEqual(
      new Set(["api-catalog", "service-desc", "service-doc", "service-meta"]),
    );
    for (const { target, type } of links) await expectDocument(target, type);
  });

  test("of the catalog lead to every description, and HEAD has a link to the catalog", async () => {
    const catalog = JSON.parse((await fetchPage("/.well-known/api-catalog")).text);
    const head = await fetchPage("/.well-known/api-catalog", { method: "HEAD" });

    const [{ anchor, ...relations }] = catalog.linkset;
    expect(anchor).toBe(`${baseUrl()}/api/`);
    expect(Object.keys(relations).toSorted()).toEqual(["service-desc", "service-doc", "service-meta"]);
    const links = Object.values<{ href: string; type: string }[]>(relations).flat();
    for (const { href, type } of links) await expectDocument(href, type);
    expect(linksOf(head).map(({ rel, target }) => ({ rel, target }))).toEqual([
      { rel: "api-catalog", target: "/.well-known/api-catalog" },
    ]);
  });

  test("of /llms.txt lead to existing documents", async () => {
    const { text } = await fetchPage("/llms.txt");
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);

    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets) await expectDocument(target, "");
  });
});

describe("GET /robots.txt", () => {
  test("excludes crawlers from the API except its guide, and names the documents for agents", async () => {
    const { text } = await fetchPage("/robots.txt");

    expect(text.split("\n")).toEqual(
      expect.arrayContaining(["User-agent: *", "Allow: /api/onboard", "Disallow: /api/"]),
    );
    expect(text).toContain(`${baseUrl()}/llms.txt`);
  });
});

describe("GET /.well-known/security.txt", () => {
  test("returns 404 if the operator has set no contact", async () => {
    const response = await fetchPage("/.well-known/security.txt");

    // A deployed service can have a contact.
    if (response.status === 200) expect(response.text).toMatch(/^Contact: \S+\nExpires: \S+Z\n/);
    else expectError(response, "not_found");
  });
});

describe("GET /docs", () => {
  test("runs only its own script and style, allowed by hash", async () => {
    const response = await fetchPage("/docs");

    const {
      "script-src": scripts = "",
      "style-src": styles = "",
      ...others
    } = contentSecurityPolicyOf(response);
    expect(response.status).toBe(200);
    expect(others).toEqual({
      "default-src": "'none'",
      "base-uri": "'none'",
      "img-src": "data:",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
    for (const sources of [scripts, styles]) expect(sources).toMatch(/^'sha256-[\w+/=]+'$/);
    expect(response.headers["cross-origin-opener-policy"]).toBe("same-origin");
  });

  test("has no similar path: /doc returns 404", async () => {
    const html = { accept: "text/html" };

    expectErrorPage(await fetchPage("/doc", { headers: html }), 404);
  });
});

async function expectDocument(target: string, type: string): Promise<void> {
  const response = await fetchPage(new URL(target, baseUrl()));
  expect(response.status, target).toBe(200);
  expect(response.headers["content-type"], target).toContain(type);
}

/** Returns true for a URL on the service's own host or on an owner's; `owners` is an owner's URL with an empty name. */
function isOfThisService(url: string, owners: string): boolean {
  return url.startsWith(baseUrl()) || url.replace(/(\{namespace\}|ada|growth)(?=\.)/, "").startsWith(owners);
}

/** Returns true for URLs that name formats, and for Amazon's and the identity provider's URLs in examples. */
function isNamedOnPurpose(url: string): boolean {
  return /^https?:\/\/(www\.w3\.org|schemas\.agentskills\.io|bucket\.s3\.us-east-1\.amazonaws\.com|id\.example\.com)(\/|$)/.test(
    url,
  );
}
