import { request as httpRequest, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Concurrent requests, each with its own body. */
export interface IngestLoad {
  readonly name: string;
  readonly requests: number;
  readonly path: string;
  readonly contentType: string;
  readonly bodyBytes: number;
  readonly hasLength: boolean;
  /** Returns a piece of the body that starts at this byte. */
  readonly pieceAt: (start: number, bytesMax: number) => Uint8Array;
}

const pieceBytes = 64 * 1024;
const zeros = Buffer.alloc(pieceBytes);

/** Files of 25 MiB, the maximum. */
export function blobLoad(requests: number, hasLength: boolean): IngestLoad {
  return {
    name: `${requests} files of 25 MiB, ${hasLength ? "with" : "without"} a length`,
    requests,
    path: "/api/blobs?filename=file.bin",
    contentType: "application/octet-stream",
    bodyBytes: 26_214_400,
    hasLength,
    pieceAt: (_, bytesMax) => zeros.subarray(0, bytesMax),
  };
}

/** Pages of 2 MiB with every character escaped: 12.6 MB of JSON. */
export function pageLoad(requests: number): IngestLoad {
  const text = Buffer.from(`{"title":"x","html":"${"\\u0061".repeat(2_097_152)}"}`);
  return {
    name: `${requests} pages of 2 MiB, every character an escape`,
    requests,
    path: "/api/drops",
    contentType: "application/json",
    bodyBytes: text.byteLength,
    hasLength: true,
    pieceAt: (start, bytesMax) => text.subarray(start, start + bytesMax),
  };
}

/**
 * Sends all requests concurrently.
 *
 * @throws Error when a response is not 201
 */
export async function sendAll(
  address: string,
  load: IngestLoad,
  tokenAt: (index: number) => string,
): Promise<void> {
  await Promise.all(Array.from({ length: load.requests }, (_, index) => send(address, load, tokenAt(index))));
}

async function send(address: string, load: IngestLoad, token: string): Promise<void> {
  const request = httpRequest(new URL(load.path, address), {
    method: "POST",
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": load.contentType,
      ...(load.hasLength ? { "content-length": load.bodyBytes } : {}),
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  });
  const [{ statusCode }] = await Promise.all([
    response.then((incoming) => incoming.resume()),
    pipeline(Readable.from(piecesOf(load)), request),
  ]);
  if (statusCode !== 201)
    throw new Error(`${load.name}: a request was answered with ${statusCode}, not 201.`);
}

function* piecesOf({ bodyBytes, pieceAt }: IngestLoad): Generator<Uint8Array> {
  for (let start = 0; start < bodyBytes; start += pieceBytes) {
    yield pieceAt(start, Math.min(pieceBytes, bodyBytes - start));
  }
}
