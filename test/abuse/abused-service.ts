import { expect } from "vitest";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { publish } from "../support/accounts.ts";
import { pathOf } from "../support/client.ts";
import { expectErrorPage, expectErrorShape } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { durationMs } from "../support/patience.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

const responseMsMax = 1_000;

/** In all that a stranger has published behind a gate: no response may hold it. */
export const secret = "the-strangers-own-words";

/** Every operation that an address of the service's own host leads to. */
export const operations = operationIds.filter(
  (id) => routeOf(id).host !== "owner" && id !== "show-not-found",
);

/** Whoever sends what is bad, and whose locked drop is not to be seen. */
export interface AbusedService {
  readonly person: GivenPerson;
  readonly stranger: GivenPerson;
  readonly strangersSlug: string;
  /** The header of one of the sender's tokens. */
  caller(index: number): Record<string, string>;
  /** An operation's address, with the stranger's slug for every parameter. */
  addressOf(id: OperationId): string;
}

/** Puts both people behind the service. */
export async function givenAbusedService(): Promise<AbusedService> {
  await openStores();
  // Invalid requests spend nothing, but some of what is generated is valid.
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

/** Sends something bad, and checks what must hold of the answer whatever was sent. */
export async function abuse(address: string, options: SendOptions): Promise<ReceivedResponse> {
  const startedAtMs = performance.now();
  const response = await fetchPage(address, options);
  const tookMs = performance.now() - startedAtMs;

  const what = `${options.method ?? "GET"} ${address.slice(0, 200)} answered ${response.status}: ${response.text.slice(0, 200)}`;
  expect(response.status, what).toBeLessThan(500);
  if (tookMs >= responseMsMax) {
    // On a busy machine every call takes long, and so does the first one of a function.
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
    // The gate is a page of its own kind, with a form.
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

/** Recognizes errors of the gateway and the edge, which have the contract's form. */
function isOAuthRefusal({ text }: ReceivedResponse, address: string): boolean {
  return /^\/oauth\/(token|revoke|register)/.test(address) && typeof JSON.parse(text).error === "string";
}
