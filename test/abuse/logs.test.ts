import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, inject, test } from "vitest";
import { publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { fetchPage } from "../support/http.ts";
import { confirmSignIn, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { openStores } from "./given-person.ts";

/** Long enough for the lines of requests that were answered to be in the file. */
const writtenMs = 1_000;

beforeAll(openStores);

test("no token, passcode, poll token, cookie, page or query of sign-in is in any line of the log", async () => {
  const canary = unusedUsername("canary");
  const named = (what: string) => `${what}-${canary}`;
  const start = await startSignIn(named("label"));
  const visitor = new Visitor();
  const verifyPage = await visitor.request(start.verification_url);
  await confirmSignIn(start, unusedUsername("logged"));
  const { api_token: token = "" } = await pollSignIn(start.poll_token);
  const api = new ApiClient(token);
  const page = { html: `<p>${named("html")}</p>`, title: named("title"), context: named("context") };
  const { slug } = await publish(api, {
    ...page,
    passcode: named("passcode"),
    metadata: { a: named("metadata") },
  });
  const unlock = (passcode: string) =>
    fetchPage(`/p/${slug}/unlock?v=1&x=${named("query")}`, {
      method: "POST",
      body: new URLSearchParams({ passcode }).toString(),
    });
  const unlocked = await unlock(named("passcode"));
  await unlock(named("wrong"));
  const cookie = unlocked.setCookies[0]?.replace(/;.*$/, "") ?? "";
  await fetchPage(`/p/${slug}`, { headers: { cookie } });
  await fetchPage(`/p/${slug}/raw`, { headers: { cookie, authorization: `Bearer ${token}` } });
  // What fails is where logs say too much.
  await api.call("publish-drop", { text: `{"html":"${named("cut-off")}` });
  await api.call("list-drops", { query: [["page", named("page")]] });
  await api.call("upload-blob", { query: { filename: named("file/name") }, text: named("blob") });
  await fetchPage(`/api/auth/idp/callback?code=${named("code")}&state=${start.code}`, {
    headers: { cookie: named("cookie") },
  });
  await fetchPage("/api/me", { headers: { authorization: `Bearer ${named("bearer")}` } });
  await sleep(writtenMs);

  const log = await readFile(join(inject("serviceDirectory"), "log.txt"), "utf8");

  const cookies = [cookie, ...verifyPage.answer.setCookies].map((line) => /=([^;]+)/.exec(line)?.[1] ?? "");
  expect([token, start.poll_token, ...cookies].every((secret) => secret.length > 20)).toBe(true);
  // The slug is in the log: these are the requests' own lines.
  expect(log).toContain(`/p/${slug}/unlock`);
  for (const secret of [canary, token, start.poll_token, start.code, ...cookies])
    expect(log.includes(secret)).toBe(false);
});
