import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc32c, Crc64Nvme } from "@aws-sdk/checksums/crc";
import { AwsError, Refusal } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { parseXml, type XmlElement } from "../xml.ts";
import { decodeAwsChunked } from "./aws-chunked.ts";
import { requestHeader } from "./request-header.ts";
import { badDigest, notImplemented } from "./s3-errors.ts";

const STREAMED = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

/** A checksum that is computed while a body arrives in pieces. */
interface RunningChecksum {
  update(bytes: Buffer): unknown;
  /** Returns the checksum. Must be called once, at the end. */
  digest(): Uint8Array | Promise<Uint8Array>;
}

/** The checksum algorithms of S3's `x-amz-checksum-*` headers. */
const checksums = {
  crc32: startCrc32,
  crc32c: () => new Crc32c(),
  crc64nvme: () => new Crc64Nvme(),
  sha1: () => createHash("sha1"),
  sha256: () => createHash("sha256"),
} satisfies Readonly<Record<string, () => RunningChecksum>>;
type ChecksumAlgorithm = keyof typeof checksums;

function startCrc32(): RunningChecksum {
  let value = 0;
  return {
    update(bytes) {
      value = crc32(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

/** A checksum that the client sent, and that matched the body. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
}

/** Returns the headers with a whole object's checksum, or no headers without a checksum. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (!checksum) return {};
  return { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value, "x-amz-checksum-type": "FULL_OBJECT" };
}

/** Size and digests of a received body. All digests that the client sent were verified. */
interface ReceivedPayload {
  readonly sizeBytes: number;
  readonly md5Hex: string;
  readonly checksum: Checksum | undefined;
}

/**
 * Reads a request's body in pieces and decodes aws-chunked framing. Verifies every length and digest that the client sent: Content-MD5,
 * x-amz-content-sha256, and x-amz-checksum-* as a header or trailer. `write` receives the pieces in order.
 *
 * @throws AwsError such as EntityTooLarge for a body above `bytesMax`
 */
export async function receivePayload(
  request: AwsRequest,
  bytesMax: number,
  write: (bytes: Buffer) => Promise<void>,
): Promise<ReceivedPayload> {
  const expected = expectationOf(request);
  if (expected.sizeBytes > bytesMax) throw entityTooLarge(expected.sizeBytes, bytesMax);
  const md5 = createHash("md5");
  const sha256 = expected.sha256Hex === undefined ? undefined : createHash("sha256");
  const checksum = expected.algorithm && checksums[expected.algorithm]();
  const trailers = new Map<string, string>();
  // The stream stays open on errors, so that the client still receives the error.
  const arriving: AsyncIterable<Buffer> = request.stream.iterator({ destroyOnReturn: false });
  let sizeBytes = 0;
  for await (const bytes of expected.isChunked ? decodeAwsChunked(arriving, trailers) : arriving) {
    sizeBytes += bytes.length;
    if (sizeBytes > expected.sizeBytes) throw wrongLength(sizeBytes, expected.sizeBytes);
    md5.update(bytes);
    sha256?.update(bytes);
    checksum?.update(bytes);
    await write(bytes);
  }
  if (sizeBytes !== expected.sizeBytes) throw wrongLength(sizeBytes, expected.sizeBytes);
  if (sha256 && sha256.digest("hex") !== expected.sha256Hex) {
    throw new Refusal("wrong-payload-hash", "The provided 'x-amz-content-sha256' header does not match.");
  }
  const md5Digest = md5.digest();
  if (expected.md5 !== undefined && md5Digest.toString("base64") !== expected.md5) {
    throw badDigest("Content-MD5");
  }
  return {
    sizeBytes,
    md5Hex: md5Digest.toString("hex"),
    checksum: await matchingChecksum(expected, checksum, trailers),
  };
}

/**
 * Reads and verifies a request's body like `receivePayload`, and parses it as XML. With `needsDigest`, refuses a body without Content-MD5
 * and without a checksum. Returns the root element, or undefined if the document has another root.
 */
export async function receiveXml(
  request: AwsRequest,
  rootName: string,
  { bytesMax, needsDigest }: { readonly bytesMax: number; readonly needsDigest: boolean },
): Promise<XmlElement | undefined> {
  const pieces: Buffer[] = [];
  const { checksum } = await receivePayload(request, bytesMax, async (bytes) => void pieces.push(bytes));
  if (needsDigest && !checksum && requestHeader(request, "content-md5") === undefined)
    throw new AwsError("InvalidRequest", 400, "Missing required header for this request: Content-MD5");
  return parseXml(Buffer.concat(pieces).toString("utf8"), rootName);
}

interface Expectation {
  readonly sizeBytes: number;
  readonly isChunked: boolean;
  readonly sha256Hex: string | undefined;
  readonly md5: string | undefined;
  readonly algorithm: ChecksumAlgorithm | undefined;
  /** Checksum from a header. Undefined if the checksum is sent as a trailer. */
  readonly checksum: string | undefined;
}

function expectationOf(request: AwsRequest): Expectation {
  const { payloadHash } = request;
  const isChunked = payloadHash === STREAMED;
  const sha256Hex = /^[0-9a-f]{64}$/.test(payloadHash) ? payloadHash : undefined;
  if (!isChunked && sha256Hex === undefined && payloadHash !== "UNSIGNED-PAYLOAD") {
    throw notImplemented(`The x-amz-content-sha256 "${payloadHash}"`);
  }
  const lengthHeader = isChunked ? "x-amz-decoded-content-length" : "content-length";
  const length = requestHeader(request, lengthHeader);
  if (length === undefined || !/^\d+$/.test(length)) {
    throw new AwsError("MissingContentLength", 411, `You must provide the ${lengthHeader} HTTP header.`);
  }
  const algorithm = (Object.keys(checksums) as ChecksumAlgorithm[]).find(
    (candidate) =>
      requestHeader(request, `x-amz-checksum-${candidate}`) !== undefined ||
      requestHeader(request, "x-amz-trailer") === `x-amz-checksum-${candidate}`,
  );
  return {
    sizeBytes: Number(length),
    isChunked,
    sha256Hex,
    md5: parseMd5(requestHeader(request, "content-md5")),
    algorithm,
    checksum: algorithm && requestHeader(request, `x-amz-checksum-${algorithm}`),
  };
}

function parseMd5(header: string | undefined): string | undefined {
  if (header !== undefined && Buffer.from(header, "base64").length !== 16) {
    throw new AwsError("InvalidDigest", 400, "The Content-MD5 you specified was invalid.");
  }
  return header;
}

async function matchingChecksum(
  expected: Expectation,
  running: RunningChecksum | undefined,
  trailers: ReadonlyMap<string, string>,
): Promise<Checksum | undefined> {
  const { algorithm } = expected;
  if (!algorithm || !running) return undefined;
  const given = expected.checksum ?? trailers.get(`x-amz-checksum-${algorithm}`);
  if (given === undefined) {
    throw new AwsError("MalformedTrailerError", 400, `The trailer x-amz-checksum-${algorithm} is missing.`);
  }
  const value = Buffer.from(await running.digest()).toString("base64");
  if (value !== given) throw badDigest(algorithm.toUpperCase());
  return { algorithm, value };
}

function wrongLength(sizeBytes: number, expectedBytes: number): AwsError {
  return new AwsError(
    "IncompleteBody",
    400,
    `The request announced a body of ${expectedBytes} bytes, but ${sizeBytes} bytes were sent.`,
  );
}

function entityTooLarge(sizeBytes: number, bytesMax: number): AwsError {
  return new AwsError("EntityTooLarge", 400, "Your proposed upload exceeds the maximum allowed size", {
    ProposedSize: String(sizeBytes),
    MaxSizeAllowed: String(bytesMax),
  });
}
