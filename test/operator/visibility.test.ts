import { expect, test } from "vitest";
import { visibilityCommand } from "../../scripts/operator/accounts/visibility.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { dieOnTheWay } from "./die-on-the-way.ts";
import { newOwner, type Owner, openGivenService, runCommand, statusesOf } from "./given-service.ts";

const given = await openGivenService();

const run = (owner: Owner, options: Readonly<Record<string, string | boolean>>) =>
  runCommand(visibilityCommand, given, [owner.userId], options);
const hostOf = ({ namespace }: Owner) => `http://${namespace}.${new URL(given.service.baseUrl).host}`;
const visibilityOf = async (owner: Owner, slug: string) => {
  const { visibility, readers } = await owner.json("GET", `/api/drops/${slug}`);
  return readers === undefined ? visibility : [visibility, readers];
};

/** Creates an account with a drop of each visibility, and a file. */
async function givenOwnerOfEach(name: string) {
  const owner = await newOwner(given.service, name);
  const drops = {
    public: await owner.publish("<p>public</p>", { indexed: true }),
    unlisted: await owner.publish("<p>unlisted</p>", { visibility: "unlisted" }),
    members: await owner.publish("<p>members</p>", { visibility: "members" }),
    people: await owner.publish("<p>people</p>", { visibility: "people", readers: ["grace"] }),
  };
  const id = await owner.upload("a note");
  return { owner, drops, id, addressOf: (slug: string) => `${hostOf(owner)}/d/${slug}` };
}

test("drops and files more open than the operator allows are listed with their URLs, and not changed", async () => {
  const { owner, drops, id, addressOf } = await givenOwnerOfEach("ada");

  const { isWell, lines } = await run(owner, { "more-open-than": "members" });

  expect(isWell).toBe(false);
  expect(lines.at(-1)).toBe("More open than members: 3.");
  expect(lines).toHaveLength(4);
  expect(lines).toEqual(
    expect.arrayContaining([
      `${addressOf(drops.public)}  public  would be members`,
      `${addressOf(drops.unlisted)}  unlisted  would be members`,
      `${hostOf(owner)}/b/${id}  public  would be members`,
    ]),
  );
  expect(await visibilityOf(owner, drops.public)).toBe("public");
  const everyones = await runCommand(visibilityCommand, given, [], { "more-open-than": "unlisted" });
  expect(everyones.lines).toContain(`${addressOf(drops.public)}  public  would be unlisted`);
  // Without the option and the setting, no drop is too open.
  expect(await run(owner, {})).toEqual({ isWell: true, lines: ["More open than public: 0."] });
});

test("with --fix they are restricted, also at the edge, with one audit entry each, and others stay unchanged", {
  tags: "slow",
}, async () => {
  const { owner, drops, id, addressOf } = await givenOwnerOfEach("grace");
  const file = `${hostOf(owner)}/b/${id}`;
  expect(await statusesOf([file])).toEqual([200]);
  const raw = `${hostOf(owner)}/p/${drops.public}/raw?v=1`;
  expect(await statusesOf([addressOf(drops.public), raw])).toEqual([200, 200]);

  const deaths = await dieOnTheWay(() => run(owner, { "more-open-than": "members", fix: true }));

  expect(deaths).toBeGreaterThan(2);
  for (const slug of [drops.public, drops.unlisted, drops.members])
    expect(await visibilityOf(owner, slug)).toBe("members");
  expect(await visibilityOf(owner, drops.people)).toEqual(["people", ["grace"]]);
  expect((await owner.json("GET", `/api/drops/${drops.public}`)).indexed).toBe(false);
  await expect.poll(() => statusesOf([addressOf(drops.public), raw, file])).toEqual([404, 404, 404]);
  const { lines } = await runCommand(auditCommand, given, [], {
    account: owner.userId,
    action: "restrict-visibility",
    json: true,
  });
  expect(lines.map((line) => JSON.parse(line).slug ?? "the file").sort()).toEqual(
    [drops.public, drops.unlisted, "the file"].sort(),
  );
  const again = await run(owner, { "more-open-than": "members", fix: true });
  expect(again).toEqual({ isWell: true, lines: ["Restricted: 0."] });
});

test("a drop that is restricted to people can only be read by its owner until readers are named", async () => {
  const { owner, drops, addressOf } = await givenOwnerOfEach("hedy");

  await run(owner, { "more-open-than": "people", fix: true });

  expect(await visibilityOf(owner, drops.members)).toEqual(["people", []]);
  expect(await visibilityOf(owner, drops.people)).toEqual(["people", ["grace"]]);
  expect(await statusesOf([addressOf(drops.public)])).toEqual([404]);
  await owner.json("PATCH", `/api/drops/${drops.members}`, { readers: ["joan"] });
  expect(await visibilityOf(owner, drops.members)).toEqual(["people", ["joan"]]);
});

test("a transferred drop is listed with its unchanged URL", { tags: "slow" }, async () => {
  const { owner, drops, addressOf } = await givenOwnerOfEach("mary");
  const heir = await newOwner(given.service, "heir");
  await runCommand(transferCommand, given, [owner.userId, heir.userId], { yes: true, drops: drops.public });

  const { lines } = await run(heir, { "more-open-than": "unlisted", fix: true });

  expect(lines).toEqual([`${addressOf(drops.public)}  public  is now unlisted`, "Restricted: 1."]);
  expect(await visibilityOf(heir, drops.public)).toBe("unlisted");
});

test.each([
  ["public", "Choose from unlisted, members, people."],
  ["friends", "Choose from unlisted, members, people."],
  ["", "--more-open-than needs a value"],
])("%j is refused with the right usage", async (kind, message) => {
  const asked = runCommand(visibilityCommand, given, [], { "more-open-than": kind });

  await expect(asked).rejects.toThrow(message);
});
