import { setTimeout as sleep } from "node:timers/promises";
import type { MeResponse } from "../../../functions/account/schemas.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../../functions/identity/schemas.ts";
import type { Terminal } from "../command.ts";
import { type PublicRequest, type PublicResponse, sendPublic } from "../public-request.ts";

/** Expected status of a response, or several acceptable statuses. */
type Expectation = { readonly status: number | readonly number[] };

/** Error for a response with an unexpected status. */
export class UnexpectedResponse extends Error {
  override readonly name = "UnexpectedResponse";
  readonly status: number;
  /** Details of an API error. Empty if the response is not an API error. */
  readonly details: Readonly<Record<string, unknown>> = {};

  constructor(message: string, { status, body }: PublicResponse) {
    super(message);
    this.status = status;
    try {
      this.details = JSON.parse(body.toString()).error.details ?? {};
    } catch {
      // The response is not an API error.
    }
  }
}

/** Headers that contain the request id of a function, of API Gateway or of CloudFront. */
const requestIdHeaders = ["x-request-id", "x-amzn-requestid", "x-amz-cf-id"];

/** Client that calls the service as its users do, and throws for unexpected responses. */
export class SmokeClient {
  readonly #baseUrl: string;
  /** Hosts that were called. `redact` removes these hosts from reports. */
  readonly #hosts = new Set<string>();
  /** Service version and edge location (`x-amz-cf-pop`) from the responses. */
  readonly seen: { version?: string; edge?: string } = {};
  token: string | undefined;

  constructor(baseUrl: string, token: string | undefined) {
    this.#baseUrl = baseUrl.replace(/\/$/, "");
    this.token = token;
    this.#hosts.add(new URL(baseUrl).host);
  }

  /** Calls the API with the token. Returns the JSON of the response, or undefined for an empty body. */
  async call<Body = undefined>(
    method: string,
    path: string,
    { headers, json, ...request }: Omit<PublicRequest, "method"> & Expectation & { readonly json?: object },
  ): Promise<Body> {
    const { body } = await this.send(`${this.#baseUrl}${path}`, {
      ...(json && { body: JSON.stringify(json) }),
      ...request,
      method,
      headers: { ...(this.token && { authorization: `Bearer ${this.token}` }), ...headers },
    });
    return (body.byteLength === 0 ? undefined : JSON.parse(body.toString())) as Body;
  }

  /** Reads a public address. */
  read(address: string, expected: Expectation): Promise<PublicResponse> {
    return this.send(new URL(address, this.#baseUrl), expected);
  }

  /** Sends a request without the token. */
  async send(
    address: string | URL,
    { status, ...request }: PublicRequest & Expectation,
  ): Promise<PublicResponse> {
    const statuses = [status].flat();
    const { origin, host, pathname } = new URL(address);
    this.#hosts.add(host);
    const response = await sendPublic(address, request);
    const headerOf = (name: string) => response.headers[name]?.toString();
    this.seen.version ??= headerOf("x-dropleaf-version");
    this.seen.edge ??= headerOf("x-amz-cf-pop");
    if (statuses.includes(response.status)) return response;
    const id = requestIdHeaders.map(headerOf).find((value) => value !== undefined);
    const what = `${request.method ?? "GET"} ${origin}${pathname} responded ${response.status}`;
    const text = response.body.toString("utf8", 0, 500);
    const message = `${what}, not ${statuses.join(" or ")} (request id ${id ?? "none"}): ${text}`;
    throw new UnexpectedResponse(message, response);
  }

  /** Removes the token and the names of hosts and owners from a text. */
  redact(text: string): string {
    const longestFirst = [...this.#hosts].sort((one, other) => other.length - one.length);
    const names = longestFirst.flatMap((host) => [host, host.replace(/:\d+$/, "")]);
    const withoutHosts = names.reduce((rest, name) => rest.replaceAll(name, "<host>"), text);
    const withoutOwners = withoutHosts.replace(/\/@[^/\s"]+/g, "/@<owner>");
    return this.token === undefined ? withoutOwners : withoutOwners.replaceAll(this.token, "<token>");
  }
}

/** Gets a token as an agent does, while the operator signs in. Throws if the operator does not sign in within ten minutes. */
export async function signIn(client: SmokeClient, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const json = { label: "smoke test" };
  const start = await client.call<SignInStartResponse>("POST", "/api/auth/start", { status: 200, json });
  terminal.print(`Sign in at ${start.verification_url} and compare the code: ${start.code}`);
  const path = `/api/auth/poll?${new URLSearchParams({ token: start.poll_token })}`;
  for (;;) {
    const poll = await client.call<SignInPollResponse>("GET", path, { status: 200 });
    client.token = poll.api_token;
    if (client.token !== undefined) return;
    if (poll.status !== "pending") throw new Error(`The sign-in is ${poll.status}. Run the command again.`);
    await sleep(start.poll_interval * 1000, undefined, { signal });
  }
}

/** Revokes the client's token. */
export async function revokeToken(client: SmokeClient): Promise<void> {
  const { token } = await client.call<MeResponse>("GET", "/api/me", { status: 200 });
  await client.call("DELETE", `/api/tokens/${token.id}`, { status: 204 });
}
