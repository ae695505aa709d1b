import dns, { type LookupAddress } from "node:dns";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { ApiError } from "../platform/errors.ts";
import { type ClientMetadata, readClientMetadata } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import { isPublicAddress } from "./public-address.ts";
import { clientAuthMethod } from "./schemas.ts";

/** Of what a client is called, and where its codes go, it says itself at an address that is its id. */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > oauthLimits.redirectUriCharactersMax || !URL.canParse(clientId)) return false;
  const { protocol, port, pathname, hash, username, password, href } = new URL(clientId);
  // One spelling, so that the id that people see is the address that is asked.
  const isPlain =
    href === clientId && hash === "" && !clientId.includes("#") && username === "" && password === "";
  return protocol === "https:" && port === "" && pathname !== "/" && isPlain;
}

/**
 * Fetches a client's metadata document: over https, from the public internet, by no redirect, bounded in time and size
 * (OAuth Client ID Metadata Document, sections 4 and 6.5). The address that is connected to is the one that was judged: what
 * a name leads to is looked up once, and a second look is at the connection itself.
 *
 * @throws ApiError `invalid_arg`, with what is wrong; OAuthError
 */
export async function fetchClientDocument(url: string): Promise<ClientMetadata> {
  const value = parse(await fetchText(new URL(url)));
  const { client_id, token_endpoint_auth_method, client_secret } = value as Record<string, unknown>;
  if (client_id !== url) throw unusable("its client_id is another than its own address");
  if (client_secret !== undefined) throw unusable("it has a secret in it, which is none any more");
  if ((token_endpoint_auth_method ?? clientAuthMethod) !== clientAuthMethod)
    throw unusable(`its token_endpoint_auth_method is not "${clientAuthMethod}", which is the only one here`);
  return readClientMetadata(value);
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // As of what is JSON and no object.
  }
  throw unusable("it is no JSON object");
}

async function fetchText(url: URL): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw unusable(notPublic);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(error instanceof ApiError ? error : unusable("it cannot be reached", error));
    const request = https.get(
      url,
      {
        agent: false,
        lookup: publicLookup,
        headers: { accept: "application/json", "user-agent": "Dropleaf" },
        signal: AbortSignal.timeout(oauthLimits.clientDocumentMs),
      },
      (response) => {
        const problem = responseProblem(response.statusCode, response.headers["content-type"]);
        if (problem !== undefined) {
          request.destroy();
          reject(unusable(problem));
          return;
        }
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.byteLength;
          if (bytes > oauthLimits.clientMetadataBytesMax) {
            request.destroy(unusable(`it is larger than ${oauthLimits.clientMetadataBytesMax} bytes`));
          } else chunks.push(chunk);
        });
        response.on("error", fail);
        response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      },
    );
    request.on("error", fail);
    request.on("socket", (socket) => {
      socket.on("connect", () => {
        if (!isPublicAddress(socket.remoteAddress ?? "")) request.destroy(unusable(notPublic));
      });
    });
  });
}

const notPublic = "its address is not one of the public internet";

/** As `dns.lookup`, but of a name that leads anywhere else than to the public internet nothing is told. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error || first === undefined) callback(error ?? unusableName(), "");
    else if (!found.every(({ address }) => isPublicAddress(address))) callback(unusableName(), "");
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

function unusableName(): ApiError {
  return unusable(notPublic);
}

function responseProblem(status: number | undefined, type = ""): string | undefined {
  if (status !== 200) return `it was answered with ${status}, not 200`;
  return /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)
    ? undefined
    : "it is not JSON by its Content-Type";
}

function unusable(why: string, cause?: unknown): ApiError {
  return new ApiError("invalid_arg", {
    message: `The program that sent you here says of itself who it is, but that cannot be used: ${why}.`,
    cause,
  });
}
