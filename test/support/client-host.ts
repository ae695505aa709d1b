import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { LocalHost, LocalInternet } from "@dropleaf/local-cloud/internet";

/** A server for names below clients.example, which publish the metadata of MCP clients, and for Slack. */
export interface ClientHost {
  /** Creates an internet with these host names, each with the addresses that the test sets. */
  internetWith(names: Readonly<Record<string, Omit<LocalHost, "port">>>): LocalInternet;
  stop(): Promise<void>;
}

/** Starts a client host that responds with `listener`. */
export async function startClientHost(listener: RequestListener): Promise<ClientHost> {
  const server = createServer({ cert: certificate, key: privateKey }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    internetWith: (names) => ({
      certificate,
      hosts: Object.fromEntries(Object.entries(names).map(([name, host]) => [name, { ...host, port }])),
    }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Certificate of `*.clients.example` and `slack.com`, valid until 2126. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBtjCCAVugAwIBAgIRAKXM8lJfVNKFhjrODkD7gekwCgYIKoZIzj0EAwIwHDEa
MBgGA1UEAwwRKi5jbGllbnRzLmV4YW1wbGUwIBcNMjYxMTMwMTU1MTMyWhgPMjEy
NjExMDYxNTUxMzJaMBwxGjAYBgNVBAMMESouY2xpZW50cy5leGFtcGxlMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEer1fReYAgNb+fTn2GSSfDox2A/Ujag8tfaNT
Gl7b7IkSEoHMbOnPeefk6DFDDNMVb3SrEb+LHwUTmfIDG3ISR6N8MHowHQYDVR0O
BBYEFDwDWRObY7yqOeVG5YvNgmHOqEwLMB8GA1UdIwQYMBaAFDwDWRObY7yqOeVG
5YvNgmHOqEwLMA8GA1UdEwEB/wQFMAMBAf8wJwYDVR0RBCAwHoIRKi5jbGllbnRz
LmV4YW1wbGWCCXNsYWNrLmNvbTAKBggqhkjOPQQDAgNJADBGAiEAyHu61WY2YCcG
Px0coTGkgCCtrsyGehrKU9nLh8An5MICIQCjtjzGsJZCo/6x2THtMyzMWjuQcDmy
1B9PEuDTGb6CnQ==
-----END CERTIFICATE-----
`;

/** Not a secret: only the tests trust its signatures. */
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW/5X0FOA5xZUd+ZQ
AKfzPl/fMIfKi/I3TftiswjgIzqhRANCAAR6vV9F5gCA1v59OfYZJJ8OjHYD9SNq
Dy19o1MaXtvsiRISgcxs6c955+ToMUMM0xVvdKsRv4sfBROZ8gMbchJH
-----END PRIVATE KEY-----
`;
