import { type PublicRequest, type PublicResponse, sendPublic } from "../public-request.ts";

/** What a call must bring. */
export interface Expectation {
  readonly status: number;
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
}

/** Who made the response names the request: a function, API Gateway or CloudFront. */
const requestIdHeaders = ["x-request-id", "x-amzn-requestid", "x-amz-cf-id"];

/** Calls a service as its users do, and says of any other response than the expected one what came. */
export class SmokeClient {
  readonly #baseUrl: string;
  token: string | undefined;

  constructor(baseUrl: string, token: string | undefined) {
    this.#baseUrl = baseUrl.replace(/\/$/, "");
    this.token = token;
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
    const response = await this.#request(`${this.#baseUrl}${path}`, { ...request, method, headers }, status);
    return (response.body.byteLength === 0 ? undefined : JSON.parse(response.body.toString())) as Answer;
  }

  /** Sends a file to an address that the API gave, which takes no token. */
  async send(address: string, { status, ...request }: PublicRequest & Expectation): Promise<void> {
    await this.#request(address, request, status);
  }

  /** Reads a public address. */
  read(address: string, { status }: Expectation): Promise<PublicResponse> {
    return this.#request(new URL(address, this.#baseUrl), {}, status);
  }

  async #request(address: string | URL, request: PublicRequest, status: number): Promise<PublicResponse> {
    const response = await sendPublic(address, request);
    if (response.status === status) return response;
    const { origin, pathname } = new URL(address);
    const id = requestIdHeaders.map((name) => response.headers[name]).find((value) => value !== undefined);
    throw new UnexpectedResponse(
      `${request.method ?? "GET"} ${origin}${pathname} answered ${response.status}, not ${status} (request id ${id ?? "none"}): ` +
        response.body.toString("utf8", 0, 500),
      response,
    );
  }
}
