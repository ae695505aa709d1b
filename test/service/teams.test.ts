import { describe, expect, test } from "vitest";
import { neededScope, neededTeamRole } from "../../functions/http/route.ts";
import { operationIds, routeOf, routes } from "../../functions/routes.ts";
import { includesScope } from "../../functions/table/token-scope.ts";
import { newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { say } from "../support/feedback-forms.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import {
  decide,
  discover,
  locationOf,
  openConsent,
  redeem,
  refresh,
  registerClient,
  sendTo,
  startAuthorization,
} from "../support/oauth.ts";
import { signInToRead } from "../support/reader.ts";
import { sampleCall } from "../support/sample-calls.ts";
import { confirmSignIn, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { chooseAccount, teamToken } from "../support/team-sign-in.ts";
import { Visitor } from "../support/visitor.ts";

/** All operations that need a token. */
const tokenOperations = operationIds.filter((id) => routeOf(id).caller === "token");

interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly details: object };
}

describe("a team", () => {
  test("is created by a person, who becomes its owner", async () => {
    const ada = await newAccount("ada");
    const namespace = unusedUsername("growth");

    const team = await ada.api.succeed("create-team", { body: { namespace } });

    expect(team).toMatchObject({ namespace, owners: [ada.username], editors: [], role: "owner" });
    expect(await ada.api.succeed("get-team", { params: { namespace } })).toEqual(team);
    const { teams } = await ada.api.succeed("list-teams");
    expect(teams).toEqual([{ namespace, url: team.url, role: "owner" }]);
  });

  test("returns 404 to people outside it", async () => {
    const { namespace } = await newTeam(await newAccount("ada"));
    const eve = await newAccount("eve");

    for (const call of [
      eve.api.call("get-team", { params: { namespace } }),
      eve.api.call("edit-team", { params: { namespace }, body: { group_by: "project" } }),
      eve.api.call("set-team-role", {
        params: { namespace, reader: eve.username },
        body: { role: "owner" },
      }),
    ]) {
      const { status, error } = await refusalOf(call);
      expect([status, error.code]).toEqual([404, "not_found"]);
    }
  });

  test("cannot have a namespace that is reserved, taken or malformed", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);

    for (const [name, reason] of [
      ["admin", "reserved"],
      [namespace, "taken"],
      [ada.username, "taken"],
      ["Growth", "shape"],
      ["-growth", "shape"],
    ] as const) {
      const { status, error } = await refusalOf(ada.api.call("create-team", { body: { namespace: name } }));
      expect([status, error.details]).toEqual([400, expect.objectContaining({ reason })]);
    }
  });

  test("belongs to only one of two people who create it concurrently", async () => {
    const people = await Promise.all([newAccount("ada"), newAccount("grace")]);
    const namespace = unusedUsername("race");

    const statuses = await Promise.all(
      people.map(async ({ api }) => (await api.call("create-team", { body: { namespace } })).status),
    );

    expect(statuses.toSorted()).toEqual([201, 400]);
  });

  test("cannot lose its last owner", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const params = { namespace, reader: ada.username };

    const removed = await refusalOf(ada.api.call("remove-team-role", { params }));
    const demoted = await refusalOf(ada.api.call("set-team-role", { params, body: { role: "editor" } }));

    expect([removed.status, removed.error.code]).toEqual([409, "last_owner_cannot_leave"]);
    expect([demoted.status, demoted.error.code]).toEqual([409, "last_owner_cannot_leave"]);
  });

  test("shows owners who have made themselves editors as editors", async () => {
    const [ada, grace] = await Promise.all([newAccount("ada"), newAccount("grace")]);
    const { namespace } = await newTeam(ada, { owners: [ada.username, grace.username] });

    const changed = await ada.api.succeed("set-team-role", {
      params: { namespace, reader: ada.username },
      body: { role: "editor" },
    });

    expect(changed).toMatchObject({ owners: [grace.username], editors: [ada.username], role: "editor" });
  });

  test("keeps all roles that are set concurrently", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const readers = Array.from({ length: 8 }, (_, index) => `person${index}@example.com`);

    await Promise.all(
      readers.map((reader) =>
        ada.api.succeed("set-team-role", { params: { namespace, reader }, body: { role: "editor" } }),
      ),
    );

    expect((await ada.api.succeed("get-team", { params: { namespace } })).editors).toEqual(readers);
  });

  test("excludes a removed owner who concurrently sets their own role again", {
    tags: "slow",
  }, async () => {
    const [ada, grace] = await Promise.all([newAccount("ada"), newAccount("grace")]);
    const owners = [ada.username, grace.username];
    const created = await Promise.all(Array.from({ length: 6 }, () => newTeam(ada, { owners })));

    const stayed = await Promise.all(
      created.map(async ({ namespace }) => {
        const params = { namespace, reader: grace.username };
        await Promise.all([
          ada.api.succeed("remove-team-role", { params }),
          grace.api.call("set-team-role", { params, body: { role: "owner" } }),
        ]);
        return (await ada.api.succeed("get-team", { params: { namespace } })).owners;
      }),
    );

    expect(stayed).toEqual(created.map(() => [ada.username]));
  });

  test("refuses to be grouped by a text that cannot be a tag, and names the valid form", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);

    const { status, error } = await refusalOf(
      ada.api.call("edit-team", { params: { namespace }, body: { group_by: "No Tag" } }),
    );

    expect([status, error.code]).toEqual([400, "invalid_arg"]);
    expect(error.message).toMatch(/^group_by must be a text that matches \S+, not "No Tag"\./);
  });

  test("refuses to set a role for a rule that matches no one", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);

    for (const reader of ["everyone", "me", "example.com"]) {
      const { status, error } = await refusalOf(
        ada.api.call("set-team-role", { params: { namespace, reader }, body: { role: "editor" } }),
      );
      expect([reader, status, error.code]).toEqual([reader, 400, "invalid_arg"]);
    }
  });
});

