import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import type { AnswerListResponse } from "../../functions/answers/schemas.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

// The agent has a token already. It takes paths, fields and the form from the guide that it reads first.

/** Maximum number of calls until the approval: reading the guide counts, signing in does not. */
const callsMax = 4;

let account: Account;

beforeAll(async () => {
  account = await newAccount("waits-for-approval");
});

/** An agent that counts its calls. */
class Agent {
  calls = 0;

  async fetch(address: string, options: Parameters<typeof fetchPage>[1] = {}): Promise<string> {
    this.calls += 1;
    const { status, text } = await fetchPage(address, options);
    expect(status, text).toBeLessThan(300);
    return text;
  }

  async call<Result>(run: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    return run();
  }

  /**
   * Repeats a call that waits, until it returns an answer or the agent has made its last call. A call returns immediately while other tests
   * have all slots for waiting calls. Such a call is repeated, and does not count.
   */
  async waitForAnswer(read: () => Promise<AnswerListResponse>): Promise<AnswerListResponse> {
    for (;;) {
      const startedAtMs = performance.now();
      const found = await this.call(read);
      const hasWaited = performance.now() - startedAtMs > 1_000;
      if (found.answers.length > 0 || (hasWaited && this.calls >= callsMax)) return found;
      if (hasWaited) continue;
      this.calls -= 1;
      await setTimeout(500);
    }
  }
}

/** Returns the group of a pattern that matches exactly once in a guide. */
function find(guide: string, pattern: RegExp): string {
  const [found, ...others] = guide.matchAll(new RegExp(pattern, "g"));
  if (found?.[1] === undefined || others.length > 0) throw new Error(`Expected one ${pattern} in the guide.`);
  return found[1];
}

const signOffForm = /`(<form data-answers="sign-off">[^`]*<\/form>)`/;

function pageWith(form: string): string {
  return `<!doctype html><html lang="en"><title>Approve the plan</title><h1>The plan</h1>${form}</html>`;
}

/** Approves as a reader of the bare page who runs no scripts and sends no name. */
async function approve(rawUrl: string): Promise<void> {
  const reader = new Visitor();
  const page = await reader.open(rawUrl);
  const choices = ["input", "button"].flatMap((name) => elementsOf(page.response, name));
  const approval = choices.find(({ attribs }) => attribs.value === "approved");
  const asked = await send(reader, page, { [approval?.attribs.name ?? ""]: "approved" });
  const unsigned = elementsOf(asked.response, "button").find((button) => textOf(button).includes("without"));
  const hidden = elementsOf(asked.response, "input").map(({ attribs }) => [attribs.name, attribs.value]);

  const sent = await send(reader, asked, Object.fromEntries(hidden), unsigned?.attribs.formaction);

  expect(sent.response.status, sent.response.text).toBe(200);
  expect(sent.response.text).toContain("Sent.");
}

/** Sends a page's form as a browser does. */
async function send(
  reader: Visitor,
  from: Visit,
  fields: Readonly<Record<string, string>>,
  pressed?: string,
): Promise<Visit> {
  const [form] = elementsOf(from.response, "form");
  expect(form?.attribs.method).toBe("post");
  return reader.open(new URL(pressed ?? form?.attribs.action ?? "", from.url), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: from.url.origin },
    body: new URLSearchParams(fields).toString(),
  });
}

test("an agent that has read /llms.txt publishes a form and gets the approval in at most four calls", async () => {
  const agent = new Agent();
  const guide = await agent.fetch("/llms.txt");
  const form = find(guide, signOffForm);
  const [, method, url = ""] = /curl -sS -X (PUT) '([^']+)'/.exec(guide) ?? [];
  const parameter = find(guide, /`(answers=readers)`/);
  const [waitMethod = "", waitPath = ""] = find(
    guide,
    /`(GET \/api\/drops\/\{slug\}\/answers\?[^`]*wait=\d+)`/,
  ).split(" ");
  const bearer = find(guide, /`Authorization: (Bearer )\{api_token\}`/);
  const authorization = `${bearer}${account.api.token}`;

  const published = await agent.fetch(`${url.replace("{project}", "approval")}&${parameter}`, {
    method: method ?? "",
    headers: { authorization, "content-type": find(guide, /-H 'Content-Type: (text\/html)'/) },
    body: pageWith(form),
  });
  const drop = JSON.parse(published) as DropResponse & { readonly warnings?: readonly string[] };
  const [read] = await Promise.all([
    agent.waitForAnswer(async () => {
      const options = { method: waitMethod, headers: { authorization } };
      const { text } = await fetchPage(waitPath.replace("{slug}", drop.slug), options);
      return JSON.parse(text);
    }),
    approve(drop.raw_url),
  ]);

  expect(drop.warnings).toBeUndefined();
  expect(read.answers).toMatchObject([{ form: "sign-off", fields: { decision: "approved" } }]);
  expect(agent.calls).toBeLessThanOrEqual(callsMax);
});

test("an agent that has read the skill publishes a sign-off sheet and gets the approval in at most four tool calls", async () => {
  const agent = new Agent();
  const mcp = await connectMcp(account.api.token);
  const { contents } = await agent.call(() => mcp.client.readResource({ uri: "skill://dropleaf/SKILL.md" }));
  const [, skill = ""] = /## Sign-off sheet(.*?)\n## /s.exec((contents[0] as { text: string }).text) ?? [];
  const asked = JSON.parse(`{${find(skill, /`("answers": "readers")`/)}}`);
  const waiting = JSON.parse(find(skill, /`read_answers` with `(\{[^`]+\})`/));

  const html = pageWith(find(skill, signOffForm));
  const drop = await agent.call(() => mcp.succeed("publish_drop", { html, ...asked }));
  const [read] = await Promise.all([
    agent.waitForAnswer(() => mcp.succeed("read_answers", { slug: drop.slug, ...waiting })),
    approve(drop.raw_url),
  ]);

  expect(drop).not.toHaveProperty("warnings");
  expect(read.answers).toMatchObject([
    { form: "sign-off", fields: { decision: "approved" }, author: { signed_in: false } },
  ]);
  expect(agent.calls).toBeLessThanOrEqual(callsMax);
});
