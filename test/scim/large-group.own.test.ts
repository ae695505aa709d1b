// @module-tag nightly
import { afterAll, beforeAll, expect, test } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import type { RunningService } from "../support/running-service.ts";
import { createToken, Directory, type ScimResponse, startScimService } from "./scim-client.ts";

const membersCount = 10_000;
const triesMax = 3;

let service: RunningService;
let directory: Directory;
const ids = Array.from({ length: membersCount }, (_, index) => `given${String(index).padStart(11, "0")}`);

beforeAll(async () => {
  service = await startScimService();
  directory = new Directory((await createToken()).plaintext);
  const common = { active: true, profile: "{}", groups: {}, revision: 1, accountsRevision: 0 };
  const times = { createdAtMs: 1, modifiedAtMs: 1 };
  await writeItems({
    puts: ids.map((id) => ({ ...keys.provisionedUser(id), id, userName: id, ...common, ...times })),
    deletes: [],
  });
});

afterAll(() => service.stop());

/** Repeats an interrupted request, as directories do. Each attempt continues where the previous one stopped. */
async function untilDone(send: () => Promise<ScimResponse>): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await send();
    if (status !== 503 || tries === triesMax) return status;
  }
}

test(`a group gets ${membersCount} members in one request, lists, renames and loses them`, async () => {
  const id = await directory.createGroup("Everybody");
  const value = ids.map((one) => ({ value: one }));
  const patch = (operation: object) => untilDone(() => directory.patch(`/Groups/${id}`, [operation]));
  const memberOf = async () => (await getItem(keys.provisionedUser(ids.at(-1) ?? "")))?.groups;

  expect(await patch({ op: "add", path: "members", value })).toBe(204);
  expect((await directory.send("GET", `/Groups/${id}`)).body.members).toHaveLength(membersCount);
  expect(await memberOf()).toEqual({ [id]: "Everybody" });

  expect(await patch({ op: "replace", path: "displayName", value: "All" })).toBe(204);
  expect(await memberOf()).toEqual({ [id]: "All" });

  expect(await untilDone(() => directory.send("DELETE", `/Groups/${id}`))).toBe(204);
  expect(await memberOf()).toEqual({});
});
