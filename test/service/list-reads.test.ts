import { expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { newOwner } from "../support/own-pages.ts";
import { signInToRead } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

test("without the setting, a read leaves nothing, and the list says that nothing is recorded", async () => {
  const owner = await newAccount("list-reads");
  const reader = unusedUsername("reads");
  const { slug } = await publish(owner.api, { visibility: "people", readers: [reader] });

  const { response } = await signInToRead(`/p/${slug}/raw`, reader);

  expect(response.status).toBe(200);
  const list = await owner.api.succeed("list-reads", { params: { slug } });
  expect(list).toEqual({ reads: [], next_cursor: null, recording: false });
});

test("without the setting, neither sign-in nor the owner's page says anything of it", async () => {
  const owner = await newOwner("list-reads");
  const { slug } = await publish(owner.api, { visibility: "members" });

  const signIn = await new Visitor().open(`/p/${slug}`);
  const own = await owner.visitor.open(`/account/drops/${slug}`);

  expect(signIn.response.text).not.toContain("sees who opened it");
  expect(elementsOf(own.response, "h2").map(textOf)).not.toContain("Readers");
});

test.each(["2026-11-24", "next", `2026-11-24.${"k".repeat(44)}`, `2026-11-24#${"k".repeat(43)}`])(
  "the cursor %s, which no response had, is refused",
  async (cursor) => {
    const owner = await newAccount("list-reads");
    const { slug } = await publish(owner.api);

    const refused = await owner.api.call("list-reads", { params: { slug }, query: { cursor } });

    expectError(refused, "invalid_arg");
  },
);
