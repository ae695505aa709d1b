// @module-tag nightly

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { beforeAll, describe, expect, test } from "vitest";
import { outputNames } from "../../lib/output-names.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { addHoldCommand, listHoldsCommand, removeHoldCommand } from "../../scripts/operator/hold.ts";
import { retentionCommand } from "../../scripts/operator/retention.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import {
  type GivenService,
  newOwner,
  type Owner,
  openGivenService,
  runCommand,
  scratchFolder,
} from "./given-service.ts";

let given: GivenService;
/** Data folder that describes the same service with the setting `keepVersions`. */
const keeping = scratchFolder();

function readOperatorAccess(): OperatorAccess {
  return JSON.parse(readFileSync(join(given.dataDirectory, operatorAccessFile), "utf8"));
}

beforeAll(async () => {
  given = await openGivenService();
});

const hold = async (target: string) => (await runCommand(addHoldCommand, given, [target])).lines;
const unhold = async (target: string) =>
  (await runCommand(removeHoldCommand, given, [target], { yes: true })).lines;
const refusalOf = (running: Promise<unknown>) =>
  running.then(
    () => "not refused",
    ({ message }: Error) => message,
  );

async function codeOf(owner: Owner, method: string, path: string): Promise<string> {
  const { status, body } = await owner.call(method, path);
  return status < 300 ? String(status) : `${status} ${JSON.parse(body.toString()).error.code}`;
}

/** Creates an account with a drop of two versions, another drop, one in the trash, and a file. */
async function givenThings() {
  const owner = await newOwner(given.service, "held");
  const [slug, other, trashed] = [
    await owner.publish("<p>1</p>"),
    await owner.publish("<p>other</p>"),
    await owner.publish("<p>binned</p>"),
  ];
  await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>2</p>" });
  await owner.json("DELETE", `/api/drops/${trashed}`);
  const file = await owner.upload("kept");
  const deletions = [`drops/${slug}/v/1`, `drops/${slug}`, `trash/${trashed}`, `blobs/${file}`];
  return { owner, slug, other, trashed, deletions };
}

const retention = async (owner: Owner, options: Record<string, string | boolean> = { yes: true }) =>
  (await runCommand(retentionCommand, given, [owner.namespace], { keep: "1", ...options })).lines.at(-1);

