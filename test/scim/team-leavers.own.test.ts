// @module-tag nightly

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeToken } from "../../packages/cli/src/service/token-store.ts";
import { suspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { removeMemberCommand } from "../../scripts/operator/members/members.ts";
import { addTeamCommand, removeTeamCommand } from "../../scripts/operator/teams.ts";
import { setEnvironment } from "../command-line/programs.ts";
import { runInProcess } from "../command-line/run-in-process.ts";
import { runCommand } from "../operator/given-service.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
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
import { openSignedIn, sendForm, uploadByForm } from "../support/own-pages.ts";
import { longMs } from "../support/patience.ts";
import type { RunningService } from "../support/running-service.ts";
import { confirmSignIn, enterUsername, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { chooseAccount, teamToken } from "../support/team-sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { createToken, Directory, scimDataDirectory, startScimService } from "./scim-client.ts";

// All access that a person has to a team × all ways to leave it.

let service: RunningService;
let directory: Directory;
let publishers: string;
const folder = mkdtempSync(join(tmpdir(), "dropleaf-leavers-"));
const restore = setEnvironment({ DROPLEAF_CONFIG_DIR: folder, DROPLEAF_KEYCHAIN: "off" });

beforeAll(async () => {
  service = await startScimService({ teams: "members" });
  directory = new Directory((await createToken()).plaintext);
  publishers = await directory.createGroup("Publishers");
});

afterAll(async () => {
  await service.stop();
  restore();
  rmSync(folder, { recursive: true });
});

const operator = (command: Parameters<typeof runCommand>[0], ...words: readonly string[]) =>
  runCommand(command, { dataDirectory: scimDataDirectory() }, words, { yes: true });

/** Creates a member through a group of the directory. */
async function givenMember(name: string) {
  const username = unusedUsername(name);
  const id = await directory.createUser(username);
  await directory.patch(`/Groups/${publishers}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
  return { username, id };
}

/** Creates a team with two owners. The first is named; the one who leaves is named or in a group of the directory. */
async function givenTeam({ isNamed }: { readonly isNamed: boolean }) {
  const namespace = unusedUsername("growth");
  const [stays, leaves] = [await givenMember("stays"), await givenMember("leaves")];
  const group = await directory.createGroup(namespace, [leaves.id]);
  const rule = isNamed ? leaves.username : `group:${namespace}`;
  await operator(addTeamCommand, namespace, `--owner=${stays.username}`, `--owner=${rule}`);
  const api = await teamToken(leaves.username, namespace);
  const { slug, raw_url: page } = await publish(api, { title: "The plan", html: pageOf("The plan") });
  const made = await api.succeed("create-team-token", { params: { namespace }, body: { label: "Nightly" } });
  return {
    ...{ namespace, group, slug, page, leaves },
    /** Account id of the person who leaves. */
    personId: (await api.succeed("get-me")).person?.id ?? "",
    /** User name of the owner who stays. */
    others: stays.username,
    stays: await teamToken(stays.username, namespace),
    serviceToken: new ApiClient(made.api_token),
  };
}

type GivenTeam = Awaited<ReturnType<typeof givenTeam>>;
type Way = readonly [name: string, isOpen: () => Promise<boolean>];

const isDone = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );

/** Prepares all access that the person has to the team, up to its last step. */
async function givenWays({
  namespace,
  slug,
  others,
  leaves: { username },
}: GivenTeam): Promise<readonly Way[]> {
  const [api, other] = [await teamToken(username, namespace), await teamToken(username, namespace)];
  const isCalled = async (...call: Parameters<ApiClient["call"]>) => (await api.call(...call)).status < 300;
  const retried = { body: { html: "<p>x", title: "Retried" }, headers: { "idempotency-key": "retried" } };
  await api.succeed("publish-drop", retried);
  const { slug: shared } = await publish(api);
  const publication = await api.succeed("start-publish", { body: {} });
  const file = { filename: "a.png", content_type: "image/png", size_bytes: 1 };
  const upload = await api.succeed("start-upload", { body: file });
  const mcp = await connectMcp(api.token);
  await storeToken(baseUrl(), namespace, other.token ?? "");
  return [
    ["an API call", () => isCalled("get-me")],
    ["publishing", () => isCalled("publish-drop", { body: { html: "<p>x", title: "Late" } })],
    ["a repeated request whose response is stored", () => isCalled("publish-drop", retried)],
    ["another token", async () => (await other.call("list-drops")).status === 200],
    ["the command line", async () => (await runInProcess(["list", "--as", namespace])).exitCode === 0],
    [
      "a one-time publication address",
      async () => {
        const sent = { method: "POST", body: pageOf("Late"), headers: { "content-type": "text/html" } };
        return (await fetchPage(publication.url, sent)).status < 300;
      },
    ],
    [
      "the completion of an upload",
      async () =>
        ![401, 403].includes((await api.call("complete-upload", { params: { id: upload.id } })).status),
    ],
    ["the library of the API", () => isCalled("list-library")],
    ["a tool", () => isDone(mcp.succeed("whoami"))],
    ...(await clientWays(username, namespace)),
    ...(await signInWays(username, namespace)),
    ...(await browserWays(username, namespace, { slug, shared, others })),
  ];
}

/** Access of MCP clients: tokens, codes and open consent pages. */
async function clientWays(username: string, account: string): Promise<readonly Way[]> {
  const server = await discover();
  const client = await registerClient(server);
  const authorize = async () => {
    const [visitor, started] = [new Visitor(), await startAuthorization(client)];
    const consent = await openConsent(started.url, username, visitor);
    return { server, client, visitor, started, consent };
  };
  const [granted, coded, undecided] = [await authorize(), await authorize(), await authorize()];
  const allow = ({ visitor, consent }: typeof granted) => decide(visitor, consent, "allow", { account });
  const { tokens } = await redeem(granted, await allow(granted));
  const code = locationOf(await allow(coded)).searchParams.get("code") ?? "";
  return [
    [
      "an access token of an MCP client",
      async () => isDone(connectMcp(tokens.access_token).then((own) => own.succeed("whoami"))),
    ],
    ["a refresh token", async () => (await refresh({ client, tokens })).status === 200],
    [
      "an unused authorization code",
      async () => {
        const fields = { grant_type: "authorization_code", client_id: client.client_id, code };
        return (
          (await sendTo("token", { ...fields, code_verifier: coded.started.codeVerifier })).status === 200
        );
      },
    ],
    [
      "an open consent page",
      async () => ((await allow(undecided)).response.headers.location ?? "").includes("code="),
    ],
  ];
}

/** Sign-ins of agents, and of a person without an agent, up to their last step. */
async function signInWays(username: string, account: string): Promise<readonly Way[]> {
  const verified = await startSignIn();
  const confirming = new Visitor();
  await chooseAccount(confirming, await confirmSignIn(verified, username, confirming), account);
  const undecided = await startSignIn();
  const choosing = new Visitor();
  const choice = await confirmSignIn(undecided, username, choosing);
  const browser = new Visitor();
  const verify = await browser.submit(await browser.open("/login/token"), { label: "" });
  const chosen = await enterUsername(
    browser,
    await browser.open(linkTo(verify, "/api/auth/idp/authorize")),
    username,
  );
  const shown = await chooseAccount(browser, chosen, account);
  const isClaimed = async ({ poll_token: token }: typeof verified) =>
    (await pollSignIn(token)).api_token !== undefined;
  return [
    ["an unclaimed device code", () => isClaimed(verified)],
    [
      "an open choice of accounts",
      async () => {
        await chooseAccount(choosing, choice, account);
        return isClaimed(undecided);
      },
    ],
    [
      "a token that the browser has not shown yet",
      async () => (await browser.submit(shown, {})).response.text.includes("hb_"),
    ],
    [newSignIn, () => isDone(teamToken(username, account))],
  ];
}

const newSignIn = "a new sign-in";

/** Access of a browser that has been switched to the team. */
async function browserWays(
  username: string,
  account: string,
  { slug, shared, others }: { readonly slug: string; readonly shared: string; readonly others: string },
): Promise<readonly Way[]> {
  const browser = new Visitor();
  const first = await openSignedIn("/account", username, browser);
  await sendForm(browser, first, "/account/switch", { account });
  const path = `/account/drops/${slug}`;
  const [page, files] = [await browser.open(path), await browser.open("/account/files")];
  const sharedPath = `/account/drops/${shared}`;
  const panel = await browser.open(`${sharedPath}?from=base`);
  const shows = async (address: string) => (await browser.open(address)).response.text.includes("The plan");
  const isSent = async (sent: ReturnType<typeof sendForm>) => (await sent).url.search.includes("done=");
  return [
    ["the team's pages at /account", () => shows("/account")],
    ["the page of a drop at /account", () => shows(path)],
    ["a form of a drop", () => isSent(sendForm(browser, page, path, { title: "The plan, changed" }))],
    [
      "the form that shares a drop",
      () => isSent(sendForm(browser, panel, `${sharedPath}/share`, { visibility: "unlisted" })),
    ],
    [
      "the form that uploads a file",
      () => isSent(uploadByForm(browser, files, { name: "a.txt", type: "text/plain", bytes: "late" })),
    ],
    [
      "the team's member page",
      async () => (await browser.open("/account/team")).response.text.includes(others),
    ],
    [
      "a switch to the team",
      async () =>
        (await sendForm(browser, first, "/account/switch", { account })).response.text.includes("The plan"),
    ],
  ];
}

async function openOf(ways: readonly Way[]): Promise<readonly string[]> {
  const open: string[] = [];
  for (const [name, isOpen] of ways) if (await isOpen()) open.push(name);
  return open;
}

const namesOf = (ways: readonly Way[]) => ways.map(([name]) => name);
const membersOf = ({ group, leaves }: GivenTeam) =>
  [`/Groups/${group}`, [{ op: "remove", path: `members[value eq "${leaves.id}"]` }]] as const;

/** Ways to leave a team. A named person leaves by the team's rule, others by the group. */
const leavings: readonly (readonly [
  how: string,
  isNamed: boolean,
  leave: (team: GivenTeam) => Promise<unknown>,
])[] = [
  [
    "an owner removes from the team",
    true,
    ({ stays, namespace, leaves }) =>
      stays.succeed("remove-team-role", { params: { namespace, reader: leaves.username } }),
  ],
  [
    "an operator removes from the team",
    true,
    ({ namespace, leaves }) => operator(removeTeamCommand, namespace, `--person=${leaves.username}`),
  ],
  ["the directory removes from the group", false, (team) => directory.patch(...membersOf(team))],
  [
    "the directory removes by deleting the group",
    false,
    ({ group }) => directory.send("DELETE", `/Groups/${group}`),
  ],
  ["the directory deactivates", false, ({ leaves }) => directory.setActive(leaves.id, false)],
  ["the directory deletes", true, ({ leaves }) => directory.send("DELETE", `/Users/${leaves.id}`)],
  [
    "an operator removes from the members",
    true,
    ({ leaves }) => operator(removeMemberCommand, leaves.username),
  ],
  ["an operator suspends", true, ({ personId }) => operator(suspendCommand, personId)],
];

describe("a person whom", () => {
  test.each(leavings)(
    "%s loses all access to the team, and the team continues",
    async (_, isNamed, leave) => {
      const team = await givenTeam({ isNamed });
      const ways = await givenWays(team);

      await leave(team);

      // Each kind of access is tried only once, so it must be closed immediately.
      expect(await openOf(ways)).toEqual([]);
      await expectTeamGoesOn(team);
    },
    longMs,
  );

  test(
    "the directory reactivates regains access to the team only with a new sign-in",
    async () => {
      const team = await givenTeam({ isNamed: false });
      const ways = await givenWays(team);

      await directory.setActive(team.leaves.id, false);
      await directory.setActive(team.leaves.id, true);

      expect(await openOf(ways)).toEqual([newSignIn]);
      await expectTeamGoesOn(team);
    },
    longMs,
  );

  test(
    "no one removes has every kind of access, so that the attempts are valid",
    async () => {
      const team = await givenTeam({ isNamed: true });
      const ways = await givenWays(team);

      expect(await openOf(ways)).toEqual(namesOf(ways));
    },
    longMs,
  );
});

/** The page, the other owner's access, and a service token created by the leaver must be unaffected. */
async function expectTeamGoesOn({ page, slug, stays, serviceToken }: GivenTeam): Promise<void> {
  expect((await fetchPage(new URL(page))).text).toContain("The plan");
  for (const api of [stays, serviceToken])
    expect(await api.succeed("edit-drop", { params: { slug }, body: { title: "The plan" } })).toMatchObject({
      slug,
    });
}

test(
  "the deletion of a team ends everyone's access to it, and deletes its pages",
  async () => {
    const team = await givenTeam({ isNamed: true });
    const ways = await givenWays(team);

    await operator(removeTeamCommand, team.namespace);

    expect(await openOf(ways)).toEqual([]);
    for (const api of [team.stays, team.serviceToken])
      expect((await api.call("list-drops")).status).toBe(401);
    expect((await fetchPage(new URL(team.page))).status).toBe(404);
  },
  longMs,
);