describe("a team's page with restricted readers", () => {
  test("can be read by the team's members while they are members", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const eve = await newAccount("eve");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const { slug } = await publish(await teamToken(ada.username, namespace), {
      visibility: "people",
      readers: ["somebody@example.com"],
    });
    const statusFor = async (username: string) =>
      (await signInToRead(new URL(`/p/${slug}`, baseUrl()), username)).response.status;

    expect(await statusFor(ada.username)).toBe(200);
    expect(await statusFor(grace.username)).toBe(200);
    expect(await statusFor(eve.username)).toBe(404);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    expect(await statusFor(grace.username)).toBe(404);
  });
});

describe("a person's token for a team", () => {
  test("publishes for the team, and identifies the person", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);

    const api = await teamToken(ada.username, namespace);
    const drop = await publish(api);

    expect(drop.url).toContain(namespace);
    expect(await api.succeed("get-me")).toMatchObject({
      user_id: expect.stringMatching(/^team-/),
      account: { namespace, kind: "team" },
      person: { id: ada.userId, name: ada.username },
    });
    expect(await ada.api.succeed("get-me")).toMatchObject({
      user_id: ada.userId,
      account: { kind: "person" },
      person: { id: ada.userId },
    });
    expect((await ada.api.succeed("list-drops")).drops).toEqual([]);
  });

  test("publishes with an upload URL until its person leaves the team", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const api = await teamToken(grace.username, namespace);
    const [first, late] = [await api.succeed("start-publish"), await api.succeed("start-publish")];
    const send = ({ url }: typeof first) =>
      fetchPage(url, { method: "POST", body: pageOf("one"), headers: { "content-type": "text/html" } });

    const published = await send(first);
    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    const refused = await send(late);

    expect(published.status).toBe(201);
    expect(JSON.parse(published.text).url).toContain(namespace);
    expect(refused.status).toBe(403);
  });

  test("can change what other members have published", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const { slug } = await publish(await teamToken(ada.username, namespace));

    const api = await teamToken(grace.username, namespace);
    await api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });

    expect((await api.succeed("get-drop", { params: { slug } })).latest_version).toBe(2);
  });

  test("replies to comments under its person's name", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const api = await teamToken(ada.username, namespace);
    const { slug } = await publish(api, { feedback: "readers", visibility: "members" });
    const reader = new Visitor();
    const address = new URL(`/p/${slug}/feedback`, baseUrl());
    await say(reader, await signInToRead(address, unusedUsername("reader"), reader), { text: "Why?" });

    await api.succeed("reply-to-feedback", { params: { slug, thread: 1 }, body: { text: "Because." } });

    const { comments } = await api.succeed("list-feedback", { query: { slug } });
    expect(comments.at(-1)).toMatchObject({ from: "owner", author: { name: ada.username } });
  });

  test("of an editor is refused every operation for owners, and the refused calls change nothing", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const team = await newTeam(ada, { editors: [grace.username] });
    const { namespace } = team;
    const owners = await teamToken(ada.username, namespace);
    const { slug } = await publish(owners);
    const { id } = await owners.succeed("upload-blob", sampleCall("upload-blob"));
    const api = await teamToken(grace.username, namespace);
    const ids = tokenOperations.filter((one) => neededTeamRole(routeOf(one)) === "owner");

    const refused = await Promise.all(
      ids.map(async (one) => refusalOf(api.call(one, sampleCall(one, { slug, id, namespace })))),
    );

    expect(ids).toEqual(
      expect.arrayContaining(["delete-drop", "delete-version", "set-team-role", "create-team-token"]),
    );
    expect(refused.map(({ status, error }) => [status, error.details])).toEqual(
      ids.map(() => [403, expect.objectContaining({ reason: "not_team_owner" })]),
    );
    expect(await ada.api.succeed("get-team", { params: { namespace } })).toEqual(team);
    expect((await owners.succeed("list-blobs")).blobs).toMatchObject([{ id }]);
    await owners.succeed("delete-blob", { params: { id } });
    await owners.succeed("delete-drop", { params: { slug } });
  });

  test.each(["read", "publish"] as const)(
    "of the scope %s is refused every operation of a wider scope, like a service token",
    { tags: "slow" },
    async (scope) => {
      const ada = await newAccount("ada");
      const { namespace } = await newTeam(ada);
      const { slug } = await publish(await teamToken(ada.username, namespace));
      const service = await ada.api.succeed("create-team-token", {
        params: { namespace },
        body: { label: "Nightly report", scope },
      });
      const ids = tokenOperations.filter((one) => !includesScope(scope, neededScope(routeOf(one))));

      for (const api of [await teamToken(ada.username, namespace, scope), new ApiClient(service.api_token)]) {
        const refused = await Promise.all(
          ids.map((one) => refusalOf(api.call(one, sampleCall(one, { slug, namespace })))),
        );
        expect(refused.map(({ status, error }) => [status, error.code])).toEqual(
          ids.map(() => [403, "insufficient_scope"]),
        );
      }
      expect(ids).toEqual(expect.arrayContaining(["create-team-token", "set-team-role", "delete-drop"]));
    },
  );

  test("is refused as soon as its person leaves the team, which keeps the pages", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const api = await teamToken(grace.username, namespace);
    const { slug } = await publish(api);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });

    const { status, error } = await refusalOf(api.call("list-drops", {}));
    expect([status, error.details]).toMatchObject([403, { reason: "not_in_team", team: namespace }]);
    const owners = await teamToken(ada.username, namespace);
    expect((await owners.succeed("list-drops")).drops).toMatchObject([{ slug }]);
  });

  test("gives no access to another team, even if its person owns both teams", async () => {
    const ada = await newAccount("ada");
    const [one, other] = [await newTeam(ada), await newTeam(ada)];
    const api = await teamToken(ada.username, one.namespace);
    const callsOf = (namespace: string) => [
      api.call("get-team", { params: { namespace } }),
      api.call("edit-team", { params: { namespace }, body: { group_by: "project" } }),
      api.call("set-team-role", { params: { namespace, reader: "eve" }, body: { role: "owner" } }),
      api.call("remove-team-role", { params: { namespace, reader: ada.username } }),
      api.call("create-team-token", { params: { namespace }, body: { label: "Nightly" } }),
    ];
    const textsOf = async (namespace: string) =>
      (await Promise.all(callsOf(namespace))).map(({ status, text }) => [
        status,
        text.replaceAll(namespace, "…"),
      ]);

    const refused = await textsOf(other.namespace);

    expect(refused.map(([status]) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(refused).toEqual(await textsOf(unusedUsername("missing")));
    expect(await ada.api.succeed("get-team", { params: { namespace: other.namespace } })).toEqual(other);
    expect((await api.call("get-team", { params: { namespace: one.namespace } })).status).toBe(200);
  });

  test("is not issued if the person has left the team after confirming the sign-in", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const visitor = new Visitor();
    const start = await startSignIn();
    await chooseAccount(visitor, await confirmSignIn(start, grace.username, visitor), namespace);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });

    expect(await pollSignIn(start.poll_token)).toEqual({ status: "expired" });
  });

  test("is not issued if the person has left the team before choosing it", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const visitor = new Visitor();
    const start = await startSignIn();
    const choice = await confirmSignIn(start, grace.username, visitor);
    expect(choice.response.text).toContain(`action="${routes["choose-account"].path}"`);
    expect(choice.response.text).toContain(namespace);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    const refused = await chooseAccount(visitor, choice, namespace);

    expect(refused.response.status).toBe(400);
    expect((await pollSignIn(start.poll_token)).status).toBe("pending");
    expect((await chooseAccount(visitor, choice, "")).response.status).toBe(200);
    expect(await pollSignIn(start.poll_token)).toMatchObject({ user_id: grace.userId });
  });
});

