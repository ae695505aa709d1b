import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./refusal.ts";

const ALGORITHM = "AWS4-HMAC-SHA256";
const CLOCK_SKEW_MS_MAX = 15 * 60 * 1000;
const PRESIGNED_SECONDS_MAX = 7 * 24 * 60 * 60;

/** The parts of a request that a signature covers. */
export interface SignedParts {
  readonly method: string;
  /** The path as it was sent, percent-encoded. */
  readonly path: string;
  /** The decoded query, in the order in which it was sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: IncomingHttpHeaders;
}

/** What a request says of its own signature; nothing of it is proven before `verifySignature`. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `YYYYMMDD'T'HHMMSS'Z'`. */
  readonly requestTime: string;
  /** Only in presigned URLs. */
  readonly expiresSeconds?: number;
}

/** Decodes a raw query string as AWS signs it: percent-encoding only, `+` stays a plus. */
export function parseQuery(rawQuery: string): [string, string][] {
  if (rawQuery === "") return [];
  return rawQuery.split("&").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [decode(name), decode(value.join("="))];
  });
}

/** Reads the claim from the Authorization header or a presigned query; undefined when there is neither. */
export function readSignature(parts: SignedParts): SignatureClaim | undefined {
  const authorization = parts.headers.authorization;
  if (authorization !== undefined) return claimOfHeader(authorization, parts.headers);
  const query = new Map(parts.query);
  return query.has("X-Amz-Signature") ? claimOfQuery(query) : undefined;
}

/**
 * Proves a claim: the time is right, every header that matters is signed, the signature is the secret key's.
 * Source: "Create a signed AWS API request" and "Authenticating Requests (AWS Signature Version 4)".
 */
export function verifySignature(
  claim: SignatureClaim,
  parts: SignedParts,
  payloadHash: string,
  secretAccessKey: string,
  nowMs: number,
): void {
  refuseWrongTime(claim, nowMs);
  refuseUnsignedHeaders(claim, parts.headers);
  const stringToSign = [
    ALGORITHM,
    claim.requestTime,
    `${claim.date}/${claim.region}/${claim.service}/aws4_request`,
    sha256Hex(canonicalRequest(claim, parts, payloadHash)),
  ].join("\n");
  const expected = createHmac("sha256", signingKey(claim, secretAccessKey)).update(stringToSign).digest();
  const given = Buffer.from(claim.signature, "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Refusal(
      "wrong-signature",
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.",
    );
  }
}

/** The lower-case hex sha256 that SigV4 uses for requests and payloads. */
export function sha256Hex(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function claimOfHeader(authorization: string, headers: IncomingHttpHeaders): SignatureClaim {
  const match = /^AWS4-HMAC-SHA256\s+(.*)$/.exec(authorization);
  if (!match?.[1]) {
    throw malformed(
      `the Authorization header must begin with ${ALGORITHM}, not "${authorization.split(" ")[0]}"`,
    );
  }
  const fields = new Map(
    match[1].split(",").map((field) => {
      const [name = "", ...value] = field.trim().split("=");
      return [name, value.join("=")];
    }),
  );
  return claimOf({
    credential: fields.get("Credential"),
    signedHeaders: fields.get("SignedHeaders"),
    signature: fields.get("Signature"),
    requestTime: headers["x-amz-date"] as string | undefined,
  });
}

function claimOfQuery(query: ReadonlyMap<string, string>): SignatureClaim {
  if (query.get("X-Amz-Algorithm") !== ALGORITHM) {
    throw malformed(`X-Amz-Algorithm must be ${ALGORITHM}, not "${query.get("X-Amz-Algorithm") ?? ""}"`);
  }
  const expiresSeconds = Number(query.get("X-Amz-Expires") ?? Number.NaN);
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 0 || expiresSeconds > PRESIGNED_SECONDS_MAX) {
    throw malformed(`X-Amz-Expires must be 0 to ${PRESIGNED_SECONDS_MAX} seconds`);
  }
  const claim = claimOf({
    credential: query.get("X-Amz-Credential"),
    signedHeaders: query.get("X-Amz-SignedHeaders"),
    signature: query.get("X-Amz-Signature"),
    requestTime: query.get("X-Amz-Date"),
  });
  return { ...claim, expiresSeconds };
}

