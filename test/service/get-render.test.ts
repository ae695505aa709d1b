import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { connectMcp } from "../support/mcp-client.ts";

// The service in these tests renders no pages. test/renders/render-report.own.test.ts tests one that does.

let account: Account;
let slug: string;

beforeAll(async () => {
  account = await newAccount("not-rendered");
  ({ slug } = await publish(account.api));
});

test("a call without rendering returns 404 and names the setting", async () => {
  const { message } = expectError(await account.api.call("get-render", { params: { slug } }), "not_found");

  expect(message).toContain("`renders`");
});

test("the tool without rendering names the setting, and advises to continue", async () => {
  const mcp = await connectMcp(account.api.token);

  const { message, advice } = await mcp.refuse("see_drop", { slug }, "not_found");

  expect(message).toContain("`renders`");
  expect(advice).toContain("Continue without this feature");
});

test("a missing drop is not found, whatever the operator has set", async () => {
  const { message } = expectError(
    await account.api.call("get-render", { params: { slug: "aaaaaaa" } }),
    "not_found",
  );

  expect(message).not.toContain("renders");
});
