import fc from "fast-check";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import { givenToken } from "../abuse/given-person.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { type Call, isStepBetween } from "./call.ts";
import { intentOfTeams } from "./intents/every-intent.ts";
import type { Intent } from "./intents/intent.ts";
import { judgeTeams } from "./judge-teams.ts";
import {
  callsJudged,
  callsReadingBack,
  expectCountersOf,
  Player,
  type PlayLength,
  playMsMax,
} from "./player.ts";
import { type Accounts, withAccount } from "./rules/team-rules.ts";
import { type AccountState, type PersonState, personOf, type TokenState } from "./state.ts";

/** Callers by their permissions. */
const callers = [
  ...(["one person", "another person", "a person for the team", "another person for the team"] as const),
  ...(["a token that publishes", "a token that reads", "a service token"] as const),
];
type Caller = (typeof callers)[number];

/** A caller's planned call. */
interface Step {
  readonly caller: Caller;
  readonly intent: Intent;
}

const step: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...callers), intentOfTeams)
  .map(([caller, intent]) => ({
    ...{ caller, intent },
    [fc.toStringMethod]: () => `${caller}: ${intent.words}`,
  }));

/**
 * Makes sequential calls of two people and their team, with service tokens and tokens of narrow scope, until `calls` calls were
 * made. fast-check shrinks a failure and reports it with its seed.
 */
