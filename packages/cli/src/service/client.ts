import pRetry, { AbortError } from "p-retry";
import { exitCodes, Problem } from "../problem.ts";

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

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>>) {
    super(message, status === 401 ? exitCodes.signInNeeded : exitCodes.failed);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Answer of the service: its status, its JSON, and its bytes for what is no JSON. */
export interface Answer<Result> {
  readonly status: number;
  readonly result: Result;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** Pauses that the service asks for. */
interface Patience {
  /** Longest pause that the program waits. */
  readonly pauseSecondsMax: number;
  readonly onPause?: (message: string) => void;
}

const fewSeconds: Patience = { pauseSecondsMax: 30 };
/** The write limit of a minute has ended by then. */
const oneMinute = 65;
/** A wait for a comment takes 20 s. */
const timeoutMs = 60_000;

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
    return new Client(this.address, this.#token, { pauseSecondsMax: oneMinute, onPause });
  }

  /**
   * Calls the service. Repeats a call that failed on the way, or that the service asks to repeat (429 and 503 with Retry-After); a POST
   * or PUT is repeated with its Idempotency-Key, so that it acts once.
   *
   * @throws Refusal for an error response; Problem if the service cannot be reached
   */
  async call<Result = unknown>(path: string, call: Call = {}): Promise<Answer<Result>> {
    const request = this.#request(path, call);
    return pRetry((attempt) => send<Result>(request, attempt > 1, this.#patience), {
      retries: 3,
      minTimeout: 300,
      shouldRetry: ({ error }) => error instanceof Problem,
    });
  }

  /** Result of a GET; undefined if the service answers 404. */
  async find<Result>(path: string): Promise<Result | undefined> {
    try {
      return (await this.call<Result>(path)).result;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  #request(path: string, { method = "GET", query, json, body, headers }: Call): Request {
    const url = new URL(path, this.address);
    if (query !== undefined) url.search = query.toString();
    return new Request(url, {
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
    });
  }
}

async function send<Result>(
  request: Request,
  isRepeated: boolean,
  patience: Patience,
): Promise<Answer<Result>> {
  const response = await fetch(request.clone(), { signal: AbortSignal.timeout(timeoutMs) }).catch((error) => {
    throw unreachable(request, error);
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  // The first try of a deletion may have succeeded, though its answer was lost.
  const isDeleted = isRepeated && request.method === "DELETE" && response.status === 404;
  if (response.status >= 300 && !isDeleted) throw await refusalOf(response, bytes, patience);
  const isJson =
    bytes.length > 0 && response.headers.get("content-type")?.startsWith("application/json") === true;
  const result = (isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined) as Result;
  return { status: response.status, result, bytes, headers: response.headers };
}

/** Error of a response. One that another try can mend is thrown after the pause that the service asks for. */
async function refusalOf(
  response: Response,
  bytes: Uint8Array,
  { pauseSecondsMax, onPause }: Patience,
): Promise<Error> {
  const refusal = toRefusal(response, new TextDecoder().decode(bytes));
  if (response.status !== 429 && response.status !== 503) return new AbortError(refusal);
  const seconds = Number(response.headers.get("retry-after") ?? "1");
  if (!(seconds <= pauseSecondsMax)) return new AbortError(refusal);
  onPause?.(`The service asks to wait ${seconds} s`);
  await new Promise((done) => setTimeout(done, seconds * 1000));
  return refusal;
}

function toRefusal(response: Response, text: string): Refusal {
  try {
    const { error } = JSON.parse(text);
    return new Refusal(response.status, error.code, error.message, error.details ?? {});
  } catch {
    const { host } = new URL(response.url);
    const message = `${host} answered ${response.status} without an error of Dropleaf. Is it the address of a Dropleaf service?`;
    return new Refusal(response.status, "not_dropleaf", message, {});
  }
}

function unreachable({ url }: Request, error: unknown): Problem {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  const reason = cause?.code ?? cause?.message ?? (error as Error).message;
  return new Problem(
    `${new URL(url).origin} cannot be reached (${reason}). Check the address and the network.`,
  );
}
