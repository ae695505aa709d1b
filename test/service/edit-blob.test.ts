import { beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { visibilityKinds } from "../../functions/policies/access.ts";
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
  test("is public by default and can be uploaded unlisted, in one request or in steps", async () => {
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

  test("disappears from its owner's page and returns to it, while its URL keeps working", {
    tags: "nightly",
  }, async () => {
    const file = await upload("coming-and-going.txt");
    const isShown = async () => (await shelf(file.url)).includes(file.filename);
    await expect.poll(isShown, within(2)).toBe(true);

    for (const [visibility, readable_by] of [
      ["unlisted", "anyone with the link"],
      ["public", "anyone"],
    ] as const) {
      const edited = await account.api.succeed("edit-blob", {
        params: { id: file.id },
        body: { visibility },
      });

      expect(edited).toEqual({ ...file, visibility, readable_by });
      await expect.poll(isShown, within(2)).toBe(visibility === "public");
      expect((await fetchPage(file.url)).text).toBe(file.filename);
    }
  });

  test("can be restricted to named people at the upload, without duplicates, and to others later", async () => {
    const readers = ["Ada@Example.com", "@example.org", "ada@example.com"];
    const inSteps = { filename: "steps.txt", size_bytes: 5, visibility: "people", readers };
    const { id, url, headers } = await account.api.succeed("start-upload", { body: inSteps });
    await fetch(url, { method: "PUT", headers, body: "steps" });
    const query = [
      ["filename", "one.txt"],
      ["visibility", "people"],
      ...readers.map((one) => ["readers", one]),
    ];

    const files = [
      await account.api.succeed("complete-upload", { params: { id } }),
      await account.api.succeed("upload-blob", { query: query as [string, string][], text: "x" }),
    ];

    const named = { visibility: "people", readers: ["ada@example.com", "@example.org"] };
    for (const file of files) {
      expect(file).toMatchObject(named);
      expect((await fetchPage(file.url)).status).toBe(404);
    }
    const change = (body: object) => account.api.succeed("edit-blob", { params: { id }, body });
    expect(await change({ readers: ["grace"] })).toMatchObject({ visibility: "people", readers: ["grace"] });
    expect(await change({ visibility: "people" })).toMatchObject({ readers: ["grace"] });
    expect(await change({ visibility: "members" })).not.toHaveProperty("readers");
    expect(await shelf(files[0]?.url ?? "")).not.toContain("steps.txt");
  });

  test("stays unchanged after an edit without fields", async () => {
    const file = await upload("as-it-is.txt", { visibility: "unlisted" });

    const response = await edit(file.id, {});

    expect(JSON.parse(response.text)).toEqual({
      ...file,
      warnings: [expect.stringContaining("Nothing has changed")],
    });
  });
});

describe("a change of a file is refused", () => {
  test.each(["private", "Members", null])("if the visibility is invalid: %j", async (visibility) => {
    const { id } = await upload("refused.txt");

    const { message, details } = expectError(await edit(id, { visibility }), "invalid_arg");

    expect(message).toContain('"public", "unlisted", "members", "people"');
    expect(details).toEqual({ field: "visibility", allowed: visibilityKinds });
  });

  test("if visibility and readers contradict each other or a reader is invalid, with advice", async () => {
    const { id } = await upload("refused.txt");

    for (const [body, advice] of [
      [{ readers: ["ada"] }, '"visibility": "people"'],
      [{ visibility: "members", readers: ["ada"] }, '"visibility": "people"'],
      [{ visibility: "people" }, "1 to 50 e-mail addresses"],
      [{ visibility: "people", readers: [] }, "1 to 50 e-mail addresses"],
      [{ visibility: "people", readers: ["ada lovelace"] }, "readers[0]"],
    ] as const) {
      expect(expectError(await edit(id, body), "invalid_arg").message).toContain(advice);
    }
    expect((await account.api.succeed("edit-blob", { params: { id }, body: {} })).visibility).toBe("public");
  });

  test("also at an upload", async () => {
    for (const response of [
      await account.api.call("upload-blob", {
        query: { filename: "a.txt", visibility: "people" },
        text: "x",
      }),
      await account.api.call("upload-blob", {
        query: { filename: "a.txt", visibility: "people", readers: "ada, grace" },
        text: "x",
      }),
      await account.api.call("start-upload", {
        body: { filename: "a.txt", size_bytes: 1, readers: ["ada"] },
      }),
    ]) {
      expect(expectError(response, "invalid_arg").message).toContain("readers");
    }
  });

  test("if the file is another owner's or missing", async () => {
    const { id } = await upload("mine.txt");
    const stranger = await newAccount("stranger");

    const others = await stranger.api.call("edit-blob", { params: { id }, body: { visibility: "unlisted" } });

    for (const response of [others, await edit("0000000", { visibility: "unlisted" })]) {
      expectError(response, "not_found");
    }
  });
});
