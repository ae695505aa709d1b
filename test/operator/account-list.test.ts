import { expect, test } from "vitest";
import { accountsCommand } from "../../scripts/operator/accounts/account-lists.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { givenOwner, givenToken, openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();

/** Removes column padding, which depends on other accounts. */
const withoutPadding = (line: string) => line.replace(/ {2,}/g, "  ");

const list = (...words: string[]) => runCommand(accountsCommand, given, words);

test("accounts are found by part of their name or by id, with their contents", {
  tags: "slow",
}, async () => {
  const username = unusedUsername("Listed");
  const owner = await givenOwner(given.service, username);
  await givenToken(owner, Date.now());
  await owner.publish("<p>a page</p>");

  const { isWell, lines } = await list(username.slice(2).toUpperCase());

  expect(isWell).toBe(true);
  const [line = "", last] = lines;
  expect(line).toMatch(/^\S+ \(\w+\) {2}user name "Listed-\w+" {2}created 20\S+ \S+ {2}/);
  expect(line).toContain(`${owner.namespace} (${owner.userId})`);
  expect(line).toMatch(/ {2}drops 1 {2}files 0 {2}tokens 2 {2}member \(everyone may publish\)$/);
  expect(last).toMatch(/^Accounts: 1 of \d+\.$/);
  expect((await list(owner.userId)).lines[0]).toBe(line);
  expect((await list()).lines.map(withoutPadding)).toContain(line);
  expect((await list(owner.userId.slice(1))).lines).toEqual([expect.stringMatching(/^Accounts: 0 of/)]);
  await expect(list("ada", "grace")).rejects.toThrow('Unexpected argument "grace".');
});
