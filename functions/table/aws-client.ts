import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { Agent } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { onInit } from "../core/start-up.ts";

/**
 * Returns the timeouts for the request handler of an AWS SDK client. An attempt ends after `responseMs` without a response from AWS, so
 * that a request has time for a second attempt.
 */
export function timeouts(responseMs: number) {
  return {
    connectionTimeout: 1_000,
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    // `requestTimeout` applies until a response begins. `socketTimeout` applies to a response that stalls.
    socketTimeout: responseMs,
  };
}

/** Interface of the SDK client that this file uses. Each client accepts only its own commands. */
interface Client {
  readonly config: object;
  readonly middlewareStack: { remove(name: string): boolean };
  send(command: never): Promise<unknown>;
}

/**
 * Two AWS SDK middlewares that the service does not need; see docs/adr/0023-lambda-performance.md. The logging middleware walks every
 * response item although logging is off. The user-agent middleware sends the SDK's version.
 */
export const unusedMiddleware = ["loggerMiddleware", "getUserAgentMiddleware"] as const;

/**
 * Removes middleware that a client's commands do not need. Makes the client's configuration quick to copy, because each command copies it
 * four times. Apply this function to every client.
 */
export function withoutUnusedMiddleware<SdkClient extends Client>(client: SdkClient): SdkClient {
  for (const name of unusedMiddleware) client.middlewareStack.remove(name);
  quickenCopies(client.config);
  return client;
}

/** Number of property reads after which V8 optimizes a function. */
const readsUntilPrepared = 20;

/**
 * Makes V8 store an object in its fast form, which can be copied six times as fast. The object has a getter, so V8 stores it as a hash
 * table. V8 converts the object once it is a prototype through which a property is read.
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

interface Command {
  readonly middlewareStack: {
    add(
      middleware: Middleware,
      options: { step: "deserialize"; priority: "low"; name: string; override: true },
    ): void;
  };
}

type Middleware = () => (args: { readonly request: unknown }) => Promise<{ response: never; output: never }>;

/**
 * Time after which an unused connection is discarded. A function may be frozen between its start and its first request,
 * and AWS may have closed the connection meanwhile.
 */
const unusedMsMax = 5_000;

/** Time limit for opening a connection, the same as in `timeouts`. */
const openMsMax = 1_000;

/** An agent that can open connections before requests. The first requests to a host use the connections that are already open. */
export class PrewarmedAgent extends Agent {
  /** Open connections that are not used yet. */
  readonly #early: { readonly address: string; readonly socket: TLSSocket; readonly openedAtMs: number }[] =
    [];

  constructor(maxSockets = 50) {
    super({ keepAlive: true, maxSockets });
  }

  /** Opens a TLS connection, which does not keep the process alive. Rejects on failure. */
  async open(host: string, port: number): Promise<void> {
    const servername = isIP(host) === 0 ? host : "";
    const socket = super.createConnection({ ...this.options, host, port, servername }) as TLSSocket;
    socket.unref();
    // Ignores a failure while no request uses the connection.
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
 * Prepares a client's first call while the function starts: credentials, endpoint, signature, and a connection, which stays open. The
 * response is simulated, so no request is sent to AWS.
 */
export function prewarm(client: Client, agent: PrewarmedAgent, makeCommand: () => Command): void {
  onInit(async () => {
    const command = makeCommand();
    const middleware: Middleware =
      () =>
      async ({ request }) => {
        const { protocol, hostname, port } = request as { protocol: string; hostname: string; port?: number };
        // A failure is ignored. Otherwise, the SDK would retry here while the first request opens a connection too.
        if (protocol === "https:") await agent.open(hostname, port ?? 443).catch(ignore);
        const response = { statusCode: 200, headers: {}, body: Readable.from([Buffer.from("{}")]) };
        return { response } as never;
      };
    command.middlewareStack.add(middleware, {
      // Replaces the last step of the SDK, which would send the request over the network.
      step: "deserialize",
      priority: "low",
      name: "prewarm",
      // Overriding is allowed, because the document client adds the middleware of a command twice.
      override: true,
    });
    await client.send(command as never);
  });
}

function addressOf(host: string | null | undefined, port: number | string | null | undefined): string {
  return `${host}:${port}`;
}

function ignore(): void {}

/** Prepared HMAC keys, by the signing key that the SDK derives and caches for a day. */
const keys = new WeakMap<object, KeyObject>();

/**
 * SHA-256 for the SDK's signatures. It uses Node's implementation, like the SDK's own class. That class prepares a key for each signature,
 * which takes four times as long as the signature.
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
