import pRetry, { AbortError } from "p-retry";
import * as z from "zod/mini";
import { type DescribedProblem, exitCodes, Problem } from "../problem.ts";
import { withinSeconds } from "./fields.ts";
import { describeFailure, describeProxy, type RequestOptions, sendRequest } from "./network.ts";
import { describeRefusal } from "./refusal-message.ts";
import { checkValue, parseJson, parseResponse, readBody } from "./response-body.ts";

/** A call of the service. */
export interface Call {
  readonly method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  readonly query?: URLSearchParams;
  readonly json?: unknown;
  readonly body?: { readonly bytes: Uint8Array; readonly contentType: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refusal by the service: the code and message of the error response (section "Errors" of the specification). */
export class Refusal extends Problem {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait, as the service requests. @default - none */
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

/** Problem of a call without a response. */
export class Unreachable extends Problem {}

/** Code of a refusal by a proxy or another server instead of the service. */
export const notDropleaf = "not_dropleaf";

/** Response of the service: its status and its JSON, which fits the schema of the call. */
export interface Answer<Result> {
  readonly status: number;
  readonly result: Result;
  readonly headers: Headers;
}

/** Response with the bytes of its body. */
interface Received {
  readonly response: Response;
  readonly bytes: Uint8Array;
}

/** A request that can be sent again. */
interface PreparedRequest extends Omit<RequestOptions, "signal"> {
  readonly url: string;
  readonly method: string;
}

/** Pauses and retries of a call. */
interface Patience {
  readonly retries: number;
  /** Longest pause that the program accepts from the service. */
  readonly pauseSecondsMax: number;
  readonly timeoutMs: number;
  readonly onPause?: (message: string) => void;
}

/** A wait for a comment takes 20 s. */
const fewSeconds: Patience = { retries: 3, pauseSecondsMax: 30, timeoutMs: 60_000 };
/** Seconds after which the write limit of a minute has ended. */
const oneMinute = 65;

/** Limit of a service's message that is shown, in characters. */
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

  /** The same client for a long job, which waits until the write limit of a minute has ended. */
  patient(onPause: (message: string) => void): Client {
    return new Client(this.address, this.#token, {
      ...fewSeconds,
      pauseSecondsMax: oneMinute,
      onPause,
    });
  }

  /** The same client for a caller that retries calls itself: each is sent once, and times out after some seconds. */
  impatient(): Client {
    return new Client(this.address, this.#token, { retries: 0, pauseSecondsMax: 0, timeoutMs: 15_000 });
  }

  /**
   * Calls the service and parses its JSON. Retries a call that failed in transit or on the server, or when the service requests it (429 and
   * 503 with Retry-After). A POST or PUT is retried with its Idempotency-Key, so that it acts once.
   *
   * @param schema names the fields that the caller uses; others stay unchanged
   * @throws Refusal for an error response; Problem if the service cannot be reached or its response does not fit
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

  /** Calls the service as `call` does, and returns the body unparsed. */
  async send(path: string, call: Call = {}): Promise<Received> {
    const request = this.#request(path, call);
    return pRetry((attempt) => send(request, attempt > 1, this.#patience), {
      retries: this.#patience.retries,
      minTimeout: 300,
      shouldRetry: ({ error }) => error instanceof Problem,
    });
  }

  /** Result of a GET; undefined if the service responds 404. */
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

  #request(path: string, { method = "GET", query, json, body, headers }: Call): PreparedRequest {
    const url = new URL(path, this.address);
    // The token is sent only to the service.
    if (url.origin !== this.address)
      throw new Problem(`${JSON.stringify(path)} is no path of ${this.address}.`);
    if (query !== undefined) url.search = query.toString();
    return {
      url: url.href,
      method,
      redirect: "manual",
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

async function send(request: PreparedRequest, isRepeated: boolean, patience: Patience): Promise<Received> {
  const { url, ...options } = request;
  const signal = AbortSignal.timeout(patience.timeoutMs);
  const received = await sendRequest(url, { ...options, signal })
    .then(async (response) => ({ response, bytes: await readBody(response.body ?? noBody(), url) }))
    .catch((error) => {
      throw error instanceof Problem ? new AbortError(error) : new Unreachable(describeFailure(url, error));
    });
  const { status } = received.response;
  // The first attempt of a deletion may have succeeded, although its response was lost.
  const isDeleted = isRepeated && request.method === "DELETE" && status === 404;
  if (status >= 300 && !isDeleted) throw await refusalOf(received, url, patience);
  return received;
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

/** Error of a response. Errors that a retry may resolve are thrown after the pause that the service requests. */
async function refusalOf(
  { response, bytes }: Received,
  url: string,
  { retries, pauseSecondsMax, onPause }: Patience,
): Promise<Error> {
  const { status, headers } = response;
  const asked = Number(headers.get("retry-after") ?? Number.NaN);
  const refusal = toRefusal(status, bytes, url, Number.isNaN(asked) ? undefined : asked);
  const isFault = status >= 500 && status !== 501;
  if (retries === 0 || !(isFault || status === 429)) return new AbortError(refusal);
  const seconds = Number.isNaN(asked) ? (status === 429 || status === 503 ? 1 : 0) : asked;
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

/** Sentences about a response that is not from the service itself. */
function describeForeign(status: number, url: string): string {
  const { host } = new URL(url);
  const proxy = describeProxy(url);
  const mayBeOfProxy = proxy === undefined ? "" : ` It may be from the ${proxy}.`;
  if (status === 407)
    return `The ${proxy ?? "proxy"} asks for a user name and a password (status 407). Write them into its variable: http://<name>:<password>@<host>`;
  if (status >= 500)
    return `${host} cannot respond now (status ${status}).${mayBeOfProxy} Try again in a minute.`;
  return `${host} responded ${status}, which is not an error of Dropleaf.${mayBeOfProxy} Is it the address of a Dropleaf service? To use another one: dropleaf login <address>`;
}
