import dns, { type LookupAddress } from "node:dns";
import { isIP, type LookupFunction, Socket } from "node:net";
import tls from "node:tls";

/** Local hosts that stand in for hosts of the internet, for tests of functions that call those hosts. */
export interface LocalInternet {
  /** Certificate of the CA that issued the hosts' certificates, in PEM. */
  readonly certificate: string;
  readonly hosts: Readonly<Record<string, LocalHost>>;
}

/** A host that this machine serves. */
export interface LocalHost {
  /** Addresses that the host's name resolves to. */
  readonly addresses: readonly string[];
  /** Address that a connection reports, if it differs from the resolved address. @default - the first of the addresses */
  readonly connectsTo?: string;
  /** Port of this machine that serves the host. */
  readonly port: number;
}

/**
 * Redirects the current thread's connections with these hosts to this machine. Name resolution returns the hosts' given addresses, so that
 * code that checks addresses runs as usual. Other connections are unchanged.
 */
export function useLocalInternet({ certificate, hosts }: LocalInternet): void {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), certificate]);
  const lookup = dns.lookup;
  const lookupHere = (name: string, options: dns.LookupOptions, callback: Callback) => {
    const host = hosts[name];
    if (host === undefined) return lookup(name, options, callback as never);
    const found = host.addresses.map((address) => ({ address, family: isIP(address) }));
    process.nextTick(callback, null, options.all ? found : found[0]?.address, found[0]?.family);
  };
  dns.lookup = lookupHere as typeof dns.lookup;
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const options = given[0] as ConnectOptions;
    const host = hosts[options?.host ?? ""];
    if (host === undefined) return connect.apply(this, given as never);
    const resolve = options.lookup ?? (lookupHere as unknown as LookupFunction);
    resolve(options.host ?? "", { all: true }, (error, found) => {
      if (error) return void this.destroy(error);
      const [first] = found as LookupAddress[];
      Object.defineProperty(this, "remoteAddress", { value: host.connectsTo ?? first?.address });
      const here = { ...options, host: "127.0.0.1", port: host.port, lookup: undefined };
      connect.apply(this, [here, given[1]] as never);
    });
    return this;
  } as typeof Socket.prototype.connect;
}

type Callback = (error: Error | null, found?: unknown, family?: number) => void;

interface ConnectOptions {
  readonly host?: string;
  readonly lookup?: LookupFunction;
}
