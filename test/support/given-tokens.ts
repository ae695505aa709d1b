import { fetchPage } from "./http.ts";

/** A token of `DROPLEAF_TOKENS` and its owner. */
export interface GivenToken {
  readonly token: string;
  readonly userId: string;
}

let unused: Promise<GivenToken[]> | undefined;
const usedPeople = new Set<string>();

/** Returns whether tokens were given, because a script cannot sign in to a deployed service. */
export function hasGivenTokens(): boolean {
  return (process.env.DROPLEAF_TOKENS ?? "") !== "";
}

/** Takes a given token that this test file has not used yet: of a new person, or of the person with `userId`. */
export async function takeGivenToken(userId?: string): Promise<GivenToken> {
  unused ??= readGivenTokens();
  const available = await unused;
  const isRight = (given: GivenToken) =>
    userId === undefined ? !usedPeople.has(given.userId) : given.userId === userId;
  const index = available.findIndex(isRight);
  const [taken] = index < 0 ? [] : available.splice(index, 1);
  if (taken === undefined) {
    const whose = userId === undefined ? "of another person" : "of the same person";
    throw new Error(`DROPLEAF_TOKENS is used up: this test file needs one more token ${whose}.`);
  }
  usedPeople.add(taken.userId);
  return taken;
}

/**
 * Reads the tokens, starting with the person who has the most. The order is random, because each token has 500 writes
 * a day.
 */
async function readGivenTokens(): Promise<GivenToken[]> {
  const tokens = (process.env.DROPLEAF_TOKENS ?? "").split(",").map((token) => token.trim());
  const given = await Promise.all(tokens.filter((token) => token !== "").map(identify));
  const shuffled = given
    .map((token) => ({ token, chance: Math.random() }))
    .sort((one, other) => one.chance - other.chance);
  const people = Object.values(
    Object.groupBy(
      shuffled.map(({ token }) => token),
      ({ userId }) => userId,
    ),
  );
  return people
    .map((own) => own ?? [])
    .sort((one, other) => other.length - one.length)
    .flat();
}

async function identify(token: string): Promise<GivenToken> {
  const response = await fetchPage("/api/me", { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200)
    throw new Error(`A token of DROPLEAF_TOKENS was refused: ${response.status} ${response.text}`);
  return { token, userId: (JSON.parse(response.text) as { user_id: string }).user_id };
}
