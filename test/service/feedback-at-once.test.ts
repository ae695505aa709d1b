// @module-tag nightly

import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { feedbackForm, inWindow, sendForm } from "../support/feedback-forms.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

const readersCount = 100;

test("100 concurrent readers' comments are each stored once, and the owner's agent reads all in one order", async () => {
  const { api } = await newAccount("at-once");
  const drop = await publish(api, { html: pageOf("leaves"), feedback: "readers" });
  const address = `${ownerAddress(drop.url)}/p/${drop.slug}/feedback`;
  const limit = pLimit(8);
  const forms = await Promise.all(
    Array.from({ length: readersCount }, () =>
      limit(async () => {
        const visitor = new Visitor();
        const page = await visitor.open(address, { headers: inWindow });
        const way = await visitor.open(linkTo(page, "/login/read"));
        const form = feedbackForm(await visitor.submit(way, { username: unusedUsername("reader") }));
        return { visitor, form };
      }),
    ),
  );

  const answers = await Promise.all(
    forms.map(async ({ visitor, form }, index) => {
      const typed = { text: `reader ${index}` };
      // A reader who sees that the service is busy sends the form again after a while.
      for (;;) {
        const { response } = await sendForm(visitor, form, typed);
        if (response.status !== 503) return response.status;
        await sleep(Math.random() * 2000);
      }
    }),
  );

  expect(answers).toEqual(Array(readersCount).fill(303));
  const told: { readonly number: number; readonly text: string }[] = [];
  let since = 0;
  for (let hasMore = true; hasMore; ) {
    const answer = await api.succeed("list-feedback", { query: { since } });
    told.push(...answer.comments);
    since = answer.next_since;
    hasMore = answer.has_more;
  }
  expect(told.map(({ number }) => number)).toEqual(forms.map((_, index) => index + 1));
  expect(told.map(({ text }) => text).toSorted()).toEqual(
    forms.map((_, index) => `reader ${index}`).toSorted(),
  );
});
