import { expect } from "vitest";
import { edgeHeaders } from "../../functions/core/environment.ts";
import { deviceCodes } from "../../functions/identity/device-codes.ts";
import { readerSessions } from "../../functions/identity/readers.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../functions/identity/schemas.ts";
import type { OperationId } from "../../functions/routes.ts";
import { keys } from "../../functions/table/keys.ts";
import { CookieJar } from "../support/cookie-jar.ts";
import { givenAct } from "../support/given-act.ts";
import {
  askOperation,
  callOperation,
  type OperationCall,
  type OperationResponse,
} from "../support/operation-caller.ts";
import { authorizeQuery, visitProvider } from "../support/provider-visit.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { givenReader } from "./given-reader.ts";
import { givenCode, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";
import { givenTeam } from "./team-recipes.ts";

/** The drop that a reader signs in for. */
const going = { to: "/p/0000000" };

/** Recipes of sign-ins. */
export const signInRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "start-sign-in": [
    {
      mayRepeat: true,
      prepare: async (world) => ({
        call: { ...from(world), body: {} },
        expectVisible: async ({ text }) => {
          const { poll_token: pollToken } = JSON.parse(text) as SignInStartResponse;
          expect(await poll(pollToken)).toEqual({ status: "pending" });
        },
      }),
    },
  ],
  "poll-sign-in": [
    {
      prepare: async (world) => {
        const { pollToken } = await givenCode(world, "verified");
        return { call: { query: { token: pollToken } }, expectVisible: expectTokenOrClaim };
      },
    },
  ],
  "show-verify-page": [
    {
      prepare: async (world) => ({
        call: { ...from(world), query: { code: (await givenCode(world, "pending")).code } },
      }),
    },
  ],
  "authorize-sign-in": [
    {
      prepare: async (world) => {
        const { code } = await givenCode(world, "pending");
        return { call: await continued(world, code) };
      },
    },
  ],
  "complete-sign-in": [
    { variant: "new account", statusOnceDone: 400, prepare: returned },
    {
      variant: "known account",
      statusOnceDone: 400,
      prepare: async (world) => {
        const username = unusedUsername("known");
        const first = await returned(world, username);
        await callOperation("complete-sign-in", first.call);
        return returned(world, username);
      },
    },
    // Another attempt is another sign-in in the same browser.
    { variant: "reader", isDoneAnew: true, prepare: returnedReader },
  ],
  "choose-account": [
    {
      statusOnceDone: 400,
      prepare: async (world) => {
        const { code, pollToken } = await givenCode(world, "pending");
        const call = await continued(world, code);
        await callOperation("authorize-sign-in", call);
        const team = await givenTeam(world);
        await deviceCodes.identify(code, world.userId, Date.now(), []);
        const { browser } = call;
        const body = new URLSearchParams({ code, account: team.namespace }).toString();
        return {
          call: { ...from(world), browser, body },
          expectVisible: async () => expect((await poll(pollToken)).user_id).toBe(team.userId),
        };
      },
    },
  ],
  "admit-reader": [
    {
      prepare: async (world) => {
        const { browser } = await givenReader(world);
        return { call: { browser, query: going } };
      },
    },
    {
      variant: "not signed in",
      prepare: async () => ({ call: { query: going } }),
    },
  ],
  "sign-out-reader": [
    {
      prepare: async (world) => {
        const { browser, reference } = await givenReader(world);
        const expectVisible = async () =>
          expect(await readerSessions.find(reference, Date.now())).toBeUndefined();
        return { call: { browser, body: "" }, expectVisible };
      },
    },
  ],
  "start-browser-sign-in": [
    { mayRepeat: true, prepare: async (world) => ({ call: { ...from(world), body: "" } }) },
  ],
  "reveal-token": [
    {
      statusOnceDone: 400,
      prepare: async (world) => {
        const browser = new CookieJar();
        const call = { ...from(world), browser };
        const { headers } = await callOperation("start-browser-sign-in", { ...call, body: "" });
        const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
        await deviceCodes.verify(code, { userId: world.userId }, givenAct());
        world.partitions.add(keys.deviceCode(code).pk);
        return { call: { ...call, body: new URLSearchParams({ code }).toString() } };
      },
    },
  ],
  "undo-sign-in": (["verified", "claimed"] as const).map((state) => ({
    variant: state,
    mayRepeat: true,
    prepare: async (world) => {
      const { code, pollToken } = await givenCode(world, "pending");
      const call = await continued(world, code);
      await callOperation("authorize-sign-in", call);
      await deviceCodes.verify(code, { userId: world.userId }, givenAct());
      const token = state === "claimed" ? (await poll(pollToken)).api_token : undefined;
      const { browser } = call;
      return {
        call: { ...from(world), browser, body: new URLSearchParams({ code }).toString() },
        expectVisible: async () => {
          expect((await poll(pollToken)).status).toBe(state === "claimed" ? "claimed" : "expired");
          if (token !== undefined) expect((await askOperation("get-me", { token })).status).toBe(401);
        },
      };
    },
  })),
};

function from({ address }: World) {
  return { headers: { [edgeHeaders.address]: address } };
}

async function poll(pollToken: string): Promise<SignInPollResponse> {
  const { text } = await callOperation("poll-sign-in", { query: { token: pollToken } });
  return JSON.parse(text) as SignInPollResponse;
}

/** Expects a working token. After a lost response, expects a claimed code without a token. */
async function expectTokenOrClaim({ text }: OperationResponse): Promise<void> {
  const { status, api_token: token } = JSON.parse(text) as SignInPollResponse;
  if (token === undefined) expect(status).toBe("claimed");
  else await callOperation("get-me", { token });
}

/** Opens the verify page and returns the request that leads to the provider. */
async function continued(world: World, code: string): Promise<OperationCall> {
  const browser = new CookieJar();
  const page = await callOperation("show-verify-page", { ...from(world), query: { code }, browser });
  return { browser, query: authorizeQuery(page) };
}

/** Returns the callback of a reader with an account. The provider's code is valid once, so another attempt signs in again. */
async function returnedReader(world: World) {
  const username = unusedUsername("reader");
  const first = await returned(world, username);
  await callOperation("complete-sign-in", first.call);
  await first.expectVisible();
  const { browser } = await givenReader(world);
  const goThere = async (): Promise<OperationCall> => {
    const query = { ...going, account: "other" };
    const { headers } = await callOperation("admit-reader", { browser, query, expectedStatus: 302 });
    return { browser, query: await visitProvider(headers.location, username), expectedStatus: 303 };
  };
  return {
    call: await goThere(),
    retry: async () => askOperation("complete-sign-in", await goThere()),
  };
}

/** Returns the callback of a sign-in. The provider's code is valid once, so another attempt begins at the verify page. */
async function returned(world: World, username = unusedUsername("new")) {
  const { code, pollToken } = await givenCode(world, "pending");
  const goThere = async () => {
    const call = await continued(world, code);
    const { headers } = await callOperation("authorize-sign-in", call);
    return { browser: call.browser, query: await visitProvider(headers.location, username) } as OperationCall;
  };
  const call = await goThere();
  return {
    call,
    expectVisible: async () => {
      const { status, user_id: userId } = await poll(pollToken);
      expect(["verified", "claimed"]).toContain(status);
      if (userId !== undefined) world.userIds.add(userId);
    },
    retry: async () => {
      const page = await askOperation("show-verify-page", { ...from(world), query: { code } });
      return page.status === 200 ? askOperation("complete-sign-in", await goThere()) : page;
    },
  };
}
