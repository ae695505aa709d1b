import { expect } from "vitest";
import { compareCounts } from "../../scripts/operator/upkeep/recount.ts";
import { type GivenPerson, givenPerson } from "../abuse/given-person.ts";
import { baseUrl } from "../support/http.ts";
import type { Call, Observation } from "./call.ts";
import type { Intent } from "./intents/intent.ts";
import { judge } from "./judge.ts";
import { describeObservation, observe } from "./observe.ts";
import { pageBytesOf } from "./rules/trash-rules.ts";
import { type AccountState, nothing, ownerAddress, type TokenState } from "./state.ts";

/** Calls that were made since the start, of all players: how often each operation had each status. */
const outcomes = new Map<string, number>();

/** So many calls were made and judged. */
export function callsJudged(): number {
  return [...outcomes.values()].reduce((sum, count) => sum + count, 0);
}

/** Such as `publish-drop 201`, or `publish-drop 201 by tool`: what came of the calls. */
export function outcomesJudged(): ReadonlySet<string> {
  return new Set(outcomes.keys());
}

/** How long a run goes on, and what it can be repeated with. */
export interface PlayLength {
  /** Calls to be made and judged at least. */
  readonly calls: number;
  readonly seed: number;
}

/** How long so many calls may take on a busy machine, with the time to make shorter what fails. */
export function playMsMax(calls: number): number {
  return 300_000 + calls * 1_000;
}

/** The last calls that a failure is told with. */
const toldCallsMax = 12;

/** Somebody who uses the service, beside what the model says that they have. */
export class Player {
  readonly person: GivenPerson;
  state: AccountState;
  readonly #told: string[] = [];

  private constructor(person: GivenPerson, state: AccountState) {
    this.person = person;
    this.state = state;
  }

  /** A person whom the service has not met, with so many tokens. */
  static async begin(name: string, tokenCount: number): Promise<Player> {
    const fromMs = Date.now();
    const person = await givenPerson(name, tokenCount);
    const made = { from: fromMs, to: Date.now() };
    const tokens = person.clients.map(({ token = "" }): TokenState => {
      const times = { createdAtMs: made, lastUsedAtMs: made };
      return { plaintext: token, id: undefined, label: null, ...times, minute: undefined, isRevoked: false };
    });
    const { namespace, userId } = person;
    const player = new Player(person, { ...nothing, baseUrl: baseUrl(), namespace, userId, tokens });
    // Each tells its id and its times.
    for (const { plaintext: token } of tokens) await player.make({ operation: "get-me", token });
    return player;
  }

  /** Does what is intended, and goes on with what the model says of it. */
  perform(intent: Intent, other: Player): Promise<void> {
    return this.make(intent.toCall(this.state, other.state));
  }

  /** Makes a call, and judges its response. */
  async make(call: Call): Promise<void> {
    const [observation] = await this.observeAll([call]);
    try {
      if (observation) this.state = judge(this.state, observation);
    } catch (error) {
      throw this.withLastCalls(error);
    }
  }

  /** Makes calls at once, for the caller to judge. */
  async observeAll(calls: readonly Call[]): Promise<Observation[]> {
    const observations = await Promise.all(calls.map(observe));
    for (const { call, response } of observations) {
      const outcome = `${call.operation} ${response.status}${call.byTool ? " by tool" : ""}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    this.#told.push(...observations.map(describeObservation));
    return observations;
  }

  /** The same error, with what led to it. */
  withLastCalls(error: unknown): Error {
    const told = this.#told.slice(-toldCallsMax).join("\n");
    const { namespace } = this.person;
    return new Error(`${(error as Error).message}\n\nThe last calls of ${namespace}:\n${told}`, {
      cause: error,
    });
  }

  /** Reads back all that there is. Needs a token that is good. */
  async readEverything(): Promise<void> {
    const token = this.state.tokens.findLast(({ isRevoked }) => !isRevoked)?.plaintext;
    if (token === undefined) return;
    for (const call of callsReadingBack(this.state, token)) await this.make(call);
  }

  /** Compares the counters that quotas go by with what the model has. */
  expectCountersRight(): Promise<void> {
    return expectCountersOf(this.state);
  }

  /** Waits until every view of a page has been counted, and none more. */
  async expectViewsCounted(): Promise<void> {
    const token = this.state.tokens.findLast(({ isRevoked }) => !isRevoked)?.plaintext;
    if (token === undefined) return;
    const uncounted = () => this.state.drops.filter(({ views }) => views.from !== views.to);
    const look = async () => {
      for (const { slug } of uncounted()) await this.make({ operation: "get-drop", token, params: { slug } });
      return uncounted().map(({ slug, views }) => ({ slug, views }));
    };
    await expect.poll(look).toEqual([]);
  }
}

/** Calls that read back all that an account has. None of them changes what there is. */
export function callsReadingBack(state: AccountState, token: string): Call[] {
  const owner = ownerAddress(state);
  const pageSize = ["pageSize", "200"] as const;
  return [
    ...(["get-me", "get-usage", "list-tokens"] as const).map((operation) => ({ operation, token })),
    { operation: "list-trash", token, query: [pageSize] },
    ...["created_at", "updated_at"].map(
      (sortBy): Call => ({ operation: "list-drops", token, query: [["sortBy", sortBy], pageSize] }),
    ),
    ...state.drops.flatMap(({ slug, versions, namespace = state.namespace }): Call[] => [
      { operation: "list-versions", token, params: { slug } },
      ...versions.map(({ version }): Call => {
        const host = ownerAddress({ ...state, namespace });
        return { operation: "read-raw-page", address: `${host}/p/${slug}/raw?v=${version}&read=back` };
      }),
    ]),
    // As a browser asks, which gets a page where there is nothing for it.
    ...state.blobs.map(
      ({ id }): Call => ({
        operation: "serve-blob",
        address: `${owner}/b/${id}`,
        headers: { accept: "text/html" },
      }),
    ),
    { operation: "show-owner-page", address: `${owner}/` },
  ];
}

/** Compares the counters of an account in the table, at the address where it was first found, with what the model has. */
export async function expectCountersOf({
  trash,
  blobs,
  userId,
  expired,
  ...state
}: AccountState): Promise<void> {
  const drops = [...state.drops, ...expired];
  const trashBytes = sumOf(trash.map(({ drop }) => pageBytesOf(drop)));
  const files = blobs.map(({ bytes }) => Buffer.byteLength(bytes));
  expect((await compareCounts(userId, false))?.stored).toEqual({
    dropCount: drops.length,
    pageBytes: sumOf(drops.map(pageBytesOf)) + trashBytes,
    trashBytes,
    blobCount: blobs.length,
    blobBytes: sumOf(files),
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
