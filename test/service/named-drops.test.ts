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
  ["the drop's url", () => drop.url],
  ["the drop's raw_url", () => drop.raw_url],
  ["the drop's path", () => `/p/${drop.slug}`],
  ["the drop's URL on the service's own host", () => `${baseUrl()}/p/${drop.slug}`],
  ["the drop's url with a fragment", () => `${drop.url}#numbers`],
] as const;

describe("a tool's slug argument", () => {
  test.each(addresses)("can be %s", async (_what, addressOf) => {
    expect(await tools.succeed("get_drop", { slug: addressOf() })).toMatchObject({ slug: drop.slug });
  });
});

describe("an API path", () => {
  test.each(addresses.slice(0, 4))(
    "with %s in place of the slug is refused, and the error contains the right call",
    async (_what, addressOf) => {
      for (const written of [encodeURIComponent(addressOf()), addressOf()]) {
        const response = await fetchPage(`/api/drops/${written}/versions`, {
          headers: { authorization: `Bearer ${account.api.token}` },
        });

        const { message } = expectError(response, "not_found");
        expect(message).toContain(`Call GET /api/drops/${drop.slug}/versions.`);
      }
    },
  );
});

describe("a URL with a version", () => {
  test("as a tool's slug selects that version", async () => {
    const read = await tools.call("read_drop", { slug: `${drop.url}?v=1` });

    expect(JSON.stringify(read.content)).toContain("first");
  });

  test("is refused together with a different version argument", async () => {
    const { message } = await tools.refuse(
      "read_drop",
      { slug: `${drop.url}?v=1`, version: 2 },
      "invalid_arg",
    );

    expect(message).toContain("Send only one of them");
  });

  test.each(["delete_drop", "get_drop"] as const)(
    "is refused by %s, which acts on all versions",
    async (tool) => {
      const { message } = await tools.refuse(tool, { slug: `${drop.url}?v=1` }, "invalid_arg");

      expect(message).toContain(`Send the slug ${drop.slug}`);
      await account.api.succeed("get-drop", { params: { slug: drop.slug } });
    },
  );
});

describe("an unusable slug argument", () => {
  test.each([
    ["a URL of another service", () => `https://elsewhere.example/d/${drop.slug}`],
    ["a URL with another scheme", () => `ftp://${new URL(baseUrl()).host}/d/${drop.slug}`],
    ["the URL of a file", () => `${baseUrl()}/b/${drop.slug}`],
    ["the URL of a page about a drop", () => `${baseUrl()}/p/${drop.slug}/feedback`],
    ["a title", () => "Named"],
  ])("is refused: %s", async (_what, textOf) => {
    const { message } = await tools.refuse("get_drop", { slug: textOf() }, "invalid_slug");

    expect(message).toContain("7 letters or digits, or the drop's url");
  });
});
