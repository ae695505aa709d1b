import { expect, test } from "vitest";
import { accessCommand } from "../../scripts/operator/access/access.ts";
import { newOwner, openGivenService, runCommand } from "./given-service.ts";

// The rules of people, groups and members are in access.own.test.ts.
const given = await openGivenService();

test("access names the owner, the rule and the passcode of a drop", {
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
