import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";

let account: Account;
let drop: DropResponse;
let tools: Awaited<ReturnType<typeof connectMcp>>;

beforeAll(async () => {
  account = await newAccount("named-drops");
  drop = await publish(account.api, { title: "Named", html: pageOf("first") });
  await account.api.succeed("publish-version", {
    params: { slug: drop.slug },
    body: { html: pageOf("second") },
  });
  tools = await connectMcp(account.api.token ?? "");
});

const addresses = [
  ["its url", () => drop.url],
  ["its raw_url", () => drop.raw_url],
  ["its path", () => `/p/${drop.slug}`],
  ["its address on the service's own host", () => `${baseUrl()}/p/${drop.slug}`],
  ["its url with a fragment", () => `${drop.url}#numbers`],
] as const;

describe("a tool finds a drop by its slug, and by", () => {
  test.each(addresses)("%s", async (_what, addressOf) => {
    expect(await tools.succeed("get_drop", { slug: addressOf() })).toMatchObject({ slug: drop.slug });
  });
});

describe("a path with a URL in place of a slug is refused with the right call:", () => {
  test.each(addresses.slice(0, 4))("%s", async (_what, addressOf) => {
    for (const written of [encodeURIComponent(addressOf()), addressOf()]) {
      const response = await fetchPage(`/api/drops/${written}/versions`, {
        headers: { authorization: `Bearer ${account.api.token}` },
      });

      const { message } = expectError(response, "not_found");
      expect(message).toContain(`Call GET /api/drops/${drop.slug}/versions.`);
    }
  });
});

describe("a URL with a version", () => {
  test("reads that version", async () => {
    const read = await tools.call("read_drop", { slug: `${drop.url}?v=1` });

    expect(JSON.stringify(read.content)).toContain("first");
  });

  test("is refused together with another version", async () => {
    const { message } = await tools.refuse(
      "read_drop",
      { slug: `${drop.url}?v=1`, version: 2 },
      "invalid_arg",
    );

    expect(message).toContain("Send only one of them");
  });

  test.each(["delete_drop", "get_drop"] as const)(
    "is refused by %s, which concerns all versions",
    async (tool) => {
      const { message } = await tools.refuse(tool, { slug: `${drop.url}?v=1` }, "invalid_arg");

      expect(message).toContain(`Send the slug ${drop.slug}`);
      await account.api.succeed("get-drop", { params: { slug: drop.slug } });
    },
  );
});

describe("no drop is found by", () => {
  test.each([
    ["an address of another service", () => `https://elsewhere.example/d/${drop.slug}`],
    ["an address of another scheme", () => `ftp://${new URL(baseUrl()).host}/d/${drop.slug}`],
    ["a file of the service", () => `${baseUrl()}/b/${drop.slug}`],
    ["a page about a drop", () => `${baseUrl()}/p/${drop.slug}/feedback`],
    ["a title", () => "Named"],
  ])("%s", async (_what, textOf) => {
    const { message } = await tools.refuse("get_drop", { slug: textOf() }, "invalid_slug");

    expect(message).toContain("7 letters or digits, or the drop's url");
  });
});
