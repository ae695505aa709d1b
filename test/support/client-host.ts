import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { LocalHost, LocalInternet } from "@dropleaf/local-cloud/internet";

/** A server for the names below clients.example, which says who MCP clients are. */
export interface ClientHost {
  /** In which its names are: each with the addresses that a test gives it. */
  internetWith(names: Readonly<Record<string, Omit<LocalHost, "port">>>): LocalInternet;
  stop(): Promise<void>;
}

/** Starts one that answers by `listener`. */
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

/** Certificate of `*.clients.example`, until 2126. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBqTCCAU+gAwIBAgIUWyolRXGp5IwRhEx2xe4vDgXEe0wwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPY2xpZW50cy5leGFtcGxlMCAXDTI2MTEyMjE5Mzc0NloYDzIx
MjYxMDI5MTkzNzQ2WjAaMRgwFgYDVQQDDA9jbGllbnRzLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARlqpiiewzPQ3Lwxpg38ZbeRN/EDTpxOeRTU3kK
7cQWYTs5FEuA0H9UK1ypaju0N7Kp4edIpIhR0XyAXGv+Hwjho3EwbzAdBgNVHQ4E
FgQU1ZYUaUnH5fMCRkxV9+a3JYNpnfwwHwYDVR0jBBgwFoAU1ZYUaUnH5fMCRkxV
9+a3JYNpnfwwHAYDVR0RBBUwE4IRKi5jbGllbnRzLmV4YW1wbGUwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBsV81MT6wj1MRCWF7vMmtVso0GMlqh
HQ1+vrU7x2dmPwIhAKFetdF6PEfEVmCX628kvrEXh7X27Lk22uWqVRcpV13C
-----END CERTIFICATE-----
`;

/** No secret: nothing but the tests trusts what is signed with it. */
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkYG1dIiZloFWLQ4M
KFdRXI/Y78RmxKkZ400VvDefyYuhRANCAARlqpiiewzPQ3Lwxpg38ZbeRN/EDTpx
OeRTU3kK7cQWYTs5FEuA0H9UK1ypaju0N7Kp4edIpIhR0XyAXGv+Hwjh
-----END PRIVATE KEY-----
`;
