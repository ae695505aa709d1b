import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

/** The pages of `examples/pages`, with an answer to their form. */
const pages: readonly {
  readonly name: string;
  readonly form: string;
  readonly sent: Record<string, string>;
  readonly counts: unknown;
}[] = [
  {
    name: "sign-off",
    form: "sign-off",
    sent: { decision: "approved", reason: "It is tested" },
    counts: [["decision", [["approved", 1]]]],
  },
  {
    name: "poll",
    form: "vote",
    sent: { day: "Thursday", remark: "After lunch" },
    counts: [["day", [["Thursday", 1]]]],
  },
];

test.each(pages)(
  "the example page $name accepts an answer, which a waiting agent receives",
  async ({ name, form, sent, counts }) => {
    const { api } = await newAccount(`example-${name}`);
    const html = await readFile(new URL(`../../examples/pages/${name}.html`, import.meta.url), "utf8");
    const published = await api.call("publish-drop", {
      body: { html, title: name, answers: "readers", answers_results: true },
    });
    const { slug, warnings } = JSON.parse(published.text);
    // As in the guide, an agent repeats a call that returned without waiting because the slots were taken.
    const waiting = (async () => {
      for (;;) {
        const { answers } = await api.succeed("list-answers", {
          params: { slug },
          query: { form, wait: "20" },
        });
        if (answers.length > 0) return answers;
        await sleep(100);
      }
    })();
    const address = new URL(`/p/${slug}/answers?form=${form}`, baseUrl());

    const { status } = await fetchPage(address, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(sent).toString(),
    });

    expect([published.status, warnings, status]).toEqual([201, undefined, 200]);
    expect(await waiting).toMatchObject([{ form, fields: sent, author: { signed_in: false } }]);
    const results = await fetchPage(address, { headers: { accept: "application/json" } });
    expect(JSON.parse(results.text)).toEqual({ counts });
  },
);
