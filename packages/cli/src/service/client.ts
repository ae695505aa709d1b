import pRetry, { AbortError } from "p-retry";
import * as z from "zod/mini";
import { exitCodes, Problem } from "../problem.ts";
import { withinSeconds } from "./fields.ts";
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

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>>) {
    super(message, status === 401 ? exitCodes.signInNeeded : exitCodes.failed);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Answer of the service: its status and its JSON, which fits the schema of the call. */
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

/** Characters of a service's message that are shown. */
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
    return new Client(this.address, this.#token, { pauseSecondsMax: oneMinute, onPause });
  }

  /**
   * Calls the service and parses its JSON. Repeats a call that failed on the way, or that the service asks to repeat (429 and 503 with
   * Retry-After); a POST or PUT is repeated with its Idempotency-Key, so that it acts once.
   *
   * @param schema names the fields that the caller uses; others stay as they came
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

  /** Calls the service as `call` does, and returns what came as it is. */
  async send(path: string, call: Call = {}): Promise<Received> {
    const request = this.#request(path, call);
    return pRetry((attempt) => send(request, attempt > 1, this.#patience), {
      retries: 3,
      minTimeout: 300,
      shouldRetry: ({ error }) => error instanceof Problem,
    });
  }

  /** Result of a GET; undefined if the service answers 404. */
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

  #request(path: string, { method = "GET", query, json, body, headers }: Call): Request {
    const url = new URL(path, this.address);
    // The token goes to the service alone.
    if (url.origin !== this.address)
      throw new Problem(`${JSON.stringify(path)} is no path of ${this.address}.`);
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

async function send(request: Request, isRepeated: boolean, patience: Patience): Promise<Received> {
  const received = await fetch(request.clone(), { signal: AbortSignal.timeout(timeoutMs) })
    .then(async (response) => ({ response, bytes: await readBody(response.body ?? noBody(), request.url) }))
    .catch((error) => {
      throw error instanceof Problem ? new AbortError(error) : unreachable(request, error);
    });
  const { status } = received.response;
  // The first try of a deletion may have succeeded, though its answer was lost.
  const isDeleted = isRepeated && request.method === "DELETE" && status === 404;
  if (status >= 300 && !isDeleted) throw await refusalOf(received, request.url, patience);
  return received;
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

/** Error of a response. One that another try can mend is thrown after the pause that the service asks for. */
async function refusalOf(
  { response, bytes }: Received,
  url: string,
  { pauseSecondsMax, onPause }: Patience,
): Promise<Error> {
  const refusal = toRefusal(response.status, bytes, url);
  if (response.status !== 429 && response.status !== 503) return new AbortError(refusal);
  const seconds = Number(response.headers.get("retry-after") ?? "1");
  if (!(seconds <= pauseSecondsMax)) return new AbortError(refusal);
  const pauseSeconds = withinSeconds(seconds, 0, pauseSecondsMax);
  onPause?.(`The service asks to wait ${pauseSeconds} s`);
  await new Promise((done) => setTimeout(done, pauseSeconds * 1000));
  return refusal;
}

function toRefusal(status: number, bytes: Uint8Array, url: string): Refusal {
  const { host } = new URL(url);
  const toError = () =>
    new Refusal(
      status,
      "not_dropleaf",
      `${host} answered ${status} without an error of Dropleaf. Is it the address of a Dropleaf service?`,
      {},
    );
  try {
    const { error } = checkValue(errorResponse, parseJson(bytes), toError);
    const characters = [...error.message];
    const isLong = characters.length > messageCharactersMax;
    const message = isLong ? `${characters.slice(0, messageCharactersMax).join("")}…` : error.message;
    return new Refusal(status, error.code, message, error.details ?? {});
  } catch (error) {
    return error as Refusal;
  }
}

function unreachable({ url }: Request, error: unknown): Problem {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  const reason = cause?.code ?? cause?.message ?? (error as Error).message;
  return new Problem(
    `${new URL(url).origin} cannot be reached (${reason}). Check the address and the network.`,
  );
}
