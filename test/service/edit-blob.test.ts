import { beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("files");
});

const upload = (filename: string, query: object = {}): Promise<BlobResponse> =>
  account.api.succeed("upload-blob", {
    query: { filename, ...query },
    text: filename,
    headers: { "content-type": "text/plain" },
  });
const edit = (id: string, body: object) => account.api.call("edit-blob", { params: { id }, body });
const shelf = async (address: string) => (await fetchPage(`${ownerAddress(address)}/`)).text;

describe("a file", () => {
  test("is public where nothing is said, and unlisted when it is uploaded so, at once or in steps", async () => {
    const body = { filename: "steps.txt", size_bytes: 5, visibility: "unlisted" };
    const { id, url, headers } = await account.api.succeed("start-upload", { body });
    await fetch(url, { method: "PUT", headers, body: "steps" });

    const files = [
      await upload("plain.txt"),
      await upload("hidden.txt", { visibility: "unlisted" }),
      await account.api.succeed("complete-upload", { params: { id } }),
    ];

    expect(files.map(({ visibility }) => visibility)).toEqual(["public", "unlisted", "unlisted"]);
    await expect
      .poll(async () => (await shelf(files[0]?.url ?? "")).includes("plain.txt"), within(2))
      .toBe(true);
    const shown = await shelf(files[0]?.url ?? "");
    expect(shown).not.toContain("hidden.txt");
    expect(shown).not.toContain("steps.txt");
    expect((await fetchPage(files[1]?.url ?? "")).text).toBe("hidden.txt");
  });

  test("leaves its owner's page and comes back, and opens by its address all the time", async () => {
    const file = await upload("coming-and-going.txt");
    const isShown = async () => (await shelf(file.url)).includes(file.filename);
    await expect.poll(isShown, within(2)).toBe(true);

    for (const visibility of ["unlisted", "public"] as const) {
      const edited = await account.api.succeed("edit-blob", {
        params: { id: file.id },
        body: { visibility },
      });

      expect(edited).toEqual({ ...file, visibility });
      await expect.poll(isShown, within(2)).toBe(visibility === "public");
      expect((await fetchPage(file.url)).text).toBe(file.filename);
    }
  });

  test("stays as it is where nothing is said", async () => {
    const file = await upload("as-it-is.txt", { visibility: "unlisted" });

    const response = await edit(file.id, {});

    expect(JSON.parse(response.text)).toEqual(file);
  });
});

describe("a change of a file is refused", () => {
  test.each(["members", "people", "private", null])("to what it cannot be: %j", async (visibility) => {
    const { id } = await upload("refused.txt");

    const { message, details } = expectError(await edit(id, { visibility }), "invalid_arg");

    expect(message).toContain('"public", "unlisted"');
    expect(details).toEqual({ field: "visibility", allowed: ["public", "unlisted"] });
  });

  test("at an upload, too", async () => {
    for (const response of [
      await account.api.call("upload-blob", {
        query: { filename: "a.txt", visibility: "members" },
        text: "x",
      }),
      await account.api.call("start-upload", {
        body: { filename: "a.txt", size_bytes: 1, visibility: "members" },
      }),
    ]) {
      expect(expectError(response, "invalid_arg").message).toContain("visibility");
    }
  });

  test("that somebody else has, or nobody", async () => {
    const { id } = await upload("mine.txt");
    const stranger = await newAccount("stranger");

    const others = await stranger.api.call("edit-blob", { params: { id }, body: { visibility: "unlisted" } });

    for (const response of [others, await edit("0000000", { visibility: "unlisted" })]) {
      expectError(response, "not_found");
    }
  });
});
