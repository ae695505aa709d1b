import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { hashSecret, type RandomInt, randomBase62 } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";

/** Bearer token of a SCIM client. Its plaintext is shown once and never stored. */
interface ScimToken {
  readonly id: string;
  readonly hash: string;
  readonly createdAtMs: number;
}

/** Maximum number of tokens. With two tokens, a directory can use a new token before the old token is revoked. */
export const scimTokensMax = 2;

const attemptsMax = 5;

/** Stores the tokens of SCIM clients in one table item. Without a token, SCIM is turned off. */
export const scimTokens = {
  async list(): Promise<readonly ScimToken[]> {
    return ((await getItem(keys.scimTokens()))?.tokens ?? []) as ScimToken[];
  },

  /** Creates a token. Returns undefined if the maximum number of tokens already exists. */
  async create(
    act: Act,
    randomInt: RandomInt,
  ): Promise<{ readonly token: ScimToken; readonly plaintext: string } | undefined> {
    const plaintext = `scim_${randomBase62(randomInt, 43)}`;
    const id = randomBase62(randomInt, 12);
    const token = { id, hash: hashSecret(plaintext), createdAtMs: act.atMs };
    const isCreated = await changeTokens(act, (all) =>
      all.length < scimTokensMax ? [...all, token] : undefined,
    );
    return isCreated ? { token, plaintext } : undefined;
  },

  /** Revokes a token. Returns false if the token does not exist. */
  async revoke(id: string, act: Act): Promise<boolean> {
    return changeTokens(act, (all) =>
      all.some((token) => token.id === id) ? all.filter((token) => token.id !== id) : undefined,
    );
  },
};

/** Stores the tokens that `change` returns, with an audit entry. Returns false if `change` returns undefined. */
async function changeTokens(
  act: Act,
  change: (all: readonly ScimToken[]) => readonly ScimToken[] | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const item = await getItem(keys.scimTokens());
    const next = change((item?.tokens ?? []) as ScimToken[]);
    if (next === undefined) return false;
    const revision = (item?.revision ?? 0) as number;
    const outcome = await transact([
      {
        put: { ...keys.scimTokens(), tokens: next, revision: revision + 1 },
        condition: item === undefined ? "attribute_not_exists(pk)" : "revision = :revision",
        ...(item === undefined ? {} : { values: { ":revision": revision } }),
      },
      auditWrite(act, {}),
    ]);
    if (outcome.committed) return true;
  }
  throw new Error("Other commands changed the SCIM tokens at the same time. Run the command again.");
}
