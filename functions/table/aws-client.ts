import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { Agent } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { onInit } from "../core/start-up.ts";

/** Settings of the request handler of an AWS SDK client. */
interface TimeOuts {
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  readonly throwOnRequestTimeout: true;
  readonly socketTimeout: number;
}

/** Every client's time-outs, of which a second try within a request is to leave room: `responseMs` without a sign of AWS end one. */
export function timeouts(responseMs: number): TimeOuts {
  return {
    connectionTimeout: 1_000,
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    // The one before is over when a response begins; this is for a response that stops.
    socketTimeout: responseMs,
  };
}

/** A client of the SDK, as far as this needs it. */
interface Client {
  readonly config: object;
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * Middleware of the AWS SDK without effect here: docs/adr/0023-lambda-performance.md. The logger visits every
 * item of a response for a logger that writes nothing; the other sends the SDK's versions.
 */
export const unusedMiddleware = ["loggerMiddleware", "getUserAgentMiddleware"] as const;

/**
 * Lets a client do no more for its commands than they need. Every client of a function goes through here, with a
 * configuration that is quick to copy: each command copies it four times.
 */
export function withoutUnusedMiddleware<SdkClient extends Client>(client: SdkClient): SdkClient {
  for (const name of unusedMiddleware) client.middlewareStack.remove(name);
  quickenCopies(client.config);
  return client;
}

/** V8 needs so many reads in one place to prepare for more. */
const readsUntilPrepared = 20;

/**
 * Lets V8 keep an object as it keeps most, and not as a hash table, which it made of it for its getter: a copy takes a
 * sixth of the time. It does so for what another object inherits from, once something is read through that.
 *
 * Source: V8's blog, "Setting up prototypes".
 */
function quickenCopies(config: object): void {
  const heir: object & { readonly nothing?: never } = Object.create(config);
  for (let reads = 0; reads < readsUntilPrepared; reads += 1) readNothing(heir);
}

function readNothing(heir: { readonly nothing?: never }): undefined {
  return heir.nothing;
}

/** A client of the SDK, as far as this needs it: each takes commands of its own. */
interface Client {
  send(command: never): Promise<unknown>;
}

/** A command, with the middleware of its own. */
interface Command {
  readonly middlewareStack: {
    add(
      middleware: Middleware,
      options: { step: "deserialize"; priority: "low"; name: string; override: true },
    ): void;
  };
}

type Middleware = () => (args: { readonly request: unknown }) => Promise<{ response: never; output: never }>;

interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
}

/**
 * An unused connection is given up after this long. A function may be frozen between its start and its first request,
 * and AWS may have closed by then what the function still believes to be open.
 */
const unusedMsMax = 5_000;

/** As long as a client waits for a connection that a request needs. */
const openMsMax = 1_000;

/** An open connection that nobody uses yet. */
interface EarlyConnection {
  readonly address: string;
  readonly socket: TLSSocket;
  readonly openedAtMs: number;
}

/** An agent that can open connections before there are requests for them: the first to that address take them. */
export class PrewarmedAgent extends Agent {
  readonly #early: EarlyConnection[] = [];

  constructor(maxSockets = 50) {
    super({ keepAlive: true, maxSockets });
  }

  /** Opens a connection, TLS included. It keeps no process alive. Rejects where that fails. */
  async open(host: string, port: number): Promise<void> {
    const servername = isIP(host) === 0 ? host : "";
    const socket = super.createConnection({ ...this.options, host, port, servername }) as TLSSocket;
    socket.unref();
    // Ignores a failure while nobody uses the result.
    socket.on("error", ignore);
    try {
      await once(socket, "secureConnect", { signal: AbortSignal.timeout(openMsMax) });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    this.#early.push({ address: addressOf(host, port), socket, openedAtMs: Date.now() });
  }

  override createConnection(...[options, callback]: Parameters<Agent["createConnection"]>) {
    return this.#take(options) ?? super.createConnection(options, callback);
  }

  override destroy(): void {
    for (const { socket } of this.#early.splice(0)) socket.destroy();
    super.destroy();
  }

  #take({ host, port }: Parameters<Agent["createConnection"]>[0]): TLSSocket | undefined {
    const index = this.#early.findIndex(({ address }) => address === addressOf(host, port));
    const [early] = index < 0 ? [] : this.#early.splice(index, 1);
    if (early === undefined) return undefined;
    const { socket, openedAtMs } = early;
    if (Date.now() - openedAtMs > unusedMsMax) socket.destroy();
    return socket.writable ? socket.ref() : this.#take({ host, port });
  }
}

/**
 * Goes through a client's first call while the function starts, all but the call itself: credentials, endpoint,
 * signature, and the connection, which stays open; the response is made up here. Nothing is sent to AWS.
 */
export function prewarm(client: Client, agent: PrewarmedAgent, makeCommand: () => Command): void {
  onInit(async () => {
    const command = makeCommand();
    const middleware: Middleware =
      () =>
      async ({ request }) => {
        const { protocol, hostname, port } = request as SignedRequest;
        // Were it to fail here, the SDK would try again while the request that came meanwhile does the same.
        if (protocol === "https:") await agent.open(hostname, port ?? 443).catch(ignore);
        const response = { statusCode: 200, headers: {}, body: Readable.from([Buffer.from("{}")]) };
        return { response } as never;
      };
    command.middlewareStack.add(middleware, {
      // Below everything else: here the SDK would hand the request to the network.
      step: "deserialize",
      priority: "low",
      name: "prewarm",
      // The document client adds the middleware of a command twice.
      override: true,
    });
    await client.send(command as never);
  });
}

function addressOf(host: string | null | undefined, port: number | string | null | undefined): string {
  return `${host}:${port}`;
}

function ignore(): void {}

/** By the key that the SDK derives for a day, which it keeps. */
const keys = new WeakMap<object, KeyObject>();

/**
 * SHA-256 as the SDK's signatures take it, from Node as theirs is. Theirs makes a key ready for each signature, which
 * takes four times as long as the signature does.
 */
export class Sha256 {
  readonly #secret: KeyObject | string | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = typeof secret === "object" ? keyOf(secret) : secret;
    this.#hash = this.#begin();
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash("sha256") : createHmac("sha256", this.#secret);
  }
}

function keyOf(secret: ArrayBuffer | ArrayBufferView): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const bytes = ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  return key;
}
