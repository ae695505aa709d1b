import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { contextKey } from "../../functions/drops/drop.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import { drops } from "../../functions/drops/store.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { exportCommand } from "../../scripts/operator/export.ts";
import { rotateCookieKeyCommand } from "../../scripts/operator/keys.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { givenOwner, newOwner, openGivenService, runCommand, scratchFolder } from "./given-service.ts";

const given = await openGivenService();
const scratchDirectory = scratchFolder();

const folder = (name: string) => join(scratchDirectory, name);
const readJson = (...names: string[]) => JSON.parse(readFileSync(join(...names), "utf8"));

describe("an export", () => {
  test("contains everything in the account, with pages and files as they were sent", {
    tags: "slow",
  }, async () => {
    const owner = await newOwner(given.service, "grace");
    const slug = await owner.publish("<p>one</p>", {
      description: "a description",
      context: "why",
      metadata: { project: "x" },
      passcode: "open sesame",
    });
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>два</p>" });
    const id = await owner.upload("bytes", "a file.txt");
    const to = folder("export");

    const { isWell, lines } = await runCommand(exportCommand, given, [owner.namespace], { to });

    expect(isWell).toBe(true);
    expect(lines).toEqual([`${owner.namespace}: 1 drops and 1 files are in ${to}.`]);
    expect(readdirSync(to).sort()).toEqual([
      "account.json",
      "drops",
      "files",
      "files.json",
      "kept-answers.json",
      "reads.json",
      "tokens.json",
    ]);
    expect(readJson(to, "kept-answers.json")).toMatchObject([
      { operation: "publish-drop", status: 201, response: { slug, latest_version: 1 } },
    ]);
    expect(readJson(to, "account.json")).toEqual({
      user_id: owner.userId,
      namespace: owner.namespace,
      username: owner.namespace,
      identity: { provider: "https://id.example.com", id: `id of ${owner.namespace}` },
      last_sign_in: null,
      created_at: expect.any(Number),
    });
    expect(readFileSync(join(to, "drops", slug, "v000001.html"), "utf8")).toBe("<p>one</p>");
    expect(readFileSync(join(to, "drops", slug, "v000001.context.txt"), "utf8")).toBe("why");
    expect(readFileSync(join(to, "drops", slug, "v000002.html"), "utf8")).toBe("<p>два</p>");
    expect(readJson(to, "drops", slug, "drop.json")).toMatchObject({
      description: "a description",
      metadata: { project: "x" },
      locked: true,
      versions: [
        { version: 1, sha256: createHash("sha256").update("<p>one</p>").digest("hex") },
        { version: 2, has_context: false },
      ],
    });
    expect(readFileSync(join(to, "files", `${id}-a file.txt`), "utf8")).toBe("bytes");
    expect(readJson(to, "files.json")).toMatchObject([{ id, filename: "a file.txt", size_bytes: 5 }]);
    expect(statSync(join(to, "account.json")).mode & 0o077).toBe(0);
  });

  test("contains no tokens, token digests or passcodes", async () => {
    const owner = await newOwner(given.service, "hedy");
    await owner.publish("<p>page</p>", { passcode: "open sesame" });
    const to = folder("secrets");

    await runCommand(exportCommand, given, [owner.userId], { to });

    const all = readdirSync(to, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join();
    expect(all).toContain('"label": "an agent"');
    for (const secret of [owner.token, createHash("sha256").update(owner.token).digest("hex"), "sesame"])
      expect(all).not.toContain(secret);
    expect(all).not.toMatch(/passcodeHash|scrypt|\$/);
  });

  test("reports missing and damaged objects, and copies the rest", async () => {
    const owner = await newOwner(given.service, "katherine");
    const slug = await owner.publish("<p>one</p>", { context: "why" });
    const kept = await owner.publish("<p>kept</p>");
    const { pageKey } = (await drops.find(owner.userId, slug))?.latest ?? { pageKey: "" };
    const Bucket = given.service.pagesBucket;
    await s3.send(new PutObjectCommand({ Bucket, Key: pageKey, Body: "<p>other</p>" }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: contextKey(pageKey) }));
    const to = folder("damaged");

    const { isWell, lines } = await runCommand(exportCommand, given, [owner.namespace], { to });

    expect(isWell).toBe(false);
    expect(lines).toEqual([
      `The page of version 1 of ${slug} differs from the published page.`,
      `The context of version 1 of ${slug} is not in the bucket.`,
      `${owner.namespace}: 2 drops and 0 files are in ${to}.`,
    ]);
    expect(readFileSync(join(to, "drops", kept, "v000001.html"), "utf8")).toBe("<p>kept</p>");
  });

  test("of an unknown account is refused", async () => {
    const refused = runCommand(exportCommand, given, ["nobody"], { to: folder("nobody") });

    await expect(refused).rejects.toThrow('There is no account with the user id or the namespace "nobody".');
  });
});

