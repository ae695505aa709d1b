import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("history");
});

describe("reading versions", () => {
  test("the list contains every version, latest first, each as it is returned by its number", async () => {
    const pages = ["one", "zwölf", "🍃"].map(pageOf);
    const drop = await publish(account.api, { html: pages[0], context: "why" });
    for (const html of pages.slice(1)) await publishVersion(drop, html);

    const { versions } = await account.api.succeed("list-versions", { params: { slug: drop.slug } });

    expect(versions).toEqual(
      [3, 2, 1].map((version, index) => ({
        slug: drop.slug,
        version,
        size_bytes: Buffer.byteLength(pages[version - 1] ?? ""),
        has_context: version === 1,
        created_at: versions[index]?.created_at,
      })),
    );
    expect(versions[2]?.created_at).toBe(drop.created_at);
    for (const version of versions) {
      const params = { slug: drop.slug, n: version.version };
      expect(await account.api.succeed("get-version", { params })).toEqual(version);
    }
  });

  test.each(["2", "0", "-1", "01", "1.0", "1e0", "x", "latest", "9".repeat(30)])(
    "version %s is not_found",
    async (n) => {
      const { slug } = await publish(account.api);

      for (const id of ["get-version", "delete-version"] as const) {
        expectError(await account.api.call(id, { params: { slug, n } }), "not_found");
      }
    },
  );
});

describe("a version's original date", () => {
  const originalDate = Date.UTC(2024, 4, 3, 14, 5, 9, 123);

  test("is returned in addition to the service's own time, and shown in the viewer", async () => {
    const startMs = Date.now();
    const drop = await publish(account.api, { original_date: originalDate });
    const params = { slug: drop.slug };
    const later = await account.api.succeed("publish-version", {
      params,
      query: { original_date: String(originalDate + 1) },
      headers: { "content-type": "text/html" },
      text: pageOf("two"),
    });
    await account.api.succeed("restore-version", { params, body: { version: 1 } });

    const { versions } = await account.api.succeed("list-versions", { params });

    expect(versions.map(({ original_date }) => original_date)).toEqual([
      undefined,
      originalDate + 1,
      originalDate,
    ]);
    for (const { created_at } of versions) expect(created_at).toBeGreaterThan(startMs - 5_000);
    expect(later.updated_at).toBeGreaterThan(startMs - 5_000);
    const { text: viewer } = await fetchPage(drop.url);
    expect(viewer).toContain("Dated ");
    expect(viewer).toContain("3 May 2024, 14:05 UTC");
  });

  test.each([Date.now() + 86_400_000, -1, 1.5, "2024-05-03", null])("cannot be %j", async (date) => {
    const body = { html: pageOf("one"), title: "One", original_date: date };

    expectError(await account.api.call("publish-drop", { body }), "invalid_arg");
  });
});

describe("a version's note", () => {
  test("is returned for each version that has one, also for restored versions", async () => {
    const drop = await publish(account.api, { note: "The first 🍃" });
    const params = { slug: drop.slug };
    await account.api.succeed("publish-version", { params, body: { html: pageOf("two"), note: "" } });
    await account.api.succeed("publish-version", {
      params,
      body: { html: pageOf("three"), note: "Mended." },
    });
    await account.api.succeed("restore-version", { params, body: { version: 2, note: "Back to two" } });

    const { versions } = await account.api.succeed("list-versions", { params });

    expect(versions.map(({ note }) => note)).toEqual(["Back to two", "Mended.", undefined, "The first 🍃"]);
    expect((await account.api.succeed("get-version", { params: { ...params, n: 1 } })).note).toBe(
      "The first 🍃",
    );
  });

  test("of more than 200 characters is refused, and nothing is published", async () => {
    const drop = await publish(account.api);

    const body = { html: pageOf("two"), note: "x".repeat(201) };
    const refusal = await account.api.call("publish-version", { params: { slug: drop.slug }, body });

    expectError(refusal, "invalid_arg");
    expect(refusal.text).toContain("note has 201 characters");
    expect(
      (await account.api.succeed("list-versions", { params: { slug: drop.slug } })).versions,
    ).toHaveLength(1);
  });
});

describe("DELETE /api/drops/{slug}/v/{n}", () => {
  test("deletes the version, and keeps the others", async () => {
    const drop = await publish(account.api, { html: pageOf("1") });
    await publishVersion(drop, pageOf("2"));
    await publishVersion(drop, pageOf("3"));

    await deleteVersion(drop, 2);

    expect(await versionNumbers(drop)).toEqual([3, 1]);
    expectError(await account.api.call("get-version", { params: { slug: drop.slug, n: 2 } }), "not_found");
    expect((await read(drop)).latest_version).toBe(3);
    const statuses = () =>
      Promise.all([1, 2, 3].map(async (n) => (await fetchPage(`${drop.raw_url}?v=${n}`)).status));
    await expect.poll(statuses, within(5)).toEqual([200, 404, 200]);
  });

  test("of the highest version lowers latest_version, and its number is not used again", async () => {
    const drop = await publish(account.api, { html: pageOf("1") });
    await publishVersion(drop, pageOf("2"));
    await publishVersion(drop, pageOf("3"));

    await deleteVersion(drop, 3);
    const fallenBack = await read(drop);
    await deleteVersion(drop, 2);
    const next = await publishVersion(drop, pageOf("4"));

    expect(fallenBack.latest_version).toBe(2);
    expect(next.latest_version).toBe(4);
    expect(await versionNumbers(drop)).toEqual([4, 1]);
  });

  test("makes the drop's URL serve the new latest version within 2 seconds", async () => {
    const drop = await publish(account.api, { html: pageOf("the first") });
    await publishVersion(drop, pageOf("the second"));

    await deleteVersion(drop, 2);

    await expect
      .poll(async () => (await fetchPage(drop.raw_url)).text, within(2.5))
      .toContain("<p>the first</p>");
  });

  test("refuses to delete the last version, and keeps the drop", async () => {
    const drop = await publish(account.api, { html: pageOf("the only one") });
    const params = { slug: drop.slug, n: 1 };

    const refused = await account.api.call("delete-version", { params });

    expectError(refused, "last_version_cannot_be_deleted");
    expect(await read(drop)).toEqual(drop);
    expect((await fetchPage(drop.raw_url)).text).toContain("<p>the only one</p>");
  });

  test("can delete either of two versions, but not both", async () => {
    const drop = await publish(account.api);
    await publishVersion(drop, pageOf("2"));

    await deleteVersion(drop, 1);

    const refused = await account.api.call("delete-version", { params: { slug: drop.slug, n: 2 } });
    expectError(refused, "last_version_cannot_be_deleted");
    expect(await versionNumbers(drop)).toEqual([2]);
  });

  test("returns not_found for a deleted version, also if only one version is left", async () => {
    const drop = await publish(account.api);
    await publishVersion(drop, pageOf("2"));
    await deleteVersion(drop, 1);

    expectError(await account.api.call("delete-version", { params: { slug: drop.slug, n: 1 } }), "not_found");
  });
});

function publishVersion(drop: DropResponse, html: string): Promise<DropResponse> {
  return account.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html } });
}

function deleteVersion(drop: DropResponse, n: number): Promise<undefined> {
  return account.api.succeed("delete-version", { params: { slug: drop.slug, n } });
}

function read(drop: DropResponse): Promise<DropResponse> {
  return account.api.succeed("get-drop", { params: { slug: drop.slug } });
}

async function versionNumbers(drop: DropResponse): Promise<number[]> {
  const { versions } = await account.api.succeed("list-versions", { params: { slug: drop.slug } });
  return versions.map(({ version }) => version);
}
