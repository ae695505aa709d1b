import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { ownerAddress, ownerName } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { startSignIn } from "../support/sign-in.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

const html = { accept: "text/html,*/*;q=0.8" };
let drop: DropResponse;
let owner: string;

beforeAll(async () => {
  const { api } = await newAccount("pages");
  drop = await publish(api, { title: "On the shelf" });
  owner = ownerAddress(drop.url);
});

describe("the start page", () => {
  test("shows an agent its first three calls at this URL, and links a person to the sign-in", async () => {
    const response = await fetchPage("/", { headers: html });

    expect(response.status).toBe(200);
    expectCommonHeaders(response);
    expect(contentSecurityPolicyOf(response)).toMatchObject({
      "default-src": "'none'",
      "frame-ancestors": "'none'",
    });
    for (const path of ["/api/auth/start", "/api/auth/poll?token=", "/api/drops"]) {
      expect(response.text).toContain(baseUrl() + path);
    }
    const links = elementsOf(response, "a").map(({ attribs }) => attribs.href);
    expect(links).toEqual(expect.arrayContaining(["/login", "/login/token"]));
  });

  test("supports HEAD without a body", async () => {
    const response = await fetchPage("/", { method: "HEAD" });

    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: "" });
  });
});

test.each([
  ["gzip, br", "gzip"],
  ["br", "br"],
])("all pages are compressed for a client that accepts %s, as %s", async (accepted, encoding) => {
  const { verification_url: verifyUrl } = await startSignIn();
  const addresses = ["/", "/login", "/login/token", verifyUrl, drop.url, `${owner}/`];

  for (const address of addresses) {
    const response = await fetchPage(address, { headers: { ...html, "accept-encoding": accepted } });
    const sent = { status: response.status, encoding: response.headers["content-encoding"] };
    expect(sent, address).toEqual({ status: 200, encoding });
    expect(response.bytes.byteLength, address).toBeLessThan(13_312);
  }
});

describe("the error page", () => {
  test("on an owner's host links to the owner's page", async () => {
    const response = await fetchPage(`${owner}/d/nowhere`, { headers: html });

    expectErrorPage(response, 404);
    const [way] = elementsOf(response, "a");
    expect(new URL(way?.attribs.href ?? "", owner).href).toBe(`${owner}/`);
    expect(way && textOf(way)).toContain(ownerName(owner));
  });

  test("on the base host links to the start page, and after an expired sign-in to the sign-in", async () => {
    const [missing, expired] = await Promise.all([
      fetchPage("/nowhere", { headers: html }),
      fetchPage("/verify?code=BBBB-BBBB", { headers: html }),
    ]);

    expectErrorPage(missing, 404);
    expectErrorPage(expired, 400);
    expect(elementsOf(missing, "a")[0]?.attribs.href).toBe(`${baseUrl()}/`);
    expect(elementsOf(expired, "a")[0]?.attribs.href).toBe("/login");
  });

  test("is replaced by JSON for a client that accepts JSON", async () => {
    const headers = { accept: "application/json" };

    expectError(await fetchPage("/nowhere", { headers }), "not_found");
    expectError(await fetchPage(`${owner}/d/nowhere`, { headers }), "not_found");
  });
});
