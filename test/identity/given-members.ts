import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect } from "vitest";
import { deviceCodes } from "../../functions/identity/device-codes.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import { createDeviceCode, createPollToken, hashSecret } from "../../functions/table/identifiers.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { queryAll } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import type { Settings } from "../../lib/settings.ts";
import {
  addMembersCommand,
  listMembersCommand,
  removeMemberCommand,
} from "../../scripts/operator/members/members.ts";
import { openService } from "../../scripts/operator/service.ts";
import { runCommand } from "../operator/given-service.ts";
import { ApiClient } from "../support/client.ts";
import { useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { continueToProvider, pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { type Visit, Visitor } from "../support/visitor.ts";

const callbackPath = "/api/auth/idp/callback";
/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000;

let dataDirectory = "";

/** Starts a service for members. The tests of this process use it and access its stores. */
export async function startMembersService(
  more: Partial<Settings> = {},
  { environmentsPerFunction = 1 } = {},
): Promise<RunningService> {
  const service = await startService({
    environmentsPerFunction,
    fileSettings: {
      ingest: "none",
      securityContact: "mailto:operators@example.com",
      tokenDaysMax: 30,
      members: {
        emailDomains: ["example.com"],
        githubOrganizations: ["Example-Inc"],
        groups: ["publishers"],
      },
      ...more,
    },
  });
  useService(service);
  dataDirectory = join(service.directory, "data");
  await openService({ local: dataDirectory });
  return service;
}

/** The provider's claims about a person. */
export interface Facts {
  readonly username?: string;
  readonly email?: string;
  readonly email_verified?: string;
  readonly groups?: string;
}

/** Signs in at the provider. The callback is opened later, by `comeBack`. */
export async function signInAtProvider(facts: Facts) {
  const start = await startSignIn();
  const visitor = new Visitor();
  const form = await continueToProvider(visitor, start);
  const fields = { username: unusedUsername("ada"), ...facts };
  const back = await visitor.submit(form, fields, { stopAt: callbackPath });
  return {
    ...fields,
    start,
    comeBack: (headers: Record<string, string> = {}): Promise<Visit> =>
      visitor.request(back.url, { headers }),
  };
}

/** Runs the whole sign-in. Returns the callback's response and the result that the agent polls. */
export async function signInAs(facts: Facts) {
  const signIn = await signInAtProvider(facts);
  const { response } = await signIn.comeBack();
  const poll = await pollSignIn(signIn.start.poll_token);
  return { ...signIn, response, poll };
}

/** Runs `npm run operator -- members …`. */
export function members(...[name, ...words]: readonly string[]) {
  const all = [addMembersCommand, removeMemberCommand, listMembersCommand];
  const command = all.find((one) => one.name === `members ${name}`);
  if (command === undefined) throw new Error(`There is no command members ${name}.`);
  return runCommand(command, { dataDirectory }, words);
}

/** Signs in as a member and returns the client with the agent's token. */
export async function memberAs(facts: Facts) {
  const { username, poll, response } = await signInAs(facts);
  expect([response.status, poll.status]).toEqual([200, "verified"]);
  return { username, userId: poll.user_id ?? "", api: new ApiClient(poll.api_token) };
}

/** Status of a call with the member's token: 200 or 401. */
export const statusOf = async (api: ApiClient) => (await api.call("get-me")).status;

/** A person whom a rule admits by the domain of their address. */
export function ofTheDomain(): Facts & { readonly email: string } {
  return { email: `${unusedUsername("ada")}@example.com`, ...verified };
}

/** The claim as the local provider writes it. */
export const verified = { email_verified: "true" };

/** A person as the provider describes them, with overrides. */
export function identityOf(facts: Partial<Identity>): Identity {
  const id = randomUUID();
  const none = { emails: [], groups: [], organizations: [] };
  return { provider: "https://id.example.com", id, username: unusedUsername("racer"), ...none, ...facts };
}

/** Creates a device code whose sign-in is pending. */
export async function pendingCode(): Promise<string> {
  const random = (exclusiveMax: number) => Math.floor(Math.random() * exclusiveMax);
  const code = createDeviceCode(random);
  await deviceCodes.start({
    state: "pending",
    code,
    label: null,
    scope: "all",
    pollTokenHash: hashSecret(createPollToken(random)),
    codeVerifier: "verifier",
    expiresAtMs: Date.now() + 60_000,
  });
  return code;
}

/** Moves the creation of a person's only token back by so many days. */
export async function age(userId: string, days: number, { isFromBefore = false } = {}): Promise<void> {
  const [row] = await queryAll(ranges.tokenRows(userId));
  const createdAtMs = Date.now() - days * dayMs;
  await updateItem({
    key: keys.token(row?.hash as string),
    update: `SET createdAtMs = :made${isFromBefore ? " REMOVE expiresAtMs, #ttl" : ", expiresAtMs = :end"}`,
    condition: "attribute_exists(pk)",
    ...(isFromBefore ? { names: { "#ttl": "ttl" } } : {}),
    values: { ":made": createdAtMs, ...(isFromBefore ? {} : { ":end": createdAtMs + 30 * dayMs }) },
  });
}