describe("a service token", () => {
  test("is not created if its expiry is sent under another name", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);
    const body = { label: "Nightly report", expires_in: 3_600 };

    const { status, error } = await refusalOf(
      ada.api.call("create-team-token", { params: { namespace }, body: body as { label: string } }),
    );

    expect([status, error.code]).toEqual([400, "invalid_arg"]);
    expect(error.message).toContain('Send "expires_in_days".');
  });

  test("publishes for the team within its scope, and belongs to no person", async () => {
    const ada = await newAccount("ada");
    const { namespace } = await newTeam(ada);

    const made = await ada.api.succeed("create-team-token", {
      params: { namespace },
      body: { label: "Nightly report", scope: "publish", expires_in_days: 30 },
    });
    const api = new ApiClient(made.api_token);
    const { slug } = await publish(api);

    expect(await api.succeed("get-me")).toMatchObject({
      account: { namespace, kind: "team" },
      person: null,
      token: { id: made.id, label: "Nightly report", scope: "publish", expires_at: made.expires_at },
    });
    const refused = await refusalOf(api.call("delete-drop", { params: { slug } }));
    expect([refused.status, refused.error.code]).toEqual([403, "insufficient_scope"]);
    expect(await api.succeed("get-team", { params: { namespace } })).not.toHaveProperty("role");
    const people = await refusalOf(
      api.call("set-team-role", { params: { namespace, reader: "eve" }, body: { role: "owner" } }),
    );
    expect(people.status).toBe(403);
  });

  test("stays valid when its creator leaves the team, until an owner revokes it", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { owners: [ada.username, grace.username] });
    const { api_token, id } = await grace.api.succeed("create-team-token", {
      params: { namespace },
      body: { label: "Nightly report" },
    });
    const api = new ApiClient(api_token);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    expect((await api.call("list-drops")).status).toBe(200);

    const owners = await teamToken(ada.username, namespace);
    await owners.succeed("revoke-token", { params: { id } });
    expect((await api.call("list-drops")).status).toBe(401);
  });

  test("can be created and revoked by owners, but not by editors", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const body = { label: "Nightly report" };
    const { id } = await ada.api.succeed("create-team-token", { params: { namespace }, body });
    const editor = await teamToken(grace.username, namespace);

    const created = await refusalOf(editor.call("create-team-token", { params: { namespace }, body }));
    const revoked = await refusalOf(editor.call("revoke-token", { params: { id } }));

    expect([created.status, revoked.status]).toEqual([403, 403]);
    const { token } = await editor.succeed("get-me");
    await editor.succeed("revoke-token", { params: { id: token.id } });
    expect((await editor.call("get-me")).status).toBe(401);
  });
});

