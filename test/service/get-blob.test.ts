import { expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";

test.each(["public", "members"])("a file for %s is returned to its owner only", async (visibility) => {
  const [owner, stranger] = [await newAccount("get-blob"), await newAccount("get-blob-stranger")];
  const uploaded = await owner.api.succeed("upload-blob", {
    query: { filename: "notes.txt", visibility },
    text: "what it says",
  });
  const params = { id: uploaded.id };

  const { bytes_url, ...file } = JSON.parse((await owner.api.call("get-blob", { params })).text);

  expect(file).toEqual(uploaded);
  expect((await fetchPage(bytes_url)).text).toBe("what it says");
  expectError(await stranger.api.call("get-blob", { params }), "not_found");
  expectError(await owner.api.call("get-blob", { params: { id: "AAAAAAA" } }), "not_found");
});
