import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

// The tests' service renders no pages. test/renders/pdf.own.test.ts runs one that does.

let account: Account;
let stranger: Account;
let slug: string;

beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount("no-pdf"), newAccount("no-pdf-stranger")]);
  ({ slug } = await publish(account.api));
});

test("a service without rendering refuses PDFs, and names the setting", async () => {
  const ofOwner = await account.api.call("get-pdf", { params: { slug } });
  const ofReader = await fetchPage(`${baseUrl()}/p/${slug}/pdf`, { headers: { accept: "text/html" } });

  expect(expectError(ofOwner, "not_found").message).toContain("`renders`");
  expect([ofReader.status, ofReader.text]).toEqual([404, expect.stringContaining("renders no pages")]);
});

test("a request for the PDF of another owner's drop is refused like one for a missing drop", async () => {
  const [ofDrop, ofNone] = await Promise.all([
    stranger.api.call("get-pdf", { params: { slug } }),
    stranger.api.call("get-pdf", { params: { slug: "aaaaaaa" } }),
  ]);

  expect(expectError(ofDrop, "not_found").message).toBe(expectError(ofNone, "not_found").message);
  expect(ofDrop.text).not.toContain("renders");
});
