import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import preferredEncodings from "negotiator/lib/encoding.js";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";

/** Below this, what compression adds is as much as it saves. */
const bytesMin = 1_000;

const encoders = {
  // A page of 100 KB takes 2 ms at level 5, and is no smaller at 6 to 9.
  br: (body: string) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: string) => promisify(gzip)(body),
} as const;

/**
 * A page in the encoding that the browser prefers. The edge leaves to the origin what it must not keep: CloudFront
 * compresses nothing under a cache policy whose lifetimes are 0 (developer guide, "Serve compressed files"). Answers in
 * bytes are left as they are: published pages have a policy of their own.
 */
export async function compressed(response: HttpResponse, request: HttpRequest): Promise<HttpResponse> {
  const { body, headers } = response;
  if (typeof body !== "string" || Buffer.byteLength(body) < bytesMin) return response;
  const vary = {
    ...headers,
    vary: headers.vary === undefined ? "Accept-Encoding" : `${headers.vary}, Accept-Encoding`,
  };
  const encoding = preferredEncoding(request);
  if (encoding === undefined) return { ...response, headers: vary };
  return {
    ...response,
    headers: { ...vary, "content-encoding": encoding },
    body: await encoders[encoding](body),
  };
}

function preferredEncoding(request: HttpRequest): keyof typeof encoders | undefined {
  const accepted = request.headers["accept-encoding"]?.join(", ");
  if (accepted === undefined) return undefined;
  // Of equal ones, the first here.
  const [chosen] = preferredEncodings(accepted, ["br", "gzip", "identity"], ["br", "gzip"]);
  return chosen === "br" || chosen === "gzip" ? chosen : undefined;
}
