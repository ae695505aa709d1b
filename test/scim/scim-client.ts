import { join } from "node:path";
import { expect } from "vitest";
import type { Settings } from "../../lib/settings.ts";
import {
  createScimTokenCommand,
  listScimTokensCommand,
  revokeScimTokenCommand,
} from "../../scripts/operator/scim.ts";
import { openService } from "../../scripts/operator/service.ts";
import { runCommand } from "../operator/given-service.ts";
import { fetchPage, useService } from "../support/http.ts";
import { type RunningService, type ServiceOptions, startService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";
export const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A response of /scim/v2. */
export interface ScimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body, of any shape. */
  // biome-ignore lint/suspicious/noExplicitAny: of any shape
  readonly body: any;
}

let dataDirectory = "";

/** Starts a service whose members are a group of the directory and a domain. The tests of this process use it. */
export async function startScimService(
  more: Settings = {},
  options: Pick<ServiceOptions, "identityProvider"> = {},
): Promise<RunningService> {
  const service = await startService({
    ...options,
    fileSettings: {
      ingest: "none",
      members: { emailDomains: ["example.com"], groups: ["Publishers"] },
      ...more,
    },
  });
  useService(service);
  dataDirectory = join(service.directory, "data");
  await openService({ local: dataDirectory });
  return service;
}

/** Runs `npm run operator -- scim-token …`. */
export function scimToken(...[name, ...words]: readonly string[]) {
  const all = [createScimTokenCommand, listScimTokensCommand, revokeScimTokenCommand];
  const command = all.find((one) => one.name === `scim-token ${name}`);
  if (command === undefined) throw new Error(`There is no command scim-token ${name}.`);
  return runCommand(command, { dataDirectory }, words);
}

/** Creates a token with the operator's command. */
export async function createToken(): Promise<{ readonly id: string; readonly plaintext: string }> {
  const { lines } = await scimToken("create");
  const [, id = "", plaintext = ""] = /^Token (\w+): (scim_\w+)$/m.exec(lines.join("\n")) ?? [];
  expect(plaintext).not.toBe("");
  return { id, plaintext };
}

/** A directory that provisions people and groups with its token. */
export class Directory {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimResponse> {
    const response = await fetchPage(`/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: "application/scim+json",
        "content-type": "application/scim+json; charset=utf-8",
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const { status, text } = response;
    const isJson = (response.headers["content-type"] ?? "").includes("json");
    return {
      status,
      text,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
  }

  /** Creates a user and returns the id. */
  async createUser(userName: string, more: object = {}): Promise<string> {
    const { status, body } = await this.send("POST", "/Users", userOf(userName, more));
    expect(status).toBe(201);
    return body.id;
  }

  /** Creates a group and returns its id. */
  async createGroup(displayName: string, members: readonly string[] = []): Promise<string> {
    const sent = { schemas: [groupSchema], displayName, members: members.map((value) => ({ value })) };
    const { status, body } = await this.send("POST", "/Groups", sent);
    expect(status).toBe(201);
    return body.id;
  }

  patch(path: string, operations: readonly object[], headers: Readonly<Record<string, string>> = {}) {
    return this.send("PATCH", path, { schemas: [patchSchema], Operations: operations }, headers);
  }

  /** Sets a user's status as Okta does. */
  async setActive(id: string, active: boolean): Promise<void> {
    const { status, body } = await this.patch(`/Users/${id}`, [{ op: "replace", value: { active } }]);
    expect([status, body.active]).toEqual([200, active]);
  }
}

/** A user resource as a directory sends it. */
export function userOf(userName: string, more: object = {}) {
  return {
    schemas: [userSchema],
    userName,
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [{ primary: true, value: userName, type: "work" }],
    displayName: "Ada Lovelace",
    active: true,
    ...more,
  };
}

/** Makes an address that is not in use. */
export const unusedAddress = () => `${unusedUsername("ada")}@example.com`;

/** Data folder of this process's service. */
export const scimDataDirectory = () => dataDirectory;
