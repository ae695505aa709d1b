import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { newAccount } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import {
  confirmSignIn,
  continueToProvider,
  enterUsername,
  pollSignIn,
  startSignIn,
} from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { givenTokenRows, openStores } from "./given-person.ts";

beforeAll(openStores);

test("a person at the token limit sees an error page, and can sign in after revoking a token", {
  tags: "slow",
}, async () => {
  const { api, userId, username } = await newAccount("full");
  const [first = ""] = await givenTokenRows(userId, limits.tokensPerAccountMax - 1);
  const start = await startSignIn();
  const visitor = new Visitor();

  const refused = await enterUsername(visitor, await continueToProvider(visitor, start), username);

  expectErrorPage(refused.response, 429);
  expect(refused.response.text).toContain(
    `This account has reached the limit of ${limits.tokensPerAccountMax} tokens`,
  );
  expect(refused.response.headers["retry-after"]).toBe(String(limits.quotaRetryAfterSeconds));
  expect((await pollSignIn(start.poll_token)).status).toBe("pending");
  await api.succeed("revoke-token", { params: { id: first } });
  await confirmSignIn(start, username);
  expect((await pollSignIn(start.poll_token)).status).toBe("verified");
});
