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

/** The service of this run, which the tools for operators reach by its data folder. */
export interface GivenService {
  readonly service: Service;
  readonly dataDirectory: string;
  /** Where it writes what it logs, as it does in AWS. */
  readonly logFile: string;
}

/** Finds it, or the one in another folder; afterwards this process's stores work on it too. */
export async function openGivenService(directory = inject("serviceDirectory")): Promise<GivenService> {
  const dataDirectory = join(directory, "data");
  const service = await openService({ local: dataDirectory });
  return { service, dataDirectory, logFile: join(directory, "log.txt") };
}

/** A folder that is removed after the tests of the file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dropleaf-operator-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Someone with an account and a token. */
export class Owner {
  readonly userId: string;
  readonly namespace: string;
  readonly token: string;
  /** Of all that was published here, whatever has become of it. */
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
        // As careful agents do: answers are kept, which operators' commands must know of.
        ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** A call that must succeed, and its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  async json(method: string, path: string, body?: unknown): Promise<any> {
    const response = await this.call(method, path, body);
    const text = response.body.toString();
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Deletes a drop, and then in the trash. */
  async deleteForGood(slug: string): Promise<void> {
    for (const place of ["drops", "trash"]) await this.json("DELETE", `/api/${place}/${slug}`);
  }

  /** A new page; its slug. */
  async publish(html: string, more: object = {}): Promise<string> {
    const { slug } = await this.json("POST", "/api/drops", { title: "A page", html, ...more });
    this.slugs.push(slug);
    return slug;
  }

  /** A new file; its id. */
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

/** Someone whom nobody else has to do with: the tests of other files are at work on the same service. */
export function newOwner(service: Service, name: string): Promise<Owner> {
  return givenOwner(service, unusedUsername(name));
}

/** Signs someone in: a new user name makes a new account. */
export async function givenOwner({ baseUrl }: Service, username: string): Promise<Owner> {
  const nowMs = Date.now();
  const random = (exclusiveMax: number) => randomInt(exclusiveMax);
  const identity = { provider: "https://id.example.com", id: `id of ${username}`, username };
  const account = await accounts.findOrCreate(identity, random, givenAct(nowMs));
  const plaintext = await givenToken(account, nowMs);
  return new Owner(baseUrl, account, plaintext);
}

/** One more token of an account. */
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

/** Runs a command as the operator would, who answers every question alike; what it printed, and whether all is well. */
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
    // Some commands work on no service, and some ask for no confirmation.
    const isLeftOut = value === false || (["local", "yes"].includes(name) && !(name in command.options));
    return isLeftOut ? [] : [value === true ? `--${name}` : `--${name}=${value}`];
  });
  const isWell = await command.execute([...words, ...args], terminal);
  return { isWell, lines };
}

/** The statuses that everyone sees at some addresses. */
export async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  return Promise.all(addresses.map(async (address) => (await sendPublic(address)).status));
}
