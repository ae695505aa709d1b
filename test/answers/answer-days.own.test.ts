// @module-tag slow

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerCounts } from "../../functions/answers/answer-counts.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { deleteItems, updateItem } from "../../functions/table/table-writes.ts";
import { openService } from "../../scripts/operator/service.ts";
import { setEnvironment } from "../command-line/programs.ts";
import { runInProcess } from "../command-line/run-in-process.ts";
import { type Account, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { newOwner, sendAnswersForm } from "../support/own-pages.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { elementsOf, textOf, type Visitor } from "../support/visitor.ts";

// A service that stores answers for 30 days.

const html =
  '<form data-answers="vote"><input type="radio" name="day" value="Monday"><input type="radio" name="day" value="Friday"></form>';
const daySeconds = 86_400;

let service: RunningService;
let owner: Account & { readonly visitor: Visitor };
let drop: DropResponse;

beforeAll(async () => {
  service = await startService({ fileSettings: { ingest: "none", answerDays: 30 } });
  useService(service);
  await openService({ local: join(service.directory, "data") });
  owner = await newOwner("owner");
});
afterAll(() => service?.stop());

/**
 * Publishes a drop with two answers. The first answer has expired, but is still stored, because DynamoDB removes
 * expired items within a few days.
 */
beforeEach(async () => {
  drop = await publish(owner.api, { html, answers: "readers", answers_results: true });
  await send("day=Monday");
  await send("day=Friday");
  await updateItem({
    key: keys.answer(drop.slug, 1),
    update: "SET #ttl = :past",
    condition: "attribute_exists(pk)",
    names: { "#ttl": "ttl" },
    values: { ":past": Math.floor(Date.now() / 1000) - 1 },
  });
});

const params = () => ({ slug: drop.slug });
const address = () => new URL(`/p/${drop.slug}/answers?form=vote`, baseUrl());

async function send(body: string): Promise<string> {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const { status, text } = await fetchPage(address(), { method: "POST", headers, body });
  expect(status, text).toBe(200);
  return JSON.parse(text).message;
}

test("an answer is stored for the configured days, and its reader sees until when it can be changed", async () => {
  const message = await send("day=Monday");

  const { ttl } = (await getItem(keys.answer(drop.slug, 3))) ?? {};
  const inDays = (Number(ttl) - Date.now() / 1000) / daySeconds;
  expect(inDays).toBeGreaterThan(29.9);
  expect(inDays).toBeLessThan(30.1);
  expect(message).toMatch(/^Sent\. You can change your answer until .*20\d\d/);
});

test("an expired answer is not listed, exported or counted", async () => {
  const listed = await owner.api.succeed("list-answers", { params: params() });
  const csv = await owner.api.call("export-answers", { params: params() });
  const counts = await fetchPage(address(), { headers: { accept: "application/json" } });
  const dropPage = await owner.visitor.open(`/account/drops/${drop.slug}`);
  const answersPage = await owner.visitor.open(`/account/drops/${drop.slug}/answers`);

  expect(listed).toMatchObject({ answers: [{ number: 2 }], next_since: 2, has_more: false });
  expect(csv.text.trimEnd().split("\r\n").slice(1)).toEqual([expect.stringMatching(/^2,vote,.*,Friday$/)]);
  expect(JSON.parse(counts.text)).toEqual({ counts: [["day", [["Friday", 1]]]] });
  expect(dropPage.response.text).toContain("Answers: 1");
  expect(elementsOf(answersPage.response, "tr").slice(1).map(textOf)).toEqual([
    expect.stringContaining("Friday"),
  ]);
});

test("an expired answer is not in the export of an account", async () => {
  const folder = join(service.directory, "export");
  const restore = setEnvironment({
    DROPLEAF_URL: baseUrl(),
    DROPLEAF_TOKEN: owner.api.token ?? "",
    DROPLEAF_CONFIG_DIR: folder,
  });

  const { exitCode, notes } = await runInProcess(["export", folder]).finally(restore);

  expect(exitCode, notes).toBe(0);
  const copied = readFileSync(join(folder, "drops", drop.slug, "answers.json"), "utf8");
  expect(JSON.parse(copied)).toMatchObject([{ number: 2 }]);
});

test("counters stay correct for an operator and the owner when DynamoDB removes an answer", async () => {
  await deleteItems([keys.answer(drop.slug, 1)]);

  const miscount = await answerCounts.findMiscount(drop.slug);
  const page = await owner.visitor.open(`/account/drops/${drop.slug}/answers`);
  const deleted = await sendAnswersForm(owner.visitor, page, { form: "vote", count: "1", confirm: "yes" });

  expect(miscount).toBeUndefined();
  expect(deleted.response.status).toBe(200);
  expect((await owner.api.succeed("list-answers", { params: params() })).answers).toEqual([]);
  expect(await answerCounts.current(drop.slug, Date.now())).toEqual([]);
});
