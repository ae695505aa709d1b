import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server on this machine that is reached over TLS, as AWS is. */
export interface TlsEndpoint {
  readonly url: string;
  /** NODE_EXTRA_CA_CERTS of a process that must trust the server. */
  readonly certificateFile: string;
  /** Counts the opened connections, each with a TLS handshake. */
  handshakes(): number;
  /** Closes the open connections. New ones are accepted. */
  closeConnections(): void;
  stop(): Promise<void>;
}

/** Starts an endpoint that responds with `response`. */
export async function startTlsEndpoint(response: RequestListener): Promise<TlsEndpoint> {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-tls-"));
  const certificateFile = join(directory, "certificate.pem");
  writeFileSync(certificateFile, certificate);
  let handshakes = 0;
  const server = createServer({ cert: certificate, key: privateKey }, response);
  server.on("secureConnection", () => {
    handshakes += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificateFile,
    handshakes: () => handshakes,
    closeConnections: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}

/** Certificate of `localhost`, valid until 2126. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUTjfjeJqxlopWh8gh1ruB7DhHC74wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAyMjI1MloYDzIxMjYxMDI5
MDIyMjUyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS8muFonGD9KXo/jQBCFIyNr+kTjor99Uy5FklvAohZa4lstRe1Oe5N
PQdd0E1edH4t4Oyzza8H4ajPlChLoyd/o2kwZzAdBgNVHQ4EFgQU7q7peNHSXnpi
2DnOPsIzFysJJoIwHwYDVR0jBBgwFoAU7q7peNHSXnpi2DnOPsIzFysJJoIwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAKkAnVr6g53VV0sJhGh+lPEw5XoROtcCP+PVVfdt8OEqAiEAhHrktgwY
hp3v3urskkUN7lTC07SH9480h6ugZgFtaMc=
-----END CERTIFICATE-----
`;

/** Not a secret: only this file trusts its signatures. */
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwY5hQmFZaLVeTFX6
2AJczjpVFPR2rqjovZvIZCfSiLWhRANCAAS8muFonGD9KXo/jQBCFIyNr+kTjor9
9Uy5FklvAohZa4lstRe1Oe5NPQdd0E1edH4t4Oyzza8H4ajPlChLoyd/
-----END PRIVATE KEY-----
`;
