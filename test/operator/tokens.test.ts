import { expect, test } from "vitest";
import { tokensCommand } from "../../scripts/operator/accounts/account-lists.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { givenOwner, givenToken, openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();

const run = (name: string, options = {}) => runCommand(tokensCommand, given, [name], options);

/** Creates an account with two tokens. */
async function givenTwoTokens(name: string, username = unusedUsername(name)) {
  const owner = await givenOwner(given.service, username);
  const other = await givenToken(owner, Date.now());
  const statusOf = async (token: string) =>
    (await sendPublic(`${given.service.baseUrl}/api/me`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const statuses = async () => [await statusOf(owner.token), await statusOf(other)];
  const { token } = await owner.json("GET", "/api/me");
  return { owner, statuses, id: token.id as string };
}

test("an account's tokens are listed without their secrets", async () => {
  const { owner, id } = await givenTwoTokens("ada");

  const { isWell, lines } = await run(owner.userId);

  expect(isWell).toBe(true);
  expect(lines).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith(id))).toEqual([
    expect.stringMatching(/^\w{12} {2}created 20\S+ \S+ {2}last used 20\S+ \S+ {2}"an agent"$/),
  ]);
  expect(lines.at(-1)).toBe(`Tokens of ${owner.namespace}: 2.`);
  expect(lines.join()).not.toContain(owner.token);
});

test("a revoked token is refused, and the account's other token works", async () => {
  const { owner, id, statuses } = await givenTwoTokens("grace");

  const { isWell, lines } = await run(owner.namespace, { revoke: id });

  expect([isWell, ...lines]).toEqual([true, `The token ${id} of ${owner.namespace} is revoked.`]);
  expect(await statuses()).toEqual([401, 200]);
  expect((await run(owner.namespace)).lines.at(-1)).toBe(`Tokens of ${owner.namespace}: 1.`);
});

test("all tokens of an account can be revoked, and other accounts' tokens work", async () => {
  const { owner, statuses } = await givenTwoTokens("hedy");
  const others = await givenTwoTokens("longer", `${owner.namespace}-too`);

  const { lines } = await run(owner.namespace, { "revoke-all": true });

  expect(lines).toEqual([`Tokens of ${owner.namespace} revoked: 2.`]);
  expect(await statuses()).toEqual([401, 401]);
  expect(await others.statuses()).toEqual([200, 200]);
});

test("an unknown id, or an id of another account's token, is refused and revokes nothing", async () => {
  const { owner, statuses } = await givenTwoTokens("mary");
  const others = await givenTwoTokens("joan");

  for (const id of [others.id, "x", "x".repeat(2_000)]) {
    const { isWell, lines } = await run(owner.namespace, { revoke: id });

    expect([isWell, ...lines]).toEqual([
      false,
      `${owner.namespace} has no token with the id "${id}". It may be revoked already.`,
    ]);
  }
  await expect(run(owner.namespace, { revoke: others.id, "revoke-all": true })).rejects.toThrow("not both");
  expect([await statuses(), await others.statuses()]).toEqual([
    [200, 200],
    [200, 200],
  ]);
});
