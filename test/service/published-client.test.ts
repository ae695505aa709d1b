// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import { PublishedClient } from "../support/published-client.ts";

let account: Account;
let client: PublishedClient;

beforeAll(async () => {
  account = await newAccount("published-client");
  client = await PublishedClient.inNewFolder(account.api.token);
  await client.write("report.html", pageOf("the first page"));
  await client.write("newer.html", pageOf("the second page"));
});

afterAll(() => client.remove());

describe("@htmlbin/cli publish", () => {
  test("prints the URL of the published page, and sets its title, description and tags", async () => {
    const { exitCode, stdout, stderr } = await client.run(
      ...["publish", "report.html", "--title", "A report", "--description", "What it says"],
      ...["--metadata", "kind=report", "for=a=b c&d"],
    );

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const drop = await dropAt(stdout.trim());
    expect(drop).toMatchObject({
      url: stdout.trim(),
      title: "A report",
      description: "What it says",
      metadata: { kind: "report", for: "a=b c&d" },
    });
    expect((await fetchPage(drop.raw_url)).text).toContain("the first page");
  });

  test("uses the file's name as the title by default", { tags: "nightly" }, async () => {
    const { slug } = await client.succeed("publish", "report.html");

    expect(await dropOf(slug)).toMatchObject({ title: "report", description: null, metadata: {} });
  });

  test("--slug publishes a new version at the same URL, and keeps the tags", async () => {
    const { slug, url } = await publish(account.api, { metadata: { kept: "yes" } });

    const result = await client.succeed("publish", "newer.html", "--slug", slug, "--title", "Again");

    expect(result).toEqual({ url, slug, backend: "cloud" });
    const drop = await dropOf(slug);
    expect(drop).toMatchObject({ latest_version: 2, title: "Again", metadata: { kept: "yes" } });
    expect((await fetchPage(drop.raw_url)).text).toContain("the second page");
  });

  test("--upsert keeps one URL for each set of tags", async () => {
    const upsert = (pullRequest: number, file: string) =>
      client.succeed("publish", file, "--upsert", "--metadata", "repo=a/b", `pr=${pullRequest}`);

    const first = await upsert(1, "report.html");
    const second = await upsert(1, "newer.html");
    const other = await upsert(2, "report.html");

    expect(second).toEqual({ ...first, matched: true });
    expect(other.slug).not.toBe(first.slug);
    expect(await dropOf(first.slug)).toMatchObject({
      latest_version: 2,
      metadata: { repo: "a/b", pr: "1" },
    });
  });
});

describe("@htmlbin/cli list", () => {
  test("prints the drops, last changed first, or only those with given tags", {
    tags: "nightly",
  }, async () => {
    const tags = { listed: "yes" };
    const [one, two] = [await publish(account.api, { metadata: tags }), await publish(account.api)];
    await account.api.succeed("edit-drop", { params: { slug: one.slug }, body: { title: "Edited" } });

    const all = await client.run("list");
    const tagged = await client.succeed("list", "--metadata", "listed=yes");

    const rows = all.stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split("\t"));
    expect(rows.slice(0, 2).map(([slug, , title, url]) => [slug, title, url])).toEqual([
      [one.slug, "Edited", one.url],
      [two.slug, "A page", two.url],
    ]);
    expect(rows).toHaveLength((await account.api.succeed("get-me")).drop_count);
    expect(tagged).toMatchObject([{ slug: one.slug, url: one.url, title: "Edited", metadata: tags }]);
  });

  test("prints an empty list if no drop has the tags", { tags: "nightly" }, async () => {
    expect(await client.succeed("list", "--metadata", "listed=never")).toEqual([]);
  });
});

describe("@htmlbin/cli", () => {
  test("url prints a drop's URL", { tags: "nightly" }, async () => {
    const { slug, url } = await publish(account.api);

    const { exitCode, stdout } = await client.run("url", slug);

    expect([exitCode, stdout]).toEqual([0, `${url}\n`]);
  });

  test("update --file publishes a version with title, description and tags in one call", async () => {
    const { slug, url } = await publish(account.api, { metadata: { gone: "soon" } });

    const result = await client.succeed(
      ...["update", slug, "--file", "newer.html", "--title", "New", "--description", "Newer"],
      ...["--metadata", "state=new"],
    );

    expect(result).toEqual({ url, slug, mode: "put", backend: "cloud" });
    expect(await dropOf(slug)).toMatchObject({
      latest_version: 2,
      title: "New",
      description: "Newer",
      metadata: { state: "new" },
    });
  });

  test("update without a file creates no version, and --clear-metadata removes the tags", {
    tags: "nightly",
  }, async () => {
    const { slug } = await publish(account.api, { metadata: { gone: "soon" } });

    const result = await client.succeed("update", slug, "--title", "Merged", "--clear-metadata");

    expect(result).toMatchObject({ slug, mode: "patch" });
    expect(await dropOf(slug)).toMatchObject({ latest_version: 1, title: "Merged", metadata: {} });
  });

  test("delete removes the page", async () => {
    const { slug, url } = await publish(account.api);

    const { exitCode, stdout } = await client.run("delete", slug);

    expect([exitCode, stdout]).toEqual([0, `deleted ${slug}\n`]);
    expect((await fetchPage(url)).status).toBe(404);
  });
});

function dropAt(url: string): Promise<DropResponse> {
  return dropOf(new URL(url).pathname.split("/").at(-1));
}

function dropOf(slug: unknown): Promise<DropResponse> {
  return account.api.succeed("get-drop", { params: { slug: String(slug) } });
}
