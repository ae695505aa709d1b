import pRetry, { AbortError } from "p-retry";
import * as z from "zod/mini";
import { type DescribedProblem, exitCodes, Problem } from "../problem.ts";
import { withinSeconds } from "./fields.ts";
import { describeFailure, describeProxy, type RequestOptions, sendRequest } from "./network.ts";
import { describeRefusal } from "./refusal-message.ts";
import { checkValue, parseJson, parseResponse, readBody } from "./response-body.ts";

/** A request to the service. */
export interface Call {
  readonly method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  readonly query?: URLSearchParams;
  readonly json?: unknown;
  readonly body?: { readonly bytes: Uint8Array; readonly contentType: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Error response of the service, with its code and message (section "Errors" of the specification). */
export class Refusal extends Problem {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait, from Retry-After. @default - none */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>>,
    retryAfterSeconds?: number,
  ) {
    super(message, status === 401 ? exitCodes.signInNeeded : exitCodes.failed);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  override describe(): DescribedProblem {
    const { code, message, status, details } = this;
    return { code, message, status, ...(Object.keys(details).length === 0 ? {} : { details }) };
  }
}

/** Error for a request that got no response. */
export class Unreachable extends Problem {}

/** Error code for an error response of a proxy or another server. */
export const notDropleaf = "not_dropleaf";

/** Response of the service, with JSON that matches the schema of the call. */
export interface Answer<Result> {
  readonly status: number;
  readonly result: Result;
  readonly headers: Headers;
}

/** Response with the bytes of the body. */
type Received = { readonly response: Response; readonly bytes: Uint8Array };

/** Retries, pauses and timeout of a request. */
interface Patience {
  readonly retries: number;
  /** Maximum pause that the service may request, in seconds. */
  readonly pauseSecondsMax: number;
  readonly timeoutMs: number;
  readonly onPause?: (message: string) => void;
}

/** Default retries and timeout. The timeout allows for requests that wait 20 s for comments. */
const fewSeconds: Patience = { retries: 3, pauseSecondsMax: 30, timeoutMs: 60_000 };
/** Seconds after which the per-minute write limit has reset. */
const oneMinute = 65;

/** Maximum length of a shown error message from the service, in characters. */
const messageCharactersMax = 1_000;

const errorResponse = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
});

/** Client of one service. */
export class Client {
  readonly address: string;
  readonly #token: string | undefined;
  readonly #patience: Patience;

  constructor(address: string, token?: string, patience = fewSeconds) {
    this.address = address;
    this.#token = token;
    this.#patience = patience;
  }

