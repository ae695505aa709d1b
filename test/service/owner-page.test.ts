import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

let account: Account;
let drop: DropResponse;
let address: string;

beforeAll(async () => {
  account = await newAccount("shelf");
  drop = await publish(account.api, { title: "Before" });
  address = `${ownerAddress(drop.url)}/`;
});

/** Returns the edge's cache result, such as "Hit". */
async function edgeResult(query: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  return (await fetchPage(address + query, { headers })).headers["x-cache"]?.split(" ")[0];
}

const titles = async () =>
  elementsOf(await fetchPage(address), "a")
    .filter(({ attribs }) => attribs.href?.includes("/d/"))
    .map((link) => textOf(link).trim());

describe("an owner's page", () => {
  test("is the same for all visitors, without cookies or nonces, and allows inline code by its hash", async () => {
    const response = await fetchPage(address);

    expectCommonHeaders(response);
    expect(response.headers["cache-control"]).toBe("public, max-age=0, s-maxage=2, must-revalidate");
    expect(response.setCookies).toEqual([]);
    expect(response.text).not.toContain("nonce");
    const [style] = elementsOf(response, "style");
    const hash = createHash("sha256")
      .update(style ? textOf(style) : "")
      .digest("base64");
    expect(contentSecurityPolicyOf(response)).toEqual({
      "default-src": "'none'",
      "base-uri": "'none'",
      "img-src": "data:",
      "script-src": expect.stringMatching(/^'sha256-[^' ]+'$/),
      "style-src": `'sha256-${hash}'`,
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
  });

  test("is cached by the edge for seconds, whatever the query and cookies", async () => {
    // The edge requests the page once and serves the later requests from its cache, unless they take more than two seconds.
    await expect
      .poll(async () => {
        const first = await edgeResult("");
        const others = [
          await edgeResult("?x=1&y=2"),
          await edgeResult("?page=1"),
          await edgeResult("", { cookie: "__Host-dl_verify_BBBB-BBBB=x; other=1" }),
        ];
        return [first === "Hit" || first === "Miss", ...others];
      }, within(10))
      .toEqual([true, "Hit", "Hit", "Hit"]);
  });

  test("shows a new title and a lock within two seconds", async () => {
    await expect.poll(titles, within(2)).toEqual(["Before"]);

    await account.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { title: "After" } });
    await expect.poll(titles, within(2)).toEqual(["After"]);

    await account.api.succeed("set-passcode", {
      params: { slug: drop.slug },
      body: { passcode: "open sesame" },
    });
    await expect.poll(titles, within(2)).toEqual(["Locked page opens with a passcode"]);
  });

  test("redirects a page number after the last to the first page, and returns 404 for an invalid one", {
    tags: "slow",
  }, async () => {
    for (let index = 0; index < 22; index += 1) {
      const call = { query: { filename: `${index}.txt` }, text: "x" };
      await account.api.succeed("upload-blob", call);
    }

    const [next, far, none] = [
      await fetchPage(`${address}?page=2`),
      await fetchPage(`${address}?page=3`),
      await fetchPage(`${address}?page=x`),
    ];

    for (const response of [next, far]) {
      expect(response.status).toBe(302);
      expect(new URL(response.headers.location ?? "", address).href).toBe(address);
    }
    expectErrorPage(none, 404);
  });
});
