import { fetchPage } from "./http.ts";

/** A token of `DROPLEAF_TOKENS`, with the person whose it is. */
export interface GivenToken {
  readonly token: string;
  readonly userId: string;
}

let unused: Promise<GivenToken[]> | undefined;
const usedPeople = new Set<string>();

/** Tokens were given, since a script cannot sign in to a deployed service. */
export function hasGivenTokens(): boolean {
  return (process.env.DROPLEAF_TOKENS ?? "") !== "";
}

/**
 * Takes a given token that this test file has not used: of a person whom the file has not used either, or of the
 * same person when `userId` says so.
 */
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

/** The tokens, those of whoever has most of them first; in an order of chance, since each has 500 writes a day. */
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