  /** Returns a client for long jobs, which waits until the per-minute write limit has reset. */
  patient(onPause: (message: string) => void): Client {
    return new Client(this.address, this.#token, { ...fewSeconds, pauseSecondsMax: oneMinute, onPause });
  }

  /** Returns a client for callers that retry requests themselves. The client sends each request once, with a short timeout. */
  impatient(): Client {
    return new Client(this.address, this.#token, { retries: 0, pauseSecondsMax: 0, timeoutMs: 15_000 });
  }

  /**
   * Sends a request and parses the JSON response. Retries a request that failed in transit or on the server, or if the service requests a
   * retry (429 and 503 with Retry-After). A POST or PUT is retried with the same Idempotency-Key, so that it takes effect once.
   *
   * @param schema contains the fields that the caller uses; other fields stay unchanged
   * @throws Refusal for an error response; Problem if the service cannot be reached or its response does not match the schema
   */
  async call<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    call: Call = {},
  ): Promise<Answer<z.output<Schema>>> {
    const { response, bytes } = await this.send(path, call);
    const from = `${call.method ?? "GET"} ${path}`;
    const result = parseResponse(schema, bytes, new URL(this.address).host, from);
    return { status: response.status, result, headers: response.headers };
  }

  /** Sends a request like `call`, and returns the unparsed body. */
  async send(path: string, call: Call = {}): Promise<Received> {
    const request = this.#request(path, call);
    return pRetry((attempt) => send(request, attempt > 1, this.#patience), {
      retries: this.#patience.retries,
      minTimeout: 300,
      shouldRetry: ({ error }) => error instanceof Problem,
    });
  }

  /** Returns the result of a GET, or undefined if the service responds 404. */
  async find<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    try {
      return (await this.call(path, schema)).result;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Prepares a request, which can be sent several times. */
  #request(path: string, { method = "GET", query, json, body, headers }: Call) {
    const url = new URL(path, this.address);
    // The token is sent only to the service.
    if (url.origin !== this.address)
      throw new Problem(`${JSON.stringify(path)} is not a path on ${this.address}.`);
    if (query !== undefined) url.search = query.toString();
    return {
      url: url.href,
      method,
      redirect: "manual" as const,
      headers: {
        accept: "application/json",
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(method === "POST" || method === "PUT" ? { "idempotency-key": crypto.randomUUID() } : {}),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(body === undefined ? {} : { "content-type": body.contentType }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body: body.bytes as Uint8Array<ArrayBuffer> }),
    };
  }
}

async function send(
  { url, ...options }: Omit<RequestOptions, "signal"> & { readonly url: string },
  isRepeated: boolean,
  patience: Patience,
): Promise<Received> {
  const signal = AbortSignal.timeout(patience.timeoutMs);
  const received = await sendRequest(url, { ...options, signal })
    .then(async (response) => ({ response, bytes: await readBody(response.body ?? noBody(), url) }))
    .catch((error) => {
      throw error instanceof Problem ? new AbortError(error) : new Unreachable(describeFailure(url, error));
    });
  const { status } = received.response;
  // Accepts a 404 after a repeated deletion, because an earlier attempt may have deleted the item.
  const isDeleted = isRepeated && options.method === "DELETE" && status === 404;
  if (status >= 300 && !isDeleted) throw await refusalOf(received, url, patience);
  return received;
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

/** Returns the error for a response. Before a retry, waits for the pause that the service requests. */
async function refusalOf(
  { response, bytes }: Received,
  url: string,
  { retries, pauseSecondsMax, onPause }: Patience,
): Promise<Error> {
  const { status, headers } = response;
  const requested = Number(headers.get("retry-after") ?? Number.NaN);
  const refusal = toRefusal(status, bytes, url, Number.isNaN(requested) ? undefined : requested);
  const isFault = status >= 500 && status !== 501;
  if (retries === 0 || !(isFault || status === 429)) return new AbortError(refusal);
  const seconds = Number.isNaN(requested) ? (status === 429 || status === 503 ? 1 : 0) : requested;
  if (seconds > pauseSecondsMax) return new AbortError(refusal);
  const pauseSeconds = withinSeconds(seconds, 0, pauseSecondsMax);
  if (pauseSeconds > 0) {
    onPause?.(`The service requests a pause of ${pauseSeconds} s`);
    await new Promise((done) => setTimeout(done, pauseSeconds * 1000));
  }
  return refusal;
}

function toRefusal(
  status: number,
  bytes: Uint8Array,
  url: string,
  retryAfterSeconds: number | undefined,
): Refusal {
  const toError = () => new Refusal(status, notDropleaf, describeForeign(status, url), {}, retryAfterSeconds);
  try {
    const { error } = checkValue(errorResponse, parseJson(bytes), toError);
    const { code, message, details = {} } = error;
    const described = describeRefusal(code, shorten(message), details, new URL(url).origin);
    return new Refusal(status, code, described, details, retryAfterSeconds);
  } catch (error) {
    return error as Refusal;
  }
}

function shorten(message: string): string {
  const characters = [...message];
  return characters.length > messageCharactersMax
    ? `${characters.slice(0, messageCharactersMax).join("")}…`
    : message;
}

/** Describes a response that is not from the service itself. */
function describeForeign(status: number, url: string): string {
  const { host } = new URL(url);
  const proxy = describeProxy(url);
  const mayBeOfProxy = proxy === undefined ? "" : ` The response may be from the ${proxy}.`;
  if (status === 407)
    return `The ${proxy ?? "proxy"} asks for a user name and a password (status 407). Write them into its variable: http://<name>:<password>@<host>`;
  if (status >= 500)
    return `${host} cannot respond now (status ${status}).${mayBeOfProxy} Try again in a minute.`;
  return `${host} responded ${status}, which is not an error of Dropleaf.${mayBeOfProxy} Check that this is the address of a Dropleaf service. To use another service, run: dropleaf login <address>`;
}
