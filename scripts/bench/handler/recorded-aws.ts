/**
 * Loaded before a function (`--import`): what it asks of AWS, and of the identity provider, goes to its endpoint and into
 * the file `RECORD_TO`, or is answered from the file `REPLAY_FROM` right under the SDK's own HTTP handler, without sockets.
 * While it is recorded, too, a function believes that it speaks TLS with AWS: one that knows of a local endpoint asks for
 * nothing before its first call, and what was recorded would lack what it asks for while it starts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import http, {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import https from "node:https";
import { Duplex, Readable, Writable } from "node:stream";

/** A response, and what it answered: `exact` with the request's content, `target` with its kind only. */
interface RecordedAnswer {
  readonly exact: string;
  readonly target: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly base64: string;
}

const { RECORD_TO, REPLAY_FROM } = process.env;
const recorded: RecordedAnswer[] =
  REPLAY_FROM === undefined ? [] : JSON.parse(readFileSync(REPLAY_FROM, "utf8"));
const bodies = new Map(recorded.map((answer) => [answer, Buffer.from(answer.base64, "base64")]));
const byExact = turns(({ exact }) => exact);
const byTarget = turns(({ target }) => target);

const socket = openSocket();

type Callback = (response: Readable) => void;
/** Node's `request`, as the SDK's handler calls it. */
type Transport = (options: RequestOptions, callback: (response: IncomingMessage) => void) => ClientRequest;

// Deletes the recording of an earlier function.
if (RECORD_TO !== undefined) writeFileSync(RECORD_TO, "[]");

const plainRequest = http.request;
const plainly: Transport = ({ agent: _, ...options }, callback) =>
  plainRequest({ ...options, protocol: "http:" }, callback);
https.request = sending(plainly);
globalThis.fetch = fetching(globalThis.fetch);
// Replaces connections that a function opens while it loads.
https.Agent.prototype.createConnection = () => openSocket();

/** Gives recorded responses with the same key in turn, in their order: a call sends the same requests as the recorded one. */
function turns(keyOf: (answer: RecordedAnswer) => string): (key: string) => RecordedAnswer | undefined {
  const groups = Map.groupBy(recorded, keyOf);
  const next = new Map<string, number>();
  return (key) => {
    const group = groups.get(key) ?? [];
    const turn = next.get(key) ?? 0;
    next.set(key, (turn + 1) % group.length);
    return group[turn];
  };
}

/**
 * Finds the recorded response of the exact request, or else the next one of its kind: keys, ids and times of writes
 * differ.
 */
function findAnswer(exact: string, target: string): RecordedAnswer {
  const found = byExact(exact) ?? byTarget(target);
  if (found === undefined) throw new Error(`Nothing was recorded that answers ${exact.slice(0, 500)}`);
  return found;
}

function keep(answer: Omit<RecordedAnswer, "base64">, body: Uint8Array): void {
  recorded.push({ ...answer, base64: Buffer.from(body).toString("base64") });
  if (RECORD_TO !== undefined) writeFileSync(RECORD_TO, JSON.stringify(recorded));
}

function sending(send: Transport): typeof https.request {
  const ask = (options: RequestOptions, callback: Callback) => new RecordedRequest(send, options, callback);
  return ask as unknown as typeof https.request;
}

/** The part of Node's request that the SDK's handler uses. */
class RecordedRequest extends Writable {
  readonly socket = socket;
  readonly #chunks: Buffer[] = [];
  readonly #send: Transport;
  readonly #options: RequestOptions;
  readonly #callback: Callback;

  constructor(send: Transport, options: RequestOptions, callback: Callback) {
    super();
    this.#send = send;
    this.#options = options;
    this.#callback = callback;
  }

  setTimeout(): this {
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    const { method, path, headers } = this.#options;
    const command = (headers as Record<string, string>)["x-amz-target"];
    const target = `${method} ${command}`;
    // The key of a page identifies its bytes.
    const exact = `${target} ${command === undefined ? path : Buffer.concat(this.#chunks)}`;
    if (REPLAY_FROM === undefined) this.#passOn({ exact, target });
    else setImmediate(() => this.#answer(findAnswer(exact, target)));
    done();
  }

  #passOn(asked: Pick<RecordedAnswer, "exact" | "target">): void {
    const sent = this.#send(this.#options, async (response) => {
      const body = Buffer.concat(await response.toArray());
      const answer = { ...asked, status: response.statusCode ?? 0, headers: response.headers };
      keep(answer, body);
      this.#answer(answer, body);
    });
    sent.on("error", (error) => this.destroy(error));
    sent.end(Buffer.concat(this.#chunks));
  }

  #answer(
    answer: Pick<RecordedAnswer, "status" | "headers">,
    body = bodies.get(answer as RecordedAnswer),
  ): void {
    const { status: statusCode, headers } = answer;
    const response = Object.assign(inRecords(body ?? Buffer.alloc(0)), {
      statusCode,
      headers: { ...headers },
    });
    this.#callback(response);
    this.emit("response", response);
  }
}

/** Streams a body in chunks of a TLS record (RFC 8446, section 5.1). */
function inRecords(body: Buffer, recordBytes = 16_384): Readable {
  let at = 0;
  return new Readable({
    read() {
      this.push(at < body.byteLength ? body.subarray(at, at + recordBytes) : null);
      at += recordBytes;
    },
  });
}

/** An open connection to nobody. */
function openSocket(): Duplex {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const none = () => socket;
  Object.assign(socket, { connecting: false, ref: none, unref: none, setKeepAlive: none, setTimeout: none });
  setImmediate(() => socket.emit("secureConnect"));
  return socket;
}

function fetching(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const target = `fetch ${init?.method ?? "GET"} ${String(input)}`;
    if (REPLAY_FROM !== undefined) {
      const answer = findAnswer(target, target);
      const headers = answer.headers as Record<string, string>;
      return new Response(Buffer.from(answer.base64, "base64"), { status: answer.status, headers });
    }
    const response = await send(input, init);
    const { status, headers } = response;
    keep(
      { exact: target, target, status, headers: Object.fromEntries(headers) },
      new Uint8Array(await response.clone().arrayBuffer()),
    );
    return response;
  };
}
