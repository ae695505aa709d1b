import { expect, test } from "vitest";
import { accessCommand } from "../../scripts/operator/access/access.ts";
import { newOwner, openGivenService, runCommand } from "./given-service.ts";

// access.own.test.ts tests the rules for people, groups and members.
const given = await openGivenService();

test("the access command reports a drop's owner and visibility, and if it has a passcode", {
  tags: "slow",
}, async () => {
  const owner = await newOwner(given.service, "access");
  const slug = await owner.publish("<p>locked</p>", { visibility: "unlisted", passcode: "open sesame" });

  const { isWell, lines } = await runCommand(accessCommand, given, [slug]);

  expect(isWell).toBe(true);
  expect(lines.slice(1)).toEqual([
    "visibility  unlisted: anyone with the link",
    "passcode    also required",
    `owner       ${owner.namespace} (${owner.userId})`,
    "Anyone with the link and the passcode can read it, without a sign-in.",
  ]);
});
