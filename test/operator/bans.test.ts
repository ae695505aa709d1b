// @module-tag nightly

import { describe, expect, test } from "vitest";
import { suspensionsCommand } from "../../scripts/operator/accounts/account-lists.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { banCommand, unbanCommand, unsuspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import {
  confirmSignIn,
  continueToProvider,
  enterUsername,
  pollSignIn,
  signIn,
  startSignIn,
  unusedUsername,
} from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { dieAt } from "./die-at.ts";
import { dieOnTheWay } from "./die-on-the-way.ts";
import { Owner, openGivenService, runCommand, statusesOf } from "./given-service.ts";

const given = await openGivenService();

const ban = (name: string) => runCommand(banCommand, given, [name], { yes: true });
const unban = (name: string) => runCommand(unbanCommand, given, [name]);
const unsuspend = (name: string) => runCommand(unsuspendCommand, given, [name]);
const deletion = (name: string, options = {}) =>
  runCommand(deleteAccountCommand, given, [name], { yes: true, ...options });

/** Signs a person in at the provider and publishes a page. */
async function givenPerson(name: string, username = unusedUsername(name)) {
  const { token, userId } = await signIn(username);
  const owner = new Owner(given.service.baseUrl, { userId, namespace: username }, token);
  const address = `${given.service.baseUrl}/p/${await owner.publish("<p>a page</p>")}`;
  return { username, owner, address };
}

/** Checks that a sign-in ends at a page with the reason, and that its agent gets no token. */
async function expectRefused(username: string) {
  const start = await startSignIn();
  const ended = await confirmSignIn(start, username).catch((error: Error) => error.message);
  expect(ended).toContain("with 403");
  expect(ended).toContain("<h1>You can’t sign in here</h1>");
  expect(ended).toContain("Ask the operator of this service.");
  expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
}

describe("a banned person", () => {
  test("cannot sign in, and their account is hidden", async () => {
    const { username, owner, address } = await givenPerson("ada");

    const { isWell, lines } = await ban(username);

    expect(isWell).toBe(true);
    expect(lines[1]).toMatch(/^Banned: ".+" of http:\/\/localhost:\d+\.$/);
    await expectRefused(username);
    expect(await statusesOf([address])).toEqual([404]);
    expect((await owner.call("GET", "/api/me")).status).toBe(403);
    await expect(unsuspend(username)).rejects.toThrow(`${username} is banned. Run unban first.`);

    expect((await unban(username)).lines).toEqual([
      `${username} is no longer banned.`,
      `The account is still suspended. To lift the suspension, run: unsuspend ${username}`,
    ]);
    await unsuspend(username);

    expect((await signIn(username)).userId).toBe(owner.userId);
    expect(await statusesOf([address])).toEqual([200]);
    expect((await owner.call("GET", "/api/me")).status).toBe(200);
    expect((await unban(username)).lines).toEqual([`${username} is not banned.`]);
  });

  test("stays banned after the account is deleted, until the ban is lifted", async () => {
    const { username, owner } = await givenPerson("grace");
    await ban(username);

    await deletion(username);

    await expectRefused(username);
    expect((await unban(username)).lines).toEqual([
      `${username} is no longer banned.`,
      "The account is deleted. The next sign-in creates a new account.",
    ]);
    const again = await signIn(username);
    expect(again.userId).not.toBe(owner.userId);
    await expect(unban(username)).rejects.toThrow(`The account of ${username} was deleted`);
  });

  test("can have a user name similar to another person's, who is not affected", async () => {
    const { username } = await givenPerson("hedy");
    const { address } = await givenPerson("longer", `${username}-too`);

    await ban(username);

    expect(await statusesOf([address])).toEqual([200]);
    await signIn(`${username}-too`);
  });

  test("gets neither account nor token when the ban is set during the sign-in at the provider", async () => {
    const { username } = await givenPerson("mary");
    const [visitor, start] = [new Visitor(), await startSignIn()];
    const atProvider = await continueToProvider(visitor, start);

    await deletion(username, { ban: true });
    const { response } = await enterUsername(visitor, atProvider, username);

    expect([response.status, response.text]).toEqual([
      403,
      expect.stringContaining("You can’t sign in here"),
    ]);
    expect(await pollSignIn(start.poll_token)).toEqual({ status: "pending" });
  });

  test("gets no token for a sign-in that was confirmed before the ban", async () => {
    const { username } = await givenPerson("joan");
    const start = await startSignIn();
    await confirmSignIn(start, username);

    await ban(username);

    expect(await pollSignIn(start.poll_token)).toEqual({ status: "expired" });
  });
});

test("suspended and banned people are listed, also those without an account", async () => {
  const { username, owner } = await givenPerson("dorothy");
  const deleted = await givenPerson("jean");
  await ban(username);
  await deletion(deleted.username, { ban: true });

  const { lines } = await runCommand(suspensionsCommand, given, []);

  const about = (name: string) =>
    lines.filter((line) => line.includes(`  ${name}`)).map((line) => line.slice(0, 9));
  expect(about(`${username} (${owner.userId})`)).toEqual(["suspended"]);
  expect(about(`${username}: `)).toEqual(["banned   "]);
  expect(about(deleted.username)).toEqual(["banned   "]);
  expect(lines.at(-1)).toMatch(/^Suspended: \d+\. Banned: \d+\.$/);
});

test("a deletion with a ban that is interrupted at any step completes when it is run again, with the ban", async () => {
  const { username } = await givenPerson("radia");
  const run = () => deletion(username, { ban: true });
  const gone = `The account of ${username} was deleted at`;

  await dieOnTheWay(run, { isOver: ({ message }) => message.startsWith(gone) });

  await expectRefused(username);
  expect((await unban(username)).lines[0]).toBe(`${username} is no longer banned.`);
  await signIn(username);
});

test("a resumed deletion keeps the new account of a person who has signed in again", async () => {
  const { username, owner } = await givenPerson("annie");
  // The first three commands find the account, the fourth closes it, and the fifth fails.
  const end = dieAt(5, false);
  await deletion(username).catch(() => {});
  end();
  const again = await signIn(username);

  const { lines } = await deletion(owner.userId);

  expect(lines).toContain(`The person has signed in again. The new account, ${again.userId}, is kept.`);
  expect((await signIn(username)).userId).toBe(again.userId);
});