describe("a legal hold", () => {
  test("on an account refuses every deletion in it, by the owner and by operators, until it ends", async () => {
    const { owner, slug, other, trashed, deletions } = await givenThings();
    const to = await newOwner(given.service, "heir");

    const lines = [...(await hold(owner.namespace)), ...(await hold(owner.userId))];
    const refused = await Promise.all(deletions.map((path) => codeOf(owner, "DELETE", `/api/${path}`)));
    const kept = await retention(owner);
    const byOperator = await Promise.all([
      refusalOf(runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true })),
      refusalOf(runCommand(takedownCommand, given, [trashed], { yes: true, "no-copy": true })),
      refusalOf(
        runCommand(transferCommand, given, [owner.namespace, to.namespace], { yes: true, drops: other }),
      ),
    ]);
    const listed = (await runCommand(listHoldsCommand, given, [owner.namespace])).lines;
    const republished = await owner.call("PUT", `/api/drops/${slug}`, { html: "<p>3</p>" });
    const ended = await unhold(owner.namespace);
    const allowed: string[] = [];
    for (const path of deletions) allowed.push(await codeOf(owner, "DELETE", `/api/${path}`));

    expect(lines).toEqual([
      `The account ${owner.userId} is on hold.`,
      `The account ${owner.userId} is on hold already.`,
    ]);
    expect(refused).toEqual(deletions.map(() => "403 forbidden"));
    expect(kept).toBe("Versions beyond the newest 1: 0 of 0 drops, 0 bytes.");
    for (const refusal of byOperator) expect(refusal).toContain(`run hold remove ${owner.namespace}`);
    expect(listed[0]).toMatch(new RegExp(`^account  ${owner.namespace} .* since 20`));
    expect(republished.status).toBe(200);
    expect(ended.at(-1)).toBe(`The account ${owner.userId} no longer has its own hold.`);
    expect(allowed).toEqual(["204", "204", "204", "204"]);
    expect((await runCommand(recountCommand, given, [owner.namespace])).isWell).toBe(true);
  });

  test("on a drop protects the drop and its account, and nothing else in the account", async () => {
    const { owner, slug, other, trashed, deletions } = await givenThings();
    const { url } = await owner.json("GET", `/api/drops/${slug}`);

    const lines = [...(await hold(url)), ...(await hold(trashed))];
    const refused = await Promise.all(
      deletions.slice(0, 3).map((path) => codeOf(owner, "DELETE", `/api/${path}`)),
    );
    const ofAccount = await refusalOf(
      runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true }),
    );
    const others = [
      await codeOf(owner, "DELETE", `/api/drops/${other}`),
      await codeOf(owner, "DELETE", `/api/trash/${other}`),
      await codeOf(owner, "DELETE", `/api/${deletions[3]}`),
    ];
    const kept = await retention(owner);
    const { lines: listed } = await runCommand(listHoldsCommand, given, [owner.namespace]);
    const back = await owner.call("POST", `/api/drops/${trashed}/undelete`);
    const again = await codeOf(owner, "DELETE", `/api/drops/${trashed}`);
    for (const held of [slug, trashed]) await unhold(held);
    const removed = await retention(owner);
    const gone = await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });

    expect(lines).toEqual([slug, trashed].map((one) => `The drop ${one} of ${owner.userId} is on hold.`));
    expect(refused).toEqual(["403 forbidden", "403 forbidden", "403 forbidden"]);
    expect(ofAccount).toMatch(/^On legal hold: .*Nothing was deleted\./);
    expect(others).toEqual(["204", "204", "204"]);
    expect(kept).toBe("Versions beyond the newest 1: 0 of 0 drops, 0 bytes.");
    expect(listed.slice(0, -1).sort()).toEqual(
      [slug, trashed].map((one) => `drop  ${one} of ${owner.namespace} (${owner.userId})`).sort(),
    );
    expect([back.status, again]).toEqual([200, "403 forbidden"]);
    expect(removed).toBe("Versions deleted: 1.");
    expect(gone.isWell).toBe(true);
  });

  for (const { cases, options } of quickAndSlow([1, 12], (rounds) => rounds === 1))
    test.each(cases)(
      "that starts during a deletion either prevents it or fails, %i times",
      options,
      async (rounds) => {
        const owner = await newOwner(given.service, "race");
        for (let round = 0; round < rounds; round += 1) {
          const slug = await owner.publish("<p>1</p>");
          await owner.json("DELETE", `/api/drops/${slug}`);

          const [held, deleted] = await Promise.all([
            refusalOf(hold(slug)),
            codeOf(owner, "DELETE", `/api/trash/${slug}`),
          ]);

          const isThere = (await codeOf(owner, "POST", `/api/drops/${slug}/undelete`)) === "200";
          expect([held, deleted, isThere]).toEqual(
            held === "not refused"
              ? [held, "403 forbidden", true]
              : [expect.stringContaining("no longer has a drop"), "204", false],
          );
        }
      },
    );

  test("deletes, when it ends, the versions that keepVersions does not keep", async () => {
    const { owner, slug } = await givenThings();
    await hold(slug);
    const access = readOperatorAccess();
    const outputs = { ...access.outputs, [outputNames.keepVersions]: "1" };
    writeFileSync(join(keeping, operatorAccessFile), JSON.stringify({ ...access, outputs }));

    const { lines } = await runCommand(removeHoldCommand, { dataDirectory: keeping }, [slug], { yes: true });

    const { versions } = await owner.json("GET", `/api/drops/${slug}/versions`);
    expect(lines.at(-1)).toBe("Versions deleted: 1.");
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2]);
  });

  test("ends only after a confirmation, and needs an existing account or drop", async () => {
    const { owner, slug } = await givenThings();
    await hold(slug);

    const unsure = await refusalOf(runCommand(removeHoldCommand, given, [slug], {}, "no"));
    const missing = await refusalOf(hold("nobody-of-this-name"));
    const ofFile = await refusalOf(hold(`${given.service.baseUrl}/@${owner.namespace}/b/aaaaaaa`));

    expect(unsure).toBe(`"no" is not ${slug}. Nothing was changed.`);
    expect(missing).toContain("There is no account");
    expect(ofFile).not.toBe("not refused");
    expect(await codeOf(owner, "DELETE", `/api/drops/${slug}`)).toBe("403 forbidden");
  });
});
