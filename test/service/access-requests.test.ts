import { describe, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { signInToRead } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";

// test/operator/access-requests.test.ts tests a service whose setting `accessRequests` is true.

describe("a service without access requests", () => {
  test("shows a reader no request form, and refuses a sent one with 404", async () => {
    const { api } = await newAccount();
    const { slug } = await publish(api, { visibility: "people", readers: ["nobody@example.com"] });

    const page = await signInToRead(`/p/${slug}`, unusedUsername("grace"));
    const sent = await fetchPage(new URL(`/p/${slug}/access`, page.url), {
      method: "POST",
      body: "message=Please",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: page.url.origin },
    });

    expectErrorPage(page.response, 404);
    expect(page.response.text).toContain("isn’t shared with the account");
    expect(page.response.text).not.toContain("Ask for access");
    expectErrorPage(sent, 404);
  });

  test("lists no requests to owners, and returns 404 when one is dismissed", async () => {
    const { api } = await newAccount();
    const { slug } = await publish(api);

    expect(await api.succeed("list-access-requests")).toMatchObject({ requests: [], next_cursor: null });
    const params = { slug, id: "0123456789abcdef01234567" };
    const { message } = expectError(await api.call("dismiss-access-request", { params }), "not_found");
    expect(message).toContain("GET /api/access-requests");
  });
});