function claimOf(fields: {
  credential: string | undefined;
  signedHeaders: string | undefined;
  signature: string | undefined;
  requestTime: string | undefined;
}): SignatureClaim {
  const [accessKeyId, date, region, service, terminator] = fields.credential?.split("/") ?? [];
  if (!accessKeyId || !date || !region || !service || terminator !== "aws4_request") {
    throw malformed("the credential must read <access key id>/<date>/<region>/<service>/aws4_request");
  }
  if (!fields.signedHeaders || !fields.signature) {
    throw malformed("SignedHeaders and Signature are required");
  }
  if (!fields.requestTime || Number.isNaN(timeMs(fields.requestTime))) {
    throw malformed("X-Amz-Date must read YYYYMMDDTHHMMSSZ");
  }
  if (!fields.requestTime.startsWith(date)) {
    throw malformed(`the credential's date ${date} is not that of X-Amz-Date ${fields.requestTime}`);
  }
  return {
    accessKeyId,
    date,
    region,
    service,
    signedHeaders: fields.signedHeaders.split(";"),
    signature: fields.signature,
    requestTime: fields.requestTime,
  };
}

function refuseWrongTime(claim: SignatureClaim, nowMs: number): void {
  const signedMs = timeMs(claim.requestTime);
  if (signedMs > nowMs + CLOCK_SKEW_MS_MAX) {
    throw new Refusal(
      "clock-skew",
      `The request was signed for ${claim.requestTime}, which is in the future.`,
    );
  }
  if (claim.expiresSeconds !== undefined) {
    if (nowMs > signedMs + claim.expiresSeconds * 1000) throw new Refusal("expired", "Request has expired");
  } else if (nowMs > signedMs + CLOCK_SKEW_MS_MAX) {
    throw new Refusal(
      "clock-skew",
      `Signature expired: ${claim.requestTime} is more than 15 minutes before now.`,
    );
  }
}

/** An x-amz header that is not signed could have been added by anyone on the way. */
function refuseUnsignedHeaders(claim: SignatureClaim, headers: IncomingHttpHeaders): void {
  const required = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  const unsigned = required.filter((name) => !claim.signedHeaders.includes(name));
  // The payload hash of a presigned URL is not a header that the signer knows.
  const offending = unsigned.filter(
    (name) => name !== "x-amz-content-sha256" || claim.expiresSeconds === undefined,
  );
  if (offending.length > 0) {
    throw new Refusal(
      "unsigned-headers",
      `There were headers present in the request which were not signed: ${offending.join(", ")}`,
    );
  }
}

function canonicalRequest(claim: SignatureClaim, parts: SignedParts, payloadHash: string): string {
  const query = parts.query
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const headers = claim.signedHeaders.map((name) => `${name}:${headerValue(parts.headers[name])}\n`).join("");
  // S3 signs the path as sent; the other services encode it once more.
  const path = claim.service === "s3" ? parts.path : parts.path.split("/").map(encode).join("/");
  return [parts.method, path, query, headers, claim.signedHeaders.join(";"), payloadHash].join("\n");
}

function signingKey(claim: SignatureClaim, secretAccessKey: string): Buffer {
  return [claim.date, claim.region, claim.service, "aws4_request"].reduce<Buffer>(
    (key, part) => createHmac("sha256", key).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
}

function headerValue(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(",") : (value ?? "");
  return text.trim().replace(/ +/g, " ");
}

function timeMs(requestTime: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(requestTime);
  if (!match) return Number.NaN;
  const [, year, month, day, hours, minutes, seconds] = match;
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(`"${text}" is not valid percent-encoding`);
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function malformed(problem: string): Refusal {
  return new Refusal("malformed-signature", `The request's signature cannot be read: ${problem}.`);
}
