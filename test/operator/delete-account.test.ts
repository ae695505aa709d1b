import { randomInt } from "node:crypto";
import { ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { blobsS3 } from "../../functions/blobs/objects.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { accounts } from "../../functions/people/accounts.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { givenAct } from "../support/given-act.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { dieAt } from "./die-at.ts";
import { dieOnTheWay } from "./die-on-the-way.ts";
import {
  givenOwner,
  newOwner,
  type Owner,
  openGivenService,
  runCommand,
  statusesOf,
} from "./given-service.ts";

const given = await openGivenService();

const deletion = (name: string) => runCommand(deleteAccountCommand, given, [name], { yes: true });
const hostOf = ({ namespace }: Owner) => `http://${namespace}.${new URL(given.service.baseUrl).host}`;

/** Creates an account with two drops (one has two versions and a view), a file, and an unfinished folder. */
async function givenOwnerOfThings(name: string, username = unusedUsername(name)) {
  const owner = await givenOwner(given.service, username);
  const first = await owner.publish("<p>one</p>", { context: "why" });
  await owner.json("PUT", `/api/drops/${first}`, { html: "<p>two</p>" });
  const second = await owner.publish("<p>other</p>");
  const id = await owner.upload("a note");
  const files = { "index.html": { sha256: "0".repeat(64), bytes: 1 } };
  await owner.json("POST", `/api/drops/${second}/files`, { files });
  const { baseUrl } = given.service;
  const addresses = [
    `${baseUrl}/p/${first}`,
    `${baseUrl}/p/${first}/raw?v=1`,
    `${hostOf(owner)}/d/${second}`,
    `${hostOf(owner)}/b/${id}`,
    `${hostOf(owner)}/`,
  ];
  expect(await statusesOf(addresses)).toEqual([200, 200, 200, 200, 200]);
  return { owner, slugs: [first, second], addresses };
}

type OwnerOfThings = Awaited<ReturnType<typeof givenOwnerOfThings>>;

async function expectNothingLeft(things: OwnerOfThings) {
  await expectNoRowLeft(things);
  const { pagesBucket, blobsBucket } = given.service;
  for (const folder of [...things.slugs, `staging/${things.owner.userId}`])
    expect(await objectsBelow(s3, pagesBucket, `${folder}/`)).toBe(0);
  expect(await objectsBelow(blobsS3, blobsBucket, `${things.owner.namespace}/`)).toBe(0);
}

/** Checks items only. The orphan check removes an object whose item was refused. */
async function expectNoRowLeft({ owner, slugs, addresses }: OwnerOfThings) {
  const { userId } = owner;
  const { pk } = keys.account(userId);
  const prefixes = ["PROFILE", "DROP#", "BLOB#", "IDEMPOTENCY#", "TOKEN#"];
  const rows = async () => (await Promise.all(prefixes.map((prefix) => queryAll({ pk, prefix })))).flat();
  expect((await rows()).filter(({ sk }) => !String(sk).endsWith("#VIEWS"))).toEqual([]);
  // The janitor removes the views after their drop.
  await expect.poll(rows).toEqual([]);
  for (const slug of slugs) {
    expect(await publicDrops.listVersions(slug)).toEqual([]);
    // The slug stays reserved, without an owner.
    expect(Object.keys((await getItem(keys.pointer(slug))) ?? {}).sort()).toEqual([
      "deletedAtMs",
      "pk",
      "sk",
    ]);
  }
  // The edge's invalidation takes a moment.
  await expect.poll(() => statusesOf(addresses)).toEqual(addresses.map(() => 404));
  expect((await owner.call("GET", "/api/me")).status).toBe(401);
}

/** Counts objects with all versions that S3 keeps. */
async function objectsBelow(client: S3Client, Bucket: string, Prefix: string): Promise<number> {
  return (await client.send(new ListObjectVersionsCommand({ Bucket, Prefix }))).Versions?.length ?? 0;
}

describe("a deleted account", () => {
  test("leaves nothing visible, readable or callable", async () => {
    const things = await givenOwnerOfThings("ada");

    const { isWell, lines } = await deletion(things.owner.namespace);

    expect(isWell).toBe(true);
    expect(lines).toEqual([
      `The account ${things.owner.namespace} (${things.owner.userId}) will be deleted with everything in it.`,
      "Tokens deleted: 1.",
      "Drops deleted: 2.",
      "Files deleted: 1.",
      "Reads deleted: 0.",
      `${things.owner.namespace} is deleted.`,
    ]);
    await expectNothingLeft(things);
  });

  test("keeps its namespace reserved, also from the same person", async () => {
    const owner = await newOwner(given.service, "grace");
    const { namespace } = owner;
    await deletion(owner.userId);

    const again = await givenOwner(given.service, namespace);

    expect(again.userId).not.toBe(owner.userId);
    expect(again.namespace).toBe(`${namespace}-2`);
    expect(await getItem(keys.namespace(namespace))).not.toHaveProperty("userId");
    await expect(deletion(namespace)).rejects.toThrow(
      new RegExp(`^The account of ${namespace} was deleted at 20.*stays reserved`),
    );
  });

  test("does not change an account with a similar name", { tags: "slow" }, async () => {
    const { namespace } = await newOwner(given.service, "hed");
    const { addresses, owner } = await givenOwnerOfThings("longer", `${namespace}-too`);

    await deletion(namespace);

    expect(await statusesOf(addresses)).toEqual([200, 200, 200, 200, 200]);
    expect((await owner.json("GET", "/api/me/usage")).drops.used).toBe(2);
  });

  test("is not deleted until its name is typed", async () => {
    const owner = await newOwner(given.service, "katherine");

    const refused = runCommand(deleteAccountCommand, given, [owner.namespace], {}, "kathrine");

    await expect(refused).rejects.toThrow(`"kathrine" is not ${owner.namespace}. Nothing was changed.`);
    expect((await owner.call("GET", "/api/me")).status).toBe(200);
  });
});

test("a deletion that is interrupted at every step completes when it is run again", {
  tags: "nightly",
}, async () => {
  const things = await givenOwnerOfThings("mary");
  const { namespace } = things.owner;

  const deaths = await dieOnTheWay(() => deletion(namespace), {
    isOver: ({ message }) => message.startsWith(`The account of ${namespace} was deleted at`),
    // During the deletion, visitors get a complete page or 404.
    check: async () => {
      for (const status of await statusesOf(things.addresses)) expect([200, 404]).toContain(status);
    },
  });

  expect(deaths).toBeGreaterThan(10);
  await expectNothingLeft(things);
});

test("drops that an agent publishes during the deletion are deleted too", { tags: "slow" }, async () => {
  const things = await givenOwnerOfThings("joan");
  const { owner, slugs } = things;
  const write = async () => {
    for (let round = 0; round < 6; round += 1) {
      await owner.call("POST", "/api/drops", { title: "Late", html: "<p>late</p>" });
      await owner.call("PUT", `/api/drops/${slugs[0]}`, { html: "<p>late</p>" });
    }
  };

  const writing = [write(), write(), write()];
  await new Promise((resolve) => setTimeout(resolve, 60));
  await deletion(owner.namespace).catch(() => deletion(owner.namespace));
  await Promise.all(writing);

  await expectNoRowLeft(things);
  expect(await accounts.find(owner.userId)).toBeUndefined();
});

test("a person who signs in during the deletion gets a new account", async () => {
  const owner = await newOwner(given.service, "annie");
  const username = owner.namespace;
  // The first three commands find the account, and the fourth closes it.
  const end = dieAt(4, true);
  await deletion(username).catch(() => {});
  end();

  const identity = { provider: "https://id.example.com", id: `id of ${username}`, username };
  const account = await accounts.findOrCreate(identity, (max) => randomInt(max), givenAct());

  expect(account.userId).not.toBe(owner.userId);
  expect(await accounts.find(owner.userId)).toBeUndefined();
});
