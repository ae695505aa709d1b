import { createCloudBackend } from "@htmlbin/cli";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pageOf } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { patiently } from "../support/patience.ts";
import { PublishedClient } from "../support/published-client.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";

let client: PublishedClient;

beforeEach(async () => {
  client = await PublishedClient.inNewFolder();
});

afterEach(() => client.remove());

// The command `htmlbin login` ignores api_url and signs in at htmlbin.dev: docs/adr/0016-htmlbin-cli-compatibility.md.
test("the sign-in in @htmlbin/cli's library gets a token, which the client's commands use", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const signedIn = createCloudBackend({ apiUrl: baseUrl(), cwd: client.directory }).login?.();
  const [verificationUrl = ""] = await vi.waitUntil(
    () => /http\S+/.exec(said.mock.calls.join("")),
    patiently,
  );

  await confirmSignIn({ verification_url: verificationUrl }, unusedUsername("published-client"));
  await signedIn;
  said.mockRestore();

  await client.write("page.html", pageOf("signed in"));
  const { url } = await client.succeed("publish", "page.html");
  expect((await fetchPage(String(url))).status).toBe(200);
});
