import { describe, expect, test } from "vitest";
import { newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { race } from "../support/race.ts";
import { teamToken } from "../support/team-sign-in.ts";

describe("a drop moved into a team by its owner", () => {
  test("belongs to the team, counts against its quota, and keeps its URL and readers", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const before = await publish(ada.api, { visibility: "people", readers: ["grace@example.com"] });
    const { slug } = before;

    const moved = await ada.api.succeed("move-drop", { params: { slug }, body: { to: namespace } });

    expect(moved).toEqual(before);
    const team = await teamToken(ada.username, namespace);
    expect(await team.succeed("get-drop", { params: { slug } })).toMatchObject({
      url: before.url,
      readers: ["grace@example.com"],
    });
    expect(await slugsOf(team)).toEqual([slug]);
    expect(await slugsOf(ada.api)).toEqual([]);
    expect((await ada.api.call("get-drop", { params: { slug } })).status).toBe(404);
    expect(await team.succeed("get-usage")).toMatchObject({ drops: { used: 1 } });
    expect(await ada.api.succeed("get-usage")).toMatchObject({ drops: { used: 0 } });
  });

  test("is still served at its URL, also after the team publishes a new version", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const { slug, raw_url: address } = await publish(ada.api);
    await ada.api.succeed("move-drop", { params: { slug }, body: { to: namespace } });
    const team = await teamToken(ada.username, namespace);

    await team.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });

    expect((await fetchPage(new URL(address))).text).toContain("two");
  });

  test("is moved only once when the call is repeated", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const { slug } = await publish(ada.api);
    const move = { params: { slug }, body: { to: namespace } };

    const first = await ada.api.succeed("move-drop", move);
    const again = await ada.api.succeed("move-drop", move);

    expect(again).toEqual(first);
  });

  test("can be moved with the tool move_drop, identified by its URL", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const { slug, url } = await publish(ada.api);
    const { succeed } = await connectMcp(ada.api.token);

    const moved = await succeed("move_drop", { slug: url, to: namespace });

    expect(moved).toMatchObject({ slug, url });
    expect(await slugsOf(await teamToken(ada.username, namespace))).toEqual([slug]);
  });

  test("is not moved if it has changed since the revision in If-Match", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const { slug } = await publish(ada.api);
    const move = { params: { slug }, body: { to: namespace } };

    const refused = await ada.api.call("move-drop", { ...move, headers: { "if-match": '"another"' } });

    expect(refused.status).toBe(412);
    expect(await slugsOf(ada.api)).toEqual([slug]);
  });

  test("can be moved into the team by an editor, who cannot move it back", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const { slug } = await publish(grace.api);
    await grace.api.succeed("move-drop", { params: { slug }, body: { to: namespace } });
    const back = { params: { slug }, body: { to: grace.username } };

    const editors = await teamToken(grace.username, namespace);
    expect(await refusalOf(editors.call("move-drop", back))).toMatchObject({
      status: 403,
      error: { details: { reason: "not_team_owner" } },
    });
    expect((await grace.api.call("move-drop", back)).status).toBe(404);
    const owners = await teamToken(ada.username, namespace);
    expect(await slugsOf(owners)).toEqual([slug]);
  });
});

describe("an owner of a team", () => {
  test("can move the team's drop to themselves, and then to another team", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const { namespace: other } = await newTeam(ada);
    const team = await teamToken(ada.username, namespace);
    const { slug, url } = await publish(team);

    await team.succeed("move-drop", { params: { slug }, body: { to: ada.username } });
    expect(await slugsOf(ada.api)).toEqual([slug]);
    const moved = await ada.api.succeed("move-drop", { params: { slug }, body: { to: other } });

    expect(moved.url).toBe(url);
    expect(await slugsOf(await teamToken(ada.username, other))).toEqual([slug]);
  });

  test("cannot move the team's drop to another person, or to a team of which they are not a member", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const { namespace: others } = await newTeam(grace);
    const team = await teamToken(ada.username, namespace);
    const { slug } = await publish(team);

    for (const to of [grace.username, others, "no-such-team", "Not a label"]) {
      const refused = await refusalOf(team.call("move-drop", { params: { slug }, body: { to } }));
      expect(refused).toMatchObject({
        status: 400,
        error: { code: "invalid_arg", details: { field: "to" } },
      });
      expect(refused.error.message).toContain(JSON.stringify(to));
    }
    expect(await slugsOf(team)).toEqual([slug]);
  });
});

test("moving another person's drop gets the same 404 as moving a missing one", async () => {
  const ada = await newAccount("ada");
  const { namespace } = await newTeam(ada);
  const eve = await newAccount("eve");
  const { slug } = await publish(eve.api);

  for (const api of [ada.api, await teamToken(ada.username, namespace)]) {
    const refused = await refusalOf(api.call("move-drop", { params: { slug }, body: { to: namespace } }));
    const missing = await refusalOf(
      api.call("move-drop", { params: { slug: "0000000" }, body: { to: namespace } }),
    );
    expect(refused.status).toBe(404);
    expect(JSON.stringify(refused).replaceAll(slug, "0000000")).toBe(JSON.stringify(missing));
  }
  expect(await slugsOf(eve.api)).toEqual([slug]);
});

test("a drop moved to two teams concurrently is in only one of them, and is counted once", async () => {
  const ada = await newAccount("ada");
  const teams = await Promise.all([newTeam(ada), newTeam(ada)]);
  const tokens = await Promise.all(teams.map(({ namespace }) => teamToken(ada.username, namespace)));
  const { slug } = await publish(ada.api);

  const responses = await race(6, (index) =>
    ada.api.call("move-drop", { params: { slug }, body: { to: teams[index % 2]?.namespace } }),
  );

  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  const lists = await Promise.all(tokens.map(slugsOf));
  expect(lists.flat()).toEqual([slug]);
  const [won] = lists.map(({ length }) => length).flatMap((count, index) => (count === 1 ? [index] : []));
  expect(responses.map(({ status }) => status)).toEqual(
    responses.map((_, index) => (index % 2 === won ? 200 : 404)),
  );
  const usage = await Promise.all([ada.api, ...tokens].map((api) => api.succeed("get-usage")));
  expect(usage.map(({ drops }) => drops.used).toSorted()).toEqual([0, 0, 1]);
});

async function slugsOf(api: ApiClient): Promise<string[]> {
  return (await api.succeed("list-drops")).drops.map(({ slug }) => slug);
}

async function refusalOf(call: Promise<ReceivedResponse>) {
  const { status, text } = await call;
  const { error } = JSON.parse(text) as {
    readonly error: { readonly code: string; readonly message: string; readonly details: object };
  };
  return { status, error };
}
