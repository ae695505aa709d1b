import { once } from "node:events";
import { Agent } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { whileStarting } from "./start-up.ts";

/** A client of the SDK, as far as this needs it: each takes commands of its own. */
interface Client {
  send(command: never): Promise<unknown>;
}

/** A command, with the middleware of its own. */
interface Command {
  readonly middlewareStack: {
    add(middleware: Middleware, options: { step: "deserialize"; priority: "low"; name: string }): void;
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
export class EarlyAgent extends Agent {
  readonly #early: EarlyConnection[] = [];

  constructor(maxSockets = 50) {
    super({ keepAlive: true, maxSockets });
  }

  /** Opens a connection, TLS included. It keeps no process alive. Rejects where that fails. */
  async open(host: string, port: number): Promise<void> {
    const servername = isIP(host) === 0 ? host : "";
    const socket = super.createConnection({ ...this.options, host, port, servername }) as TLSSocket;
    socket.unref();
    // Whatever becomes of it while nobody uses it.
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
export function rehearse(client: Client, agent: EarlyAgent, makeCommand: () => Command): void {
  whileStarting(async () => {
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
    // Below everything else: here the SDK would hand the request to the network.
    command.middlewareStack.add(middleware, { step: "deserialize", priority: "low", name: "rehearse" });
    await client.send(command as never);
  });
}

function addressOf(host: string | null | undefined, port: number | string | null | undefined): string {
  return `${host}:${port}`;
}

function ignore(): void {}