export async function playOneTeam({ calls, seed }: PlayLength): Promise<void> {
  const until = callsJudged() + calls;
  let hasFailed = false;
  const property = fc.asyncProperty(
    // Without bias, because the first runs would have few steps and find little.
    fc.noBias(fc.array(step, { maxLength: 120, size: "max" })),
    async (steps) => {
      if (callsJudged() >= until && !hasFailed) return;
      const players = await TeamPlayers.begin();
      try {
        for (const one of steps) await players.take(one);
        await players.readEverything();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
  );
  await fc.assert(property, {
    seed,
    // More than are needed. Runs after the last call do nothing.
    numRuns: Math.ceil(calls / 10),
    interruptAfterTimeLimit: playMsMax(calls),
  });
}

/** Two people and their team, with their state in the model. */
class TeamPlayers {
  /** Makes the calls, and reports the last ones of a failure. */
  readonly #teller: Player;
  accounts: Accounts;

  private constructor(teller: Player, accounts: Accounts) {
    this.#teller = teller;
    this.accounts = accounts;
  }

  /** Creates an owner and an editor of a new team, with tokens of every scope. */
  static async begin(): Promise<TeamPlayers> {
    const [one, other] = await Promise.all([Player.begin("owner", 2), Player.begin("editor", 2)]);
    const players = new TeamPlayers(one, [one.state, other.state]);
    const namespace = unusedUsername("team");
    const token = one.state.tokens[0]?.plaintext ?? "";
    const editors = [other.state.namespace];
    await players.make({ operation: "create-team", token, body: { namespace, editors } }, one.state);
    const params = { namespace };
    const body = { label: "Nightly report" };
    await players.make({ operation: "create-team-token", token, params, body }, one.state);
    // The response contains the team's id.
    const service = players.#accountOf(namespace).tokens[0]?.plaintext ?? "";
    await players.make({ operation: "get-me", token: service }, one.state);
    for (const person of [one.state, other.state, one.state, other.state])
      await players.#addToken(namespace, "all", personOfAccount(person));
    await players.#addToken(namespace, "publish", personOfAccount(other.state));
    await players.#addToken(namespace, "read", personOfAccount(one.state));
    await players.#addToken(one.state.namespace, "publish");
    await players.#addToken(other.state.namespace, "read");
    return players;
  }

  /** Makes a caller's planned call, with one of the caller's tokens. */
  async take({ caller, intent }: Step): Promise<void> {
    const [account, token] = this.#tokenOf(caller);
    const others = this.accounts.filter((one) => one !== account);
    const other = others[intent.words.length % others.length] ?? account;
    const call = intent.toCall(account, other, this.accounts);
    const isGood = account.tokens.some(({ plaintext, isRevoked }) => plaintext === call.token && !isRevoked);
    await this.make(possible(isGood ? { ...call, token: token.plaintext } : call, account, token), account);
  }

  /** Makes a call, and judges its response. */
  async make(call: Call, acting: AccountState): Promise<void> {
    const [observation] = await this.#teller.observeAll([call]);
    try {
      if (observation)
        this.accounts = judgeTeams(this.accounts, observation, this.#accountOf(acting.namespace));
    } catch (error) {
      throw this.#teller.withLastCalls(error);
    }
  }

  /** Reads every account that still has a good token, and compares the counters of its quotas. */
  async readEverything(): Promise<void> {
    for (const { namespace } of this.accounts) {
      const account = this.#accountOf(namespace);
      const token = account.tokens.find((one) => !one.isRevoked && mayAct(account, one));
      if (token === undefined) continue;
      for (const call of callsReadingBack(account, token.plaintext)) await this.make(call, account);
      await expectCountersOf(this.#accountOf(namespace));
    }
  }

  /** Returns the caller's token with the fewest writes, or anyone's for a caller without a token. */
  #tokenOf(caller: Caller): readonly [AccountState, TokenState] {
    const [one, other] = this.accounts;
    const all = this.accounts.flatMap((account) =>
      account.tokens.flatMap((token) => (token.isRevoked ? [] : [[account, token] as const])),
    );
    const isOf = ([account, token]: (typeof all)[number]) => {
      const { person, scope = "all" } = token;
      const isFor = (who: AccountState | undefined) => person?.userId === who?.userId && scope === "all";
      switch (caller) {
        case "one person":
          return account === one && scope === "all";
        case "another person":
          return account === other && scope === "all";
        case "a person for the team":
          return isFor(one);
        case "another person for the team":
          return isFor(other);
        case "a token that publishes":
          return scope === "publish";
        case "a token that reads":
          return scope === "read";
        case "a service token":
          return person === null;
      }
    };
    const candidates = all.some(isOf) ? all.filter(isOf) : all;
    const [first] = candidates.toSorted(([, a], [, b]) => (a.minute?.count ?? 0) - (b.minute?.count ?? 0));
    if (first === undefined) throw new Error("Every token was revoked.");
    return first;
  }

  /** Adds a token like a sign-in, and reads its id. */
  async #addToken(namespace: string, scope: TokenScope, person?: PersonState): Promise<void> {
    const account = this.#accountOf(namespace);
    const from = Date.now();
    const personId = person === undefined ? {} : { personId: person.userId };
    const plaintext = await givenToken(account.userId, { scope, ...personId });
    const made = { from, to: Date.now() };
    const times = { createdAtMs: made, lastUsedAtMs: made };
    const facts = { plaintext, id: undefined, label: null, scope, person };
    const token: TokenState = { ...facts, ...times, minute: undefined, isRevoked: false };
    this.accounts = withAccount(this.accounts, { ...account, tokens: [...account.tokens, token] });
    await this.make({ operation: "get-me", token: plaintext }, account);
  }

  #accountOf(namespace: string): AccountState {
    const found = this.accounts.find((one) => one.namespace === namespace);
    if (found === undefined) throw new Error(`The model has no account ${namespace}.`);
    return found;
  }
}

/** Reads an account whose id is not known yet instead of a step. A sign-in for a team is made by the token's person. */
function possible(call: Call, account: AccountState, token: TokenState): Call {
  if (!isStepBetween(call.operation) || call.operation === "send-file") return call;
  if (account.userId === "") return { operation: "get-me", token: token.plaintext };
  if (call.operation !== "confirm-sign-in" || account.team === undefined) return call;
  const person = token.person;
  if (!person) return { operation: "get-me", token: token.plaintext };
  return { ...call, params: { ...call.params, personId: person.userId, personName: person.name } };
}

function personOfAccount({ userId, namespace }: AccountState): PersonState {
  return { userId, name: namespace };
}

/** Checks if the person of a token may currently act for its account. */
function mayAct(account: AccountState, token: TokenState): boolean {
  const person = personOf(account, token);
  return account.team === undefined || person === null || account.team.people[person.name] !== undefined;
}
