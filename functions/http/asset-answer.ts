import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import preferredEncodings from "negotiator/lib/encoding.js";
import { ApiError } from "../contract/api-error.ts";
import { type HttpAnswer, jsonHeaders } from "./answer.ts";
import type { HttpRequest } from "./request.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/**
 * A file that lies beside the function's code, compressed. Its name changes with what it holds, so that a browser may
 * keep it for good (RFC 8246).
 *
 * @throws ApiError `not_found` for any other name
 */
export async function findAsset(name: string, request: HttpRequest): Promise<HttpAnswer> {
  const directory = import.meta.dirname;
  const type = types[extname(name)];
  const names = await readdir(directory);
  if (type === undefined || !names.includes(`${name}.br`)) throw new ApiError("not_found");
  const bytes = await readFile(join(directory, `${name}.br`));
  const isBrotli = takesBrotli(request);
  return {
    status: 200,
    headers: {
      ...jsonHeaders,
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      ...(isBrotli ? { "content-encoding": "br" } : {}),
    },
    body: isBrotli ? bytes : await promisify(brotliDecompress)(bytes),
  };
}

function takesBrotli(request: HttpRequest): boolean {
  const accepted = request.headers["accept-encoding"]?.join(", ");
  return accepted !== undefined && preferredEncodings(accepted, ["br"]).includes("br");
}
