import { createHash, randomInt } from "node:crypto";
import { expect } from "vitest";
import { edgeHeaders } from "../../functions/core/environment.ts";
import { formProofs, proofField } from "../../functions/http/form-proof.ts";
import { findTokenQuota } from "../../functions/identity/token-quota.ts";
import { authorizationRequests, findCode } from "../../functions/oauth/authorization-store.ts";
import { type Client, openClientId, sealClientId } from "../../functions/oauth/client.ts";
import { findRefreshToken, grants, type IssuedTokens } from "../../functions/oauth/grant-store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { hashSecret } from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { givenAct } from "../support/given-act.ts";
import type { OperationCall } from "../support/operation-caller.ts";
import { givenOwner } from "./account-page-recipes.ts";
import type { World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** The smallest use of a token by a client. */
const byClient = { addressed: "mcp", scope: "read" } as const;

const redirectUri = "http://127.0.0.1:9/callback";
const codeVerifier = "a".repeat(43);
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Recipes of MCP clients and their consent. A code that is used twice revokes its grant, even if the first response was lost. */
export const oauthRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "register-client": [
    {
      prepare: async () => ({
        call: { body: { client_name: "Given", redirect_uris: [redirectUri] } },
        expectVisible: async ({ text }) => {
          const { client_id: id } = JSON.parse(text) as { readonly client_id: string };
          expect(await openClientId(id)).toMatchObject({ name: "Given" });
        },
      }),
    },
  ],
  "show-consent": [
    {
      prepare: async (world) => {
        const { browser, id } = await givenRequest(world);
        return {
          call: { browser, query: { request: id } },
          expectVisible: async ({ text }) => expect(text).toContain(id),
        };
      },
    },
    {
      variant: "of a client",
      mayRepeat: true,
      prepare: async (world) => ({
        call: {
          headers: { [edgeHeaders.address]: world.address },
          query: Object.fromEntries(new URLSearchParams(queryOf(await givenClient()))),
        },
        expectVisible: async ({ headers }) => {
          const id = new URL(headers.location ?? "").searchParams.get("request") ?? "";
          expect(await authorizationRequests.find(id, Date.now())).toContain("code_challenge");
        },
      }),
    },
  ],
  "decide-consent": [
    {
      statusOnceDone: 400,
      prepare: async (world) => ({
        call: await givenDecision(world, "allow"),
        expectVisible: async ({ headers }) => {
          const code = new URL(headers.location ?? "").searchParams.get("code") ?? "";
          expect(await findCode(code)).toMatchObject({ userId: world.userId });
        },
      }),
    },
  ],
  "issue-token": [
    {
      mayRepeat: true,
      statusOnceDone: 400,
      prepare: async (world) => {
        const { client, code } = await givenCode(world);
        const fields = { grant_type: "authorization_code", client_id: client.id, code };
        return {
          call: callWith({ ...fields, redirect_uri: redirectUri, code_verifier: codeVerifier }),
          expectVisible: expectGoodToken,
        };
      },
    },
    {
      // A client that did not get the response repeats the request, and gets the same tokens.
      variant: "refresh",
      prepare: async (world) => {
        const { client, issued } = await givenGrant(world);
        return { call: refreshCall(client, issued), expectVisible: expectGoodToken };
      },
    },
    {
      variant: "repeated refresh",
      isToldBefore: true,
      prepare: async (world) => {
        const { client, issued } = await givenGrant(world);
        const token = await findRefreshToken(issued.refreshToken);
        if (token === undefined) throw new Error("The given refresh token is not there.");
        const next = await grants.renew(token, issued.refreshToken, givenAct());
        if (typeof next === "string") throw new Error(`The given grant is ${next}.`);
        return {
          call: refreshCall(client, issued),
          expectVisible: async ({ text }) =>
            expect(JSON.parse(text)).toMatchObject({
              access_token: next.accessToken,
              refresh_token: next.refreshToken,
            }),
        };
      },
    },
  ],
  "revoke-grant": [
    {
      prepare: async (world) => {
        const { issued } = await givenGrant(world);
        return {
          call: callWith({ token: issued.refreshToken }),
          expectVisible: async () => {
            const hash = hashSecret(issued.accessToken);
            expect(await tokens.authenticate(hash, Date.now(), byClient)).toBeUndefined();
          },
        };
      },
    },
  ],
};

async function expectGoodToken({ text }: { readonly text: string }): Promise<void> {
  const { access_token: token } = JSON.parse(text) as { readonly access_token: string };
  expect(await tokens.authenticate(hashSecret(token), Date.now(), byClient)).toBeDefined();
}

function callWith(fields: Readonly<Record<string, string>>): OperationCall {
  return { headers: form, body: new URLSearchParams(fields).toString() };
}

function refreshCall({ id }: Client, { refreshToken }: IssuedTokens): OperationCall {
  return callWith({ grant_type: "refresh_token", client_id: id, refresh_token: refreshToken });
}

async function givenClient(): Promise<Client> {
  const metadata = { name: "Given", redirectUris: [redirectUri] };
  return { id: await sealClientId(metadata), ...metadata };
}

const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");

function queryOf({ id }: Client): string {
  return new URLSearchParams({
    response_type: "code",
    client_id: id,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
  }).toString();
}

/** Creates an authorization request that awaits the decision of a world's owner, who is signed in. */
async function givenRequest(world: World) {
  const { browser, reference } = await givenOwner(world);
  const client = await givenClient();
  const id = await authorizationRequests.store(queryOf(client), Date.now());
  world.partitions.add(keys.authorizationRequest(id).pk);
  return { browser, reference, client, id };
}

async function givenDecision(world: World, decision: "allow" | "deny"): Promise<OperationCall> {
  const { browser, reference, id } = await givenRequest(world);
  const proof = (await formProofs(reference))(`/oauth/authorize?${id}`);
  const { headers, body } = callWith({ [proofField]: proof, request: id, decision });
  const { origin } = new URL(process.env.BASE_URL ?? "");
  return { browser, headers: { ...headers, origin }, body: body ?? "" };
}

async function givenCode(world: World) {
  const { client, id } = await givenRequest(world);
  const asked = { client, redirectUri, state: undefined, codeChallenge, scope: "drops" } as const;
  const outcome = await authorizationRequests.allow(id, asked, { userId: world.userId }, givenAct(), []);
  if (typeof outcome === "string") throw new Error(`The given request is ${outcome}.`);
  world.partitions.add(keys.authorizationCode(hashSecret(outcome.code)).pk);
  return { client, code: outcome.code };
}

async function givenGrant(world: World): Promise<{ readonly client: Client; readonly issued: IssuedTokens }> {
  const { client, code } = await givenCode(world);
  const [found, tokenQuota] = [await findCode(code), await findTokenQuota(world.userId, Date.now())];
  if (found === undefined || tokenQuota === undefined) throw new Error("The given code is not there.");
  const issued = await grants.redeem(found, tokenQuota, givenAct(), randomInt);
  if (typeof issued === "string") throw new Error(`The given code is ${issued}.`);
  const refresh = await findRefreshToken(issued.refreshToken);
  world.partitions.add(keys.refreshToken(refresh?.hash ?? "").pk);
  return { client, issued };
}