describe("an MCP client", () => {
  test("publishes for the team that its person chooses, until the person leaves the team", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const { visitor, server, client, started, consent } = await askForConsent(grace.username);
    expect(consent.response.text).toContain(namespace);

    const decided = await decide(visitor, consent, "allow", { account: namespace });
    const { tokens } = await redeem({ server, client, started }, decided);

    const { succeed } = await connectMcp(tokens.access_token);
    const { slug } = await succeed("publish_drop", { html: pageOf("one"), title: "One" });
    const owners = await teamToken(ada.username, namespace);
    expect((await owners.succeed("list-drops")).drops).toMatchObject([{ slug }]);

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });
    await expect(connectMcp(tokens.access_token)).rejects.toThrow(/HTTP 403/);
    expect(await refresh({ client, tokens })).toMatchObject({ json: { error: "invalid_grant" } });
  });

  test("gets no token for a code or a repeated refresh after its person has left the team", async () => {
    const ada = await newAccount("ada");
    const grace = await newAccount("grace");
    const { namespace } = await newTeam(ada, { editors: [grace.username] });
    const [granted, undecided] = [await askForConsent(grace.username), await askForConsent(grace.username)];
    const allow = ({ visitor, consent }: typeof granted) =>
      decide(visitor, consent, "allow", { account: namespace });
    const { tokens } = await redeem(granted, await allow(granted));
    const refreshed = { client: granted.client, tokens };
    expect((await refresh(refreshed)).status).toBe(200);
    const code = locationOf(await allow(undecided)).searchParams.get("code") ?? "";

    await ada.api.succeed("remove-team-role", { params: { namespace, reader: grace.username } });

    const redeemed = await sendTo("token", {
      grant_type: "authorization_code",
      client_id: undecided.client.client_id,
      code,
      code_verifier: undecided.started.codeVerifier,
    });
    expect([redeemed.status, redeemed.json.error]).toEqual([400, "invalid_grant"]);
    expect(await refresh(refreshed)).toMatchObject({ json: { error: "invalid_grant" } });
  });

  test("gets no grant for a team that its person does not belong to", async () => {
    const { namespace } = await newTeam(await newAccount("ada"));
    const eve = await newAccount("eve");
    const { visitor, consent } = await askForConsent(eve.username);

    const decided = await decide(visitor, consent, "allow", { account: namespace });

    expect(decided.response.status).toBe(400);
  });
});

/** Registers a client and opens its consent page as the person. */
async function askForConsent(username: string) {
  const visitor = new Visitor();
  const server = await discover();
  const client = await registerClient(server);
  const started = await startAuthorization(client);
  const consent = await openConsent(started.url, username, visitor);
  return { visitor, server, client, started, consent };
}

async function refusalOf(call: Promise<ReceivedResponse>) {
  const { status, text } = await call;
  return { status, error: (JSON.parse(text) as ErrorBody).error };
}
