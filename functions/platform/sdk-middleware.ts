/** A client of the SDK, as far as this needs it. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * What every client of the SDK does for each command and nobody has anything of: docs/adr/0036-what-the-sdk-does-without.md.
 * The logger's goes through every item of a response, for a logger that writes nothing; the other says to AWS by which
 * versions of what it is asked.
 */
export const needlessMiddleware = ["loggerMiddleware", "getUserAgentMiddleware"] as const;

/** Lets a client do no more for its commands than they need. Every client of a function goes through here. */
export function withoutNeedlessMiddleware<SdkClient extends Client>(client: SdkClient): SdkClient {
  for (const name of needlessMiddleware) client.middlewareStack.remove(name);
  return client;
}
