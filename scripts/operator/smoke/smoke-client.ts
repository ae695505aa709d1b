import { type PublicRequest, type PublicResponse, sendPublic } from "../public-request.ts";

/** The status that a call must bring, or several of which one must come. */
export interface Expectation {
  readonly status: number | readonly number[];
}

/** The service answered, but not as expected. */
export class UnexpectedResponse extends Error {
  override readonly name = "UnexpectedResponse";
  readonly status: number;
  readonly body: string;

  constructor(message: string, { status, body }: PublicResponse) {
    super(message);
    this.status = status;
    this.body = body.toString();
  }

  /** The error's details as the API gives them; empty for anything else. */
  get details(): Readonly<Record<string, unknown>> {
    try {
      return JSON.parse(this.body).error.details ?? {};
    } catch {
      return {};
    }
  }
}

/** Headers with the request id, by the maker of the response: a function, API Gateway or CloudFront. */
const requestIdHeaders = ["x-request-id", "x-amzn-requestid", "x-amz-cf-id"];

/** Calls a service as its users do, and says of any other response than the expected one what came. */
export class SmokeClient {
  readonly #baseUrl: string;
  /** Hosts that were called, which no report names. */
  readonly #hosts = new Set<string>();
  /** The service's version and the edge location (`x-amz-cf-pop`), as responses tell them. */
  readonly seen: { version?: string; edge?: string } = {};
  token: string | undefined;

  constructor(baseUrl: string, token: string | undefined) {
    this.#baseUrl = baseUrl.replace(/\/$/, "");
    this.token = token;
    this.#hosts.add(new URL(baseUrl).host);
  }

  /** Calls the API; the response's JSON, or undefined where there is none. */
  async call<Answer = undefined>(
    method: string,
    path: string,
    { status, ...request }: Omit<PublicRequest, "method"> & Expectation,
  ): Promise<Answer> {
    const authorization: Record<string, string> =
      this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const headers = { ...authorization, ...request.headers };
    const address = `${this.#baseUrl}${path}`;
    const response = await this.#expect(address, { ...request, method, headers }, status);
    return (response.body.byteLength === 0 ? undefined : JSON.parse(response.body.toString())) as Answer;
  }

  /** Sends a file to an address that the API gave, which takes no token. */
  async send(address: string, { status, ...request }: PublicRequest & Expectation): Promise<void> {
    await this.#expect(address, request, status);
  }

  /** Reads a public address. */
  read(address: string, { status }: Expectation): Promise<PublicResponse> {
    return this.#expect(new URL(address, this.#baseUrl), {}, status);
  }

  /** A text without the token, and without the names of hosts and owners. */
  redact(text: string): string {
    const longestFirst = [...this.#hosts].sort((one, other) => other.length - one.length);
    const names = longestFirst.flatMap((host) => [host, host.replace(/:\d+$/, "")]);
    const withoutHosts = names.reduce((rest, name) => rest.replaceAll(name, "<host>"), text);
    const withoutOwners = withoutHosts.replace(/\/@[^/\s"]+/g, "/@<owner>");
    return this.token === undefined ? withoutOwners : withoutOwners.replaceAll(this.token, "<token>");
  }

  async #expect(
    address: string | URL,
    request: PublicRequest,
    status: Expectation["status"],
  ): Promise<PublicResponse> {
    const statuses = [status].flat();
    const { origin, host, pathname } = new URL(address);
    this.#hosts.add(host);
    const response = await sendPublic(address, request);
    const said = (name: string) => response.headers[name]?.toString();
    this.seen.version ??= said("x-dropleaf-version");
    this.seen.edge ??= said("x-amz-cf-pop");
    if (statuses.includes(response.status)) return response;
    const id = requestIdHeaders.map(said).find((value) => value !== undefined);
    throw new UnexpectedResponse(
      `${request.method ?? "GET"} ${origin}${pathname} answered ${response.status}, not ${statuses.join(" or ")} (request id ${id ?? "none"}): ` +
        response.body.toString("utf8", 0, 500),
      response,
    );
  }
}
