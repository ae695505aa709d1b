import { expect } from "vitest";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { publish } from "../support/accounts.ts";
import { pathOf } from "../support/client.ts";
import { expectErrorPage, expectErrorShape } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { durationMs } from "../support/patience.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

const responseMsMax = 1_000;

/** Text in everything that the stranger published behind a passcode. No response may contain it. */
export const secret = "the-strangers-own-words";

/** All operations with a route on the service's own host. */
export const operations = operationIds.filter(
  (id) => routeOf(id).host !== "owner" && id !== "show-not-found",
);

/** The sender of bad requests, and a stranger whose locked drop must stay hidden. */
export interface AbusedService {
  readonly person: GivenPerson;
  readonly stranger: GivenPerson;
  readonly strangersSlug: string;
  /** Authorization header with one of the sender's tokens. */
  caller(index: number): Record<string, string>;
  /** An operation's URL, filled in with the stranger's slug and namespace. */
  addressOf(id: OperationId): string;
}

/** Creates both people and the stranger's locked drop. */
export async function givenAbusedService(): Promise<AbusedService> {
  await openStores();
  // Invalid requests do not count against write limits, but some generated requests are valid.
  const [person, stranger] = [await givenPerson("input", 8), await givenPerson("stranger")];
  const page = { html: `<p>${secret}</p>`, title: secret, description: secret, context: secret };
  const { slug } = await publish(stranger.api, {
    ...page,
    passcode: `${secret}, spoken`,
    metadata: { secret },
  });
  return {
    person,
    stranger,
    strangersSlug: slug,
    caller: (index) => ({ authorization: `Bearer ${person.clients[index % person.clients.length]?.token}` }),
    addressOf: (id) =>
      pathOf(id, {
        params: {
          slug,
          id: slug,
          namespace: stranger.namespace,
          n: 1,
          thread: 1,
          number: 1,
          reader: "grace@example.com",
          publication: slug,
          path: "index.html",
          proxy: "Users",
          asset: slug,
        },
      }),
  };
}

/** Sends a bad request, and checks that the response is quick, no server error, and reveals no secret. */
export async function abuse(address: string, options: SendOptions): Promise<ReceivedResponse> {
  const startedAtMs = performance.now();
  const response = await fetchPage(address, options);
  const tookMs = performance.now() - startedAtMs;

  const what = `${options.method ?? "GET"} ${address.slice(0, 200)} answered ${response.status}: ${response.text.slice(0, 200)}`;
  expect(response.status, what).toBeLessThan(500);
  if (tookMs >= responseMsMax) {
    // All calls are slow on a busy machine, and so is the first call of a function.
    const again = async () => {
      const usualMs = await durationMs(() => fetchPage("/llms.txt"));
      return (await durationMs(() => fetchPage(address, options))) / Math.max(responseMsMax, 10 * usualMs);
    };
    await expect.poll(again, { message: what }).toBeLessThan(1);
  }
  expect(response.text, what).not.toContain(secret);
  if (response.status >= 400) expectRefusal(response, address, options.method);
  return response;
}

function expectRefusal(response: ReceivedResponse, address: string, method: string | undefined): void {
  if (method === "HEAD") expect(response.text).toBe("");
  else if (response.headers["content-encoding"] !== undefined) {
    expect(response.headers["content-type"]).toMatch(/^text\/html/);
  } else if (response.headers["content-type"]?.startsWith("text/html")) {
    // The passcode form is not an error page.
    if (response.text.includes("<form")) expect(response.headers["cache-control"]).toContain("no-store");
    else expectErrorPage(response, response.status);
  } else if (isOAuthRefusal(response, address)) {
    // RFC 6749, section 5.2: the characters that a description may have.
    expect(JSON.parse(response.text)).toEqual({
      error: expect.stringMatching(/^[a-z_]+$/),
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
    });
  } else expectErrorShape(response);
}

/** Recognizes OAuth errors. Errors of the gateway and the edge have the contract's shape at these URLs, too. */
function isOAuthRefusal({ text }: ReceivedResponse, address: string): boolean {
  return /^\/oauth\/(token|revoke|register)/.test(address) && typeof JSON.parse(text).error === "string";
}
