// @module-tag slow

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { openService } from "../../scripts/operator/service.ts";
import { setEnvironment } from "../command-line/programs.ts";
import { runInProcess } from "../command-line/run-in-process.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { storeAnswer } from "../support/given-answers.ts";
import { baseUrl, fetchPage, type ReceivedResponse, useService } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { elementsOf, type Visitor } from "../support/visitor.ts";

// A service whose operator has turned answers off, and a drop that accepted answers before.

const form = '<form data-answers="vote"><input type="radio" name="day" value="Monday"></form>';
const html = `<!doctype html>\n<title>Poll</title>\n${form}\n<p data-answers-results="vote"></p>`;
const refusal = `answers is "readers", but this service doesn't accept answers to forms. Leave out answers, or send "off".`;
const warning = `Readers can't answer the form "vote" in line 3: this service doesn't accept answers. The form stays as you wrote it.`;

let service: RunningService;
let owner: Account & { readonly visitor: Visitor };
let drop: DropResponse;

beforeAll(async () => {
  service = await startService({ fileSettings: { ingest: "none", answers: false } });
  useService(service);
  await openService({ local: join(service.directory, "data") });
  owner = await newOwner("owner");
  drop = await publish(owner.api, { html, title: "Poll" });
  await updateItem({
    key: keys.drop(owner.userId, drop.slug),
    update: "SET answers = :answers, answersResults = :shown",
    condition: "attribute_exists(pk)",
    values: { ":answers": "readers", ":shown": true },
  });
  await storeAnswer(owner.userId, drop.slug);
});
afterAll(() => service?.stop());

const answersAddress = () => new URL(`/p/${drop.slug}/answers?form=vote`, baseUrl());

function warningsOf({ text, status }: ReceivedResponse): readonly string[] {
  expect(status, text).toBeLessThan(300);
  return JSON.parse(text).warnings;
}

test("no drop can accept answers, through any call that publishes or edits it, and the error says why", async () => {
  const { slug } = await publish(owner.api, { html: "<p>Old" });
  const body = { title: "Poll", html, answers: "readers" };
  const params = { slug };

  const refused = await Promise.all([
    owner.api.call("publish-drop", { body }),
    owner.api.call("publish-version", { params, body }),
    owner.api.call("upsert-drop", { query: { "metadata.poll": "1" }, body }),
    owner.api.call("edit-drop", { params, body: { answers: "readers" } }),
  ]);
  const tools = await connectMcp(owner.api.token);
  const byTool = await tools.refuse("edit_drop", { slug, answers: "readers" }, "invalid_arg");

  for (const response of refused) expect(expectError(response, "invalid_arg").message).toContain(refusal);
  expect(byTool.message).toContain(refusal);
  expect(await owner.api.succeed("get-drop", { params })).toMatchObject({
    answers: "off",
    latest_version: 1,
  });
});

test("a page with a form is published unchanged, with a warning that answers are not accepted", async () => {
  const published = await owner.api.call("publish-drop", { body: { title: "Poll", html } });
  const { slug } = JSON.parse(published.text) as DropResponse;
  const restored = await owner.api.call("restore-version", { params: { slug }, body: { version: 1 } });
  const raw = await fetchPage(drop.raw_url);

  expect(warningsOf(published)).toEqual([warning]);
  expect(warningsOf(restored)).toEqual([warning]);
  expect(raw.text).toContain(form);
  expect(raw.text).not.toContain("<script");
});

test("an answer is refused, and no counts are shown, even if the drop accepted answers before", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

  const sent = await fetchPage(answersAddress(), { method: "POST", headers, body: "day=Monday" });
  const counts = await fetchPage(answersAddress(), { headers: { accept: "application/json" } });

  expect(expectError(sent, "forbidden").message).toBe(
    "This page doesn’t accept answers. Your answer was not sent.",
  );
  expectError(counts, "not_found");
});

test("the owner can still read, export and delete stored answers, and has no switch to accept more", async () => {
  const params = { slug: drop.slug };
  const listed = await owner.api.succeed("list-answers", { params });
  const csv = await owner.api.call("export-answers", { params });
  const dropPage = await owner.visitor.open(`/account/drops/${drop.slug}`);
  const answersPage = await owner.visitor.open(`/account/drops/${drop.slug}/answers`);
  const shared = await sendForm(owner.visitor, dropPage, `/account/drops/${drop.slug}/share`, {
    visibility: "unlisted",
  });
  await owner.api.succeed("delete-answers", { params });

  expect(listed.answers).toMatchObject([{ number: 1, fields: { choice: "yes" } }]);
  expect(csv.text).toContain(",yes\r\n");
  const switches = elementsOf(dropPage.response, "input").map(({ attribs }) => attribs.name);
  expect(switches).toContain("feedback");
  expect(switches).not.toContain("answers");
  expect(switches).not.toContain("results");
  expect(answersPage.response.text).toContain("This service doesn’t accept answers now.");
  expect(shared.response.status).toBe(200);
  const none = JSON.parse((await owner.api.call("list-answers", { params })).text);
  expect(none).toMatchObject({ answers: [], warnings: ["This service doesn't accept answers."] });
});

test("a drop that accepted answers elsewhere is imported with answers off, and the import reports it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-answers-off-"));
  const asAccount = async ({ api }: Account, command: string) => {
    const restore = setEnvironment({
      DROPLEAF_URL: baseUrl(),
      DROPLEAF_TOKEN: api.token ?? "",
      DROPLEAF_CONFIG_DIR: folder,
    });
    const outcome = await runInProcess([command, folder, "--json"]).finally(restore);
    expect(outcome.exitCode, outcome.out + outcome.notes).toBe(0);
    return JSON.parse(outcome.out);
  };
  const source = await newAccount("elsewhere");
  const { slug, url } = await publish(source.api, { html });
  await asAccount(source, "export");
  const file = join(folder, "drops", slug, "drop.json");
  const archived = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...archived, answers: "readers", answers_results: true }));
  const target = await newAccount("here");

  const { not_carried } = await asAccount(target, "import");

  const { drops } = await target.api.succeed("list-drops");
  expect(drops).toMatchObject([{ title: "A page", answers: "off", answers_results: false }]);
  expect(not_carried).toContain(
    `The forms of ${url} no longer accept answers, because the service does not allow answers.`,
  );
  rmSync(folder, { recursive: true });
});
