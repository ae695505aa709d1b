// @module-tag slow

import { afterAll, beforeAll, expect, test } from "vitest";
import { suspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { memberAs, members, ofTheDomain, startMembersService } from "../identity/given-members.ts";
import { runCommand } from "../operator/given-service.ts";
import { newTeam, publish } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import type { RunningService } from "../support/running-service.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startMembersService({ teams: { creation: "members", leavers: ["group:people-team"] } });
});
afterAll(() => service.stop());

/** Signs in as a member of the group that may move leavers' drops. */
const mover = () => memberAs({ groups: "publishers, people-team" });

/** Creates a member with a drop. */
async function newLeaver() {
  const leaver = await memberAs(ofTheDomain());
  return { ...leaver, drop: await publish(leaver.api) };
}

test("an owner of a team in teams.leavers can move a removed person's drop, which keeps its URL", async () => {
  const ada = await mover();
  const { namespace } = await newTeam(ada);
  const { username, userId, drop } = await newLeaver();
  const { slug } = drop;
  const move = { params: { slug }, body: { to: namespace } };
  expect((await ada.api.call("move-drop", move)).status).toBe(404);

  await members("remove", username);
  const moved = await ada.api.succeed("move-drop", move);

  expect(moved).toMatchObject({ slug, url: drop.url, raw_url: drop.raw_url });
  expect((await fetchPage(new URL(drop.raw_url))).status).toBe(200);
  const { lines } = await runCommand(auditCommand, { dataDirectory: `${service.directory}/data` }, [], {
    drop: slug,
    from: new Date().toISOString().slice(0, 10),
    json: true,
  });
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
    action: "move-drop",
    account_id: userId,
    new_account_id: expect.stringMatching(/^team-/),
    person_id: ada.userId,
  });
});

test("a leaver's drop looks missing to owners of other teams, to editors, and to a mover without a target team", async () => {
  const ada = await mover();
  const grace = await memberAs(ofTheDomain());
  const { namespace: graces } = await newTeam(grace, { editors: [ada.username] });
  const { username, drop } = await newLeaver();
  const params = { slug: drop.slug };

  await members("remove", username);

  const statuses = [
    (await grace.api.call("move-drop", { params, body: { to: graces } })).status,
    (await ada.api.call("move-drop", { params, body: { to: graces } })).status,
    (await ada.api.call("move-drop", { params, body: { to: ada.username } })).status,
  ];
  expect(statuses).toEqual([404, 404, 404]);
});

test("the drop of a suspended account cannot be moved", async () => {
  const ada = await mover();
  const { namespace } = await newTeam(ada);
  const { username, userId, drop } = await newLeaver();

  await members("remove", username);
  await runCommand(suspendCommand, { dataDirectory: `${service.directory}/data` }, [userId], { yes: true });

  const refused = await ada.api.call("move-drop", { params: { slug: drop.slug }, body: { to: namespace } });
  expect(refused.status).toBe(404);
  expect((await fetchPage(new URL(drop.raw_url))).status).toBe(404);
});
