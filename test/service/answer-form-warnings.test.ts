import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import type { ReceivedResponse } from "../support/http.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("form-warnings");
});

const head = "<!doctype html>\n<title>Poll</title>\n";

interface Published {
  readonly slug: string;
  readonly warnings?: readonly string[];
}

/** Publishes a page, and returns its slug and warnings. */
function publish(form: string, fields: object = {}): Promise<Published> {
  return published(
    account.api.call("publish-drop", { body: { title: "Poll", html: head + form, ...fields } }),
  );
}

/** Parses the response without its schema, because schemas omit warnings. */
async function published(call: Promise<ReceivedResponse>): Promise<Published> {
  const { text, status } = await call;
  expect(status, text).toBeLessThan(300);
  return JSON.parse(text);
}

describe("a page with a form for stored answers", () => {
  const vote = '<form data-answers="vote"><input name="day"></form>';
  const offAt = (slug: string, place: string) =>
    `Readers can't answer the form ${place} yet. To let them, use PATCH /api/drops/${slug}, or the tool edit_drop, with {"answers": "readers"}.`;

  test("is published with a warning that says how to accept answers", async () => {
    const { slug, warnings } = await publish(vote);
    const taken = await publish(vote, { answers: "readers" });

    expect(warnings).toEqual([offAt(slug, '"vote" in line 3')]);
    expect(taken.warnings).toBeUndefined();
  });

  test("is missed if answers are on and the page has only a form without data-answers", async () => {
    const plain = '<form><input name="day"></form>';

    const [on, off, both] = [
      await publish(plain, { answers: "readers" }),
      await publish(plain),
      await publish(plain + vote, { answers: "readers" }),
    ];

    expect(on.warnings).toEqual([
      `Readers can't answer the form "<form>" in line 3: answers are on, but no form has data-answers. Write <form data-answers="vote">, with a name of your choice.`,
    ]);
    expect([off.warnings, both.warnings]).toEqual([undefined, undefined]);
  });

  test("is warned about with each version until answers are accepted", async () => {
    const { slug } = await publish("<p>No form");
    const publishVersion = () =>
      published(account.api.call("publish-version", { params: { slug }, body: { html: head + vote } }));

    const off = await publishVersion();
    await account.api.succeed("edit-drop", { params: { slug }, body: { answers: "readers" } });
    const on = await publishVersion();

    expect(off.warnings).toEqual([offAt(slug, '"vote" in line 3')]);
    expect(on.warnings).toBeUndefined();
  });

  test("is warned about when an earlier version is restored while answers are off", async () => {
    const { slug } = await publish(vote);
    await account.api.succeed("publish-version", { params: { slug }, body: { html: head } });
    const restore = () =>
      published(account.api.call("restore-version", { params: { slug }, body: { version: 1 } }));

    const off = await restore();
    await account.api.succeed("edit-drop", { params: { slug }, body: { answers: "readers" } });
    const on = await restore();

    expect(off.warnings).toEqual([offAt(slug, '"vote" in line 3')]);
    expect(on.warnings).toBeUndefined();
  });

  test("is named by its path in a folder, in one warning for all forms", async () => {
    const { slug, warnings }: Published = await publishFolder(account.api, {
      "index.html": "<!doctype html><title>Home</title><p>Hello",
      "polls/day.html": head + vote + vote.replace("vote", "other"),
    });

    expect(warnings).toEqual([offAt(slug, '"vote" in polls/day.html, line 3, and 1 more')]);
  });

  test.each(['name="cv"', "name=cv multiple", 'name="cv" form="apply"'])(
    "is warned about for a file field with %s",
    async (attributes) => {
      const isOutside = attributes.includes("form=");
      const field = `<input type="File" ${attributes}>`;
      const form = `<form data-answers="apply" id="apply">\n${isOutside ? "" : field}</form>${isOutside ? field : ""}`;

      const { warnings } = await publish(form, { answers: "readers" });

      expect(warnings).toEqual([
        `Answers can't contain files: the field "cv" in line 4. Ask for a link or a text instead.`,
      ]);
    },
  );

  test.each(["my vote", "", "ünlü", "x".repeat(41)])(
    "is warned about for the invalid form name %j",
    async (name) => {
      const { warnings } = await publish(`<form data-answers="${name}"><input name="a"></form>`);

      expect(warnings).toEqual([
        `Readers can't answer the form ${JSON.stringify(name)} in line 3: name it in data-answers with 1 to 40 letters, digits, - and _.`,
      ]);
    },
  );
});

test("a page without a form for stored answers has no warning about answers", async () => {
  const { warnings } = await publish(
    '<form action="https://example.com"><input type="file" name="cv"></form><p data-answers="x">data-answers="vote"',
  );

  expect(warnings).toBeUndefined();
});
