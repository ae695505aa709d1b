import { expect, test } from "vitest";
import { anotherToken } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { formRequest, newOwner, sendForm } from "../support/own-pages.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

const path = "/account/tokens";

test("an owner sees their tokens, newest first, without the secrets, and can revoke one", async () => {
  const { api, visitor, ...owner } = await newOwner("tokens-page");
  const second = await anotherToken({ api, ...owner }, "The second agent");
  const { token } = await second.succeed("get-me");

  const page = await visitor.open(path);
  const names = elementsOf(page.response, "strong").map(textOf);
  const revoked = await sendForm(visitor, page, `${path}/${token.id}/revoke`);
  const again = await sendForm(visitor, page, `${path}/${token.id}/revoke`);

  expect(names).toEqual(["The second agent", "Unnamed token"]);
  expect(page.response.text).not.toContain("hb_");
  expect([revoked, again].map(({ url }) => url.search)).toEqual(["?done=revoked", "?done=revoked"]);
  expect(elementsOf(revoked.response, "strong").map(textOf)).toEqual(["Unnamed token"]);
  expectError(await second.call("get-me"), "unauthorized");
  await api.succeed("get-me");
});

test("revoking another owner's token is refused like revoking an unknown one, whatever the proof", async () => {
  const [mine, theirs] = [await newOwner("token-thief"), await newOwner("token-owner")];
  const { token: own } = await mine.api.succeed("get-me");
  const { token } = await theirs.api.succeed("get-me");
  const page = await mine.visitor.open(path);
  const body = new URLSearchParams(fieldsOf(page, `${path}/${own.id}/revoke`)).toString();

  for (const id of [token.id, "unknown"]) {
    const { response } = await mine.visitor.open(`${path}/${id}/revoke`, formRequest(page.url, body));
    expectErrorPage(response, 403);
  }

  await theirs.api.succeed("get-me");
});
