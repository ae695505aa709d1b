import { beforeAll, describe, expect, test } from "vitest";
import type { BlobListResponse, BlobResponse } from "../../functions/blobs/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";

let owner: Account;
const uploaded: BlobResponse[] = [];

beforeAll(async () => {
  owner = await newAccount("lister");
  const files: [string, Record<string, string>][] = [
    ["first.txt", {}],
    ["second.png", { visibility: "unlisted" }],
    ["third.pdf", { visibility: "people", readers: "grace@example.com" }],
  ];
  for (const [filename, chosen] of files)
    uploaded.push(await owner.api.succeed("upload-blob", { query: { filename, ...chosen }, text: filename }));
});

const list = (query: Record<string, number> = {}, { api } = owner): Promise<BlobListResponse> =>
  api.succeed("list-blobs", { query });

describe("the list of files", () => {
  test("contains the account's own files, newest first, each as its upload returned it", async () => {
    const stranger = await newAccount("lister-stranger");

    const [own, strangers] = [await list(), await list({}, stranger)];

    expect(own).toEqual({ blobs: uploaded.toReversed(), page: 1, page_size: 20, total: 3 });
    expect(strangers).toEqual({ blobs: [], page: 1, page_size: 20, total: 0 });
  });

  test("is paged, and a page past the end is empty", async () => {
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ page, pageSize: 2 }));

    expect(pages.map(({ blobs }) => blobs.map(({ filename }) => filename))).toEqual([
      ["third.pdf", "second.png"],
      ["first.txt"],
      [],
    ]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
  });

  test("shows a file's new visibility immediately, and omits a deleted file", async () => {
    const account = await newAccount("lister-changes");
    const upload = (filename: string) =>
      account.api.succeed("upload-blob", { query: { filename }, text: filename });
    const [kept, gone] = [await upload("kept.txt"), await upload("gone.txt")];

    await account.api.succeed("edit-blob", { params: { id: kept.id }, body: { visibility: "members" } });
    await account.api.succeed("delete-blob", { params: { id: gone.id } });

    const { blobs } = await list({}, account);
    expect(blobs).toEqual([{ ...kept, visibility: "members", readable_by: "members of this service" }]);
  });

  test("refuses unknown filters and an invalid page", async () => {
    for (const [name, value] of [
      ["filename", "first.txt"],
      ["limit", "1"],
      ["page", "0"],
      ["pageSize", "201"],
    ] as const) {
      const refusal = await owner.api.call("list-blobs", { query: [[name, value]] });

      expectError(refusal, "invalid_arg");
    }
  });
});