describe("a recount", () => {
  const recount = (words: string[], options: Record<string, boolean> = {}) =>
    runCommand(recountCommand, given, words, options);

  test("reports no differences in the service's own counters", { tags: "slow" }, async () => {
    const owner = await newOwner(given.service, "mary");
    const slug = await owner.publish("<p>1</p>");
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>2</p>" });
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>3</p>" });
    await owner.json("DELETE", `/api/drops/${slug}/v/3`);
    await owner.deleteForGood(await owner.publish("<p>gone</p>"));
    await owner.json("DELETE", `/api/blobs/${await owner.upload("gone")}`);
    await owner.upload("stays");

    const { isWell, lines } = await recount([owner.namespace]);

    expect(lines).toEqual(["Accounts counted: 1."]);
    expect(isWell).toBe(true);
  });

  test("reports differences, and corrects them on request", async () => {
    const owner = await newOwner(given.service, "dorothy");
    const slug = await owner.publish("<p>1</p>");
    await owner.upload("12345");
    await miscount(owner.userId, 7);
    await updateItem({
      key: keys.drop(owner.userId, slug),
      update: "SET versionCount = :wrong",
      condition: "attribute_exists(pk)",
      values: { ":wrong": 200 },
    });
    const differs = `${owner.userId} records 7 drops of 7 bytes, 7 files of 7 bytes, but has 1 drops of 8 bytes, 1 files of 5 bytes`;
    const versions = `${slug} records 200 versions, but has 1`;

    const told = await recount([owner.namespace]);
    const fixed = await recount([owner.namespace], { fix: true });
    const after = await recount([owner.namespace]);

    expect(told).toEqual({ isWell: false, lines: [`${differs}.`, `${versions}.`, "Accounts counted: 1."] });
    expect(fixed).toEqual({
      isWell: true,
      lines: [`${differs}: fixed.`, `${versions}: fixed.`, "Accounts counted: 1."],
    });
    expect(after).toEqual({ isWell: true, lines: ["Accounts counted: 1."] });
    expect((await owner.json("GET", "/api/me/usage")).blobs).toMatchObject({ used: 1, bytes_used: 5 });
  });

  test("counts correctly during concurrent writes", { tags: "slow" }, async () => {
    const owner = await newOwner(given.service, "annie");
    const other = await givenOwner(given.service, owner.namespace);
    await miscount(owner.userId, 3);
    const rounds = 4;
    const churn = async (caller: typeof owner) => {
      for (let round = 0; round < rounds; round += 1) {
        const [slug, id] = await Promise.all([caller.publish("<p>page</p>"), caller.upload("123")]);
        await caller.json("PUT", `/api/drops/${slug}`, { html: "<p>next</p>" });
        if (round % 2 === 0) await caller.deleteForGood(slug);
        else await caller.json("DELETE", `/api/blobs/${id}`);
      }
    };
    const isDone = Promise.all([churn(owner), churn(other)]).then(() => true);

    while (!(await Promise.race([isDone, Promise.resolve(false)]))) {
      await recount([owner.namespace], { fix: true });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { isWell, lines } = await recount([owner.namespace]);

    expect(lines).toEqual(["Accounts counted: 1."]);
    expect(isWell).toBe(true);
    const usage = await owner.json("GET", "/api/me/usage");
    expect([usage.drops.used, usage.blobs.used, usage.blobs.bytes_used]).toEqual([
      rounds,
      rounds,
      3 * rounds,
    ]);
  });

  test("counts the pages of an account created before pages were counted", { tags: "slow" }, async () => {
    const owner = await newOwner(given.service, "rosalind");
    const slug = await owner.publish("<p>12345</p>");
    const gone = await owner.publish("<p>gone</p>");
    await updateItem({
      key: keys.account(owner.userId),
      update: "REMOVE pageBytes",
      condition: "pageBytes > :none",
      values: { ":none": 0 },
    });
    // An account without this counter can publish, and counts the changes.
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>123</p>" });
    await owner.deleteForGood(gone);
    const says = `${owner.userId} records 1 drops of -1 bytes, 0 files of 0 bytes`;

    const fixed = await recount([owner.namespace], { fix: true });
    await owner.json("DELETE", `/api/drops/${slug}/v/1`);
    const after = await recount([owner.namespace]);

    const has = "but has 1 drops of 22 bytes, 0 files of 0 bytes";
    expect(fixed.lines).toEqual([`${says}, ${has}: fixed.`, "Accounts counted: 1."]);
    expect(after).toEqual({ isWell: true, lines: ["Accounts counted: 1."] });
  });

  test("can cover every account", { tags: "slow" }, async () => {
    const owner = await newOwner(given.service, "evelyn");
    await miscount(owner.userId, 2);

    const { isWell, lines } = await recount([], { all: true });

    expect(isWell).toBe(false);
    expect(lines).toContain(
      `${owner.userId} records 2 drops of 2 bytes, 2 files of 2 bytes, but has 0 drops of 0 bytes, 0 files of 0 bytes.`,
    );
  });

  test.each([
    [[], "Name an account, or use --all."],
    [["one", "two"], 'Unexpected argument "two".'],
  ])("with %j is refused with the right usage", async (words, message) => {
    await expect(recount(words)).rejects.toThrow(message);
  });
});

test("readers with a cookie signed by the old key stay unlocked after a new key is created", {
  tags: "slow",
}, async () => {
  const { baseUrl } = given.service;
  const owner = await newOwner(given.service, "joan");
  const slug = await owner.publish("<p>behind the gate</p>", { passcode: "open sesame" });
  const unlocked = await sendPublic(`${baseUrl}/p/${slug}/unlock`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: baseUrl },
    body: "passcode=open+sesame",
  });
  const [cookie = ""] = String(unlocked.headers["set-cookie"]).split(";");
  const read = async (headers: Record<string, string>) =>
    (await sendPublic(`${baseUrl}/p/${slug}/raw?v=1&${Math.random()}`, { headers })).body.toString();

  const { isWell } = await runCommand(rotateCookieKeyCommand, given, []);

  expect(isWell).toBe(true);
  expect(unlocked.status).toBe(303);
  expect(await read({ cookie })).toContain("behind the gate");
  expect(await read({})).not.toContain("behind the gate");
});

async function miscount(userId: string, wrong: number): Promise<void> {
  await updateItem({
    key: keys.account(userId),
    update: "SET dropCount = :wrong, pageBytes = :wrong, blobCount = :wrong, blobBytes = :wrong",
    condition: "attribute_exists(pk)",
    values: { ":wrong": wrong },
  });
}
