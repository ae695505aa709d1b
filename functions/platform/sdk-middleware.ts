/** A client of the SDK, as far as this needs it. */
interface Client {
  readonly config: object;
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * What every client of the SDK does for each command and nobody has anything of: docs/adr/0036-what-the-sdk-does-without.md.
 * The logger's goes through every item of a response, for a logger that writes nothing; the other says to AWS by which
 * versions of what it is asked.
 */
export const needlessMiddleware = ["loggerMiddleware", "getUserAgentMiddleware"] as const;

/**
 * Lets a client do no more for its commands than they need. Every client of a function goes through here, with a
 * configuration that is quick to copy: each command copies it four times.
 */
export function withoutNeedlessMiddleware<SdkClient extends Client>(client: SdkClient): SdkClient {
  for (const name of needlessMiddleware) client.middlewareStack.remove(name);
  quickenCopies(client.config);
  return client;
}

/** V8 needs so many reads in one place to prepare for more. */
const readsUntilPrepared = 20;

/**
 * Lets V8 keep an object as it keeps most, and not as a hash table, which it made of it for its getter: a copy takes a
 * sixth of the time. It does so for what another object inherits from, once something is read through that.
 *
 * Source: V8's blog, "Setting up prototypes".
 */
function quickenCopies(config: object): void {
  const heir: object & { readonly nothing?: never } = Object.create(config);
  for (let reads = 0; reads < readsUntilPrepared; reads += 1) readNothing(heir);
}

function readNothing(heir: { readonly nothing?: never }): undefined {
  return heir.nothing;
}
