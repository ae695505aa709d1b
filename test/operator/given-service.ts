import { randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { deviceCodes } from "../../functions/identity/device-codes.ts";
import { claimToken } from "../../functions/identity/token-claim.ts";
import { accounts } from "../../functions/people/accounts.ts";
import { createDeviceCode, createPollToken, hashSecret } from "../../functions/table/identifiers.ts";
import type { Command } from "../../scripts/operator/command.ts";
import { type PublicResponse, sendPublic } from "../../scripts/operator/public-request.ts";
import { openService, type Service } from "../../scripts/operator/service.ts";
import { givenAct } from "../support/given-act.ts";
import { unusedUsername } from "../support/sign-in.ts";

/** The service of this test run, which operators' commands find by its data folder. */
export interface GivenService {
  readonly service: Service;
  readonly dataDirectory: string;
  /** The service's log, in the same format as in AWS. */
  readonly logFile: string;
}

/** Opens the service of this test run, or of another folder. The stores in this process then use its data. */
export async function openGivenService(directory = inject("serviceDirectory")): Promise<GivenService> {
  const dataDirectory = join(directory, "data");
  const service = await openService({ local: dataDirectory });
  return { service, dataDirectory, logFile: join(directory, "log.txt") };
}

/** Creates a folder that is removed after the file's tests. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-operator-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A person with an account and a token. */
export class Owner {
  readonly userId: string;
  readonly namespace: string;
  readonly token: string;
  /** Slugs of all drops that were published with this object, also deleted ones. */
  readonly slugs: string[] = [];
  readonly #baseUrl: string;

  constructor(baseUrl: string, account: { userId: string; namespace: string }, token: string) {
    this.#baseUrl = baseUrl;
    this.userId = account.userId;
    this.namespace = account.namespace;
    this.token = token;
  }

  call(method: string, path: string, body?: unknown): Promise<PublicResponse> {
    return sendPublic(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        "content-type": "application/json",
        // Stored responses are a part of the account that operators' commands must include.
        ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that must succeed and returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request.
  async json(method: string, path: string, body?: unknown): Promise<any> {
    const response = await this.call(method, path, body);
    const text = response.body.toString();
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Moves a drop into the trash and purges it. */
  async deleteForGood(slug: string): Promise<void> {
    for (const place of ["drops", "trash"]) await this.json("DELETE", `/api/${place}/${slug}`);
  }

  /** Publishes a page and returns its slug. */
  async publish(html: string, more: object = {}): Promise<string> {
    const { slug } = await this.json("POST", "/api/drops", { title: "A page", html, ...more });
    this.slugs.push(slug);
    return slug;
  }

  /** Uploads a file and returns its id. */
  async upload(content: string, filename = "note.txt"): Promise<string> {
    const response = await sendPublic(`${this.#baseUrl}/api/blobs?filename=${encodeURIComponent(filename)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "text/plain" },
      body: content,
    });
    if (response.status !== 201) throw new Error(`Uploading answered ${response.status}: ${response.body}`);
    return (JSON.parse(response.body.toString()) as { id: string }).id;
  }
}

/** Creates an owner with a unique user name, because other test files use the same service. */
export function newOwner(service: Service, name: string): Promise<Owner> {
  return givenOwner(service, unusedUsername(name));
}

/** Signs a person in. A new user name creates a new account. */
export async function givenOwner({ baseUrl }: Service, username: string): Promise<Owner> {
  const nowMs = Date.now();
  const random = (exclusiveMax: number) => randomInt(exclusiveMax);
  const identity = { provider: "https://id.example.com", id: `id of ${username}`, username };
  const account = await accounts.findOrCreate(identity, random, givenAct(nowMs));
  const plaintext = await givenToken(account, nowMs);
  return new Owner(baseUrl, account, plaintext);
}

/** Creates another token of an account. */
export async function givenToken({ userId }: { userId: string }, nowMs: number): Promise<string> {
  const random = (exclusiveMax: number) => randomInt(exclusiveMax);
  const code = createDeviceCode(random);
  const facts = {
    label: "an agent",
    scope: "all",
    pollTokenHash: hashSecret(createPollToken(random)),
    codeVerifier: "",
    expiresAtMs: nowMs + 60_000,
  } as const;
  await deviceCodes.start({ ...facts, code, state: "pending" });
  await deviceCodes.verify(code, { userId }, givenAct(nowMs));
  const claim = await claimToken({ ...facts, code, userId, state: "verified" }, givenAct(nowMs), random);
  if (claim.kind !== "claimed") throw new Error(`The claim of the code is ${claim.kind}.`);
  return claim.plaintext;
}

/** Runs an operator's command, with the same text for each question. Returns its output and if it succeeded. */
export async function runCommand(
  command: Command,
  { dataDirectory }: Pick<GivenService, "dataDirectory">,
  words: readonly string[],
  options: Readonly<Record<string, string | boolean>> = {},
  typed = "",
): Promise<{ readonly isWell: boolean; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const terminal = { print, report: print, ask: async () => typed };
  const all: Readonly<Record<string, string | boolean>> = { local: dataDirectory, ...options };
  const args = Object.entries(all).flatMap(([name, value]) => {
    // Some commands need no service, and some need no confirmation.
    const isLeftOut = value === false || (["local", "yes"].includes(name) && !(name in command.options));
    return isLeftOut ? [] : [value === true ? `--${name}` : `--${name}=${value}`];
  });
  const isWell = await command.execute([...words, ...args], terminal);
  return { isWell, lines };
}

/** Returns the statuses of URLs for anonymous requests. */
export async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  return Promise.all(addresses.map(async (address) => (await sendPublic(address)).status));
}
