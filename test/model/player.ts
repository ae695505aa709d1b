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

/** Number of calls of all players, by operation and status. */
const outcomes = new Map<string, number>();

/** Returns the number of judged calls. */
export function callsJudged(): number {
  return [...outcomes.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the outcomes of the calls, such as `publish-drop 201` or `publish-drop 201 by tool`. */
export function outcomesJudged(): ReadonlySet<string> {
  return new Set(outcomes.keys());
}

/** Length of a run, and the seed to repeat it. */
export interface PlayLength {
  /** Minimum number of judged calls. */
  readonly calls: number;
  readonly seed: number;
}

/** Time limit for `calls` calls on a busy machine, including the shrinking of a failure. */
export function playMsMax(calls: number): number {
  return 300_000 + calls * 1_000;
}

/** Number of last calls in the report of a failure. */
const toldCallsMax = 12;

/** A person who uses the service, with their state in the model. */
export class Player {
  readonly person: GivenPerson;
  state: AccountState;
  readonly #told: string[] = [];

  private constructor(person: GivenPerson, state: AccountState) {
    this.person = person;
    this.state = state;
  }

  /** Creates a new person with `tokenCount` tokens. */
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
    // Each response contains the token's id and times.
    for (const { plaintext: token } of tokens) await player.make({ operation: "get-me", token });
    return player;
  }

  /** Makes a planned call, and continues with the state that the model returns. */
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

  /** Makes concurrent calls, without judging them. */
  async observeAll(calls: readonly Call[]): Promise<Observation[]> {
    const observations = await Promise.all(calls.map(observe));
    for (const { call, response } of observations) {
      const outcome = `${call.operation} ${response.status}${call.byTool ? " by tool" : ""}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    this.#told.push(...observations.map(describeObservation));
    return observations;
  }

  /** Adds the last calls to an error. */
  withLastCalls(error: unknown): Error {
    const told = this.#told.slice(-toldCallsMax).join("\n");
    const { namespace } = this.person;
    return new Error(`${(error as Error).message}\n\nThe last calls of ${namespace}:\n${told}`, {
      cause: error,
    });
  }

  /** Reads everything of the account, if it has a good token. */
  async readEverything(): Promise<void> {
    const token = this.state.tokens.findLast(({ isRevoked }) => !isRevoked)?.plaintext;
    if (token === undefined) return;
    for (const call of callsReadingBack(this.state, token)) await this.make(call);
  }

  /** Compares the counters of quotas with the model. */
  expectCountersRight(): Promise<void> {
    return expectCountersOf(this.state);
  }

  /** Waits until exactly the views of all pages are counted. */
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

/** Returns calls that read everything of an account. None of them changes anything. */
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
    // Requests like a browser, which gets an error page for a missing file.
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

/** Compares the counters of an account in the table with the model. */
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
