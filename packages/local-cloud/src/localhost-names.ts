import dns from "node:dns";

/** Resolves every name below `localhost` to this machine in the current thread, as RFC 6761 requires. Some systems do not do this. */
export function resolveLocalhostNames(): void {
  const lookup = dns.lookup;
  const lookupHere = (name: string, ...given: unknown[]) =>
    Reflect.apply(lookup, dns, [name.endsWith(".localhost") ? "localhost" : name, ...given]);
  dns.lookup = lookupHere as typeof dns.lookup;
}
