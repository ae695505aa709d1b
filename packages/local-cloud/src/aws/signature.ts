import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpRequest } from "@smithy/core/protocols";
import { Hash } from "@smithy/core/serde";
import { createScope, getCanonicalHeaders, getSigningKey, SignatureV4 } from "@smithy/signature-v4";
import { splitPair } from "../http-message.ts";
import { Refusal } from "./aws-error.ts";

const ALGORITHM = "AWS4-HMAC-SHA256";
const CLOCK_SKEW_MS_MAX = 15 * 60 * 1000;
const PRESIGNED_SECONDS_MAX = 7 * 24 * 60 * 60;

/** The parts of a request that a signature covers. */
export interface SignedParts {
  readonly method: string;
  /** The path as it was sent, percent-encoded. */
  readonly path: string;
  /** Decoded query parameters, in the order sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: IncomingHttpHeaders;
}

/** A request's signature and its parameters, as sent. `verifySignature` verifies them. */
interface SignatureClaim {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** Time of the request, as `YYYYMMDD'T'HHMMSS'Z'`. */
  readonly requestTime: string;
  /** Lifetime of a presigned URL. Undefined for other requests. */
  readonly expiresSeconds?: number;
}

/** Decodes the percent-encoding of a raw query string, as AWS does for signatures. A `+` stays a plus sign. */
export function parseQuery(rawQuery: string): [string, string][] {
  if (rawQuery === "") return [];
  return rawQuery.split("&").map((pair) => {
    const [name, value] = splitPair(pair);
    return [decode(name), decode(value)];
  });
}

/** Reads the signature from the Authorization header or a presigned URL's query. Returns undefined if the request has neither. */
export function readSignature(parts: SignedParts): SignatureClaim | undefined {
  const authorization = parts.headers.authorization;
  if (authorization !== undefined) return claimOfHeader(authorization, parts.headers);
  const query = new Map(parts.query);
  return query.has("X-Amz-Signature") ? claimOfQuery(query) : undefined;
}

/**
 * Verifies that the request's time is valid, that every required header is signed, and that the signature matches the secret key. Sources:
 * "Create a signed AWS API request" and "Authenticating Requests (AWS Signature Version 4)".
 */
export async function verifySignature(
  claim: SignatureClaim,
  parts: SignedParts,
  payloadHash: string,
  secretAccessKey: string,
  nowMs: number,
): Promise<void> {
  refuseWrongTime(claim, nowMs);
  refuseUnsignedHeaders(claim, parts.headers);
  const expected = await signatureOf(claim, parts, payloadHash, secretAccessKey);
  if (claim.signature !== expected) {
    throw new Refusal(
      "wrong-signature",
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.",
    );
  }
}

/** Returns the lower-case hex SHA-256 that SigV4 uses for requests and payloads. */
export function sha256Hex(data: string | Buffer): string {
  return hash("sha256", data);
}

function claimOfHeader(authorization: string, headers: IncomingHttpHeaders): SignatureClaim {
  const match = /^AWS4-HMAC-SHA256\s+(.*)$/.exec(authorization);
  if (!match?.[1]) {
    throw malformed(
      `the Authorization header must begin with ${ALGORITHM}, not "${authorization.split(" ")[0]}"`,
    );
  }
  const fields = new Map(match[1].split(",").map((field) => splitPair(field.trim())));
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

function claimOf(
  fields: Record<"credential" | "signedHeaders" | "signature" | "requestTime", string | undefined>,
): SignatureClaim {
  const [accessKeyId, date, region, service, terminator] = fields.credential?.split("/") ?? [];
  if (!accessKeyId || !date || !region || !service || terminator !== "aws4_request") {
    throw malformed("the credential must read <access key id>/<date>/<region>/<service>/aws4_request");
  }
  if (!fields.signedHeaders || !fields.signature) throw malformed("SignedHeaders and Signature are required");
  if (!fields.requestTime || Number.isNaN(timeMs(fields.requestTime))) {
    throw malformed("X-Amz-Date must read YYYYMMDDTHHMMSSZ");
  }
  if (!fields.requestTime.startsWith(date)) {
    throw malformed(`the credential's date ${date} does not match X-Amz-Date ${fields.requestTime}`);
  }
  const { signature, requestTime } = fields;
  const signedHeaders = fields.signedHeaders.split(";");
  return { accessKeyId, date, region, service, signedHeaders, signature, requestTime };
}

function refuseWrongTime(claim: SignatureClaim, nowMs: number): void {
  const signedMs = timeMs(claim.requestTime);
  if (signedMs > nowMs + CLOCK_SKEW_MS_MAX) {
    const message = `The request was signed for ${claim.requestTime}, which is in the future.`;
    throw new Refusal("clock-skew", message);
  }
  if (claim.expiresSeconds !== undefined) {
    if (nowMs > signedMs + claim.expiresSeconds * 1000) throw new Refusal("expired", "Request has expired");
  } else if (nowMs > signedMs + CLOCK_SKEW_MS_MAX) {
    const message = `Signature expired: ${claim.requestTime} is more than 15 minutes before now.`;
    throw new Refusal("clock-skew", message);
  }
}

/** Refuses unsigned x-amz headers, which anyone could have added in transit. */
function refuseUnsignedHeaders(claim: SignatureClaim, headers: IncomingHttpHeaders): void {
  const required = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  const unsigned = required.filter((name) => !claim.signedHeaders.includes(name));
  // A presigned URL need not sign x-amz-content-sha256, because the payload may not exist when the URL is signed.
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

/** Computes the expected signature of a request, as the AWS SDK does. */
async function signatureOf(
  claim: SignatureClaim,
  parts: SignedParts,
  payloadHash: string,
  secretAccessKey: string,
): Promise<string> {
  const { date, region, service, requestTime } = claim;
  const signerOf = service === "s3" ? s3Signer : signer;
  const canonicalRequest = signerOf.canonicalRequestOf(claim, parts, payloadHash);
  const scope = createScope(date, region, service);
  const stringToSign = [ALGORITHM, requestTime, scope, sha256Hex(canonicalRequest)].join("\n");
  const key = await signingKeyOf(claim, secretAccessKey);
  return createHmac("sha256", key).update(stringToSign).digest("hex");
}

/** Exposes the canonical request of the SDK's signer, so that the signing key is derived once a day instead of for each request. */
class CanonicalRequestSigner extends SignatureV4 {
  constructor({ uriEscapePath }: { readonly uriEscapePath: boolean }) {
    const nobody = { accessKeyId: "", secretAccessKey: "" };
    super({ service: "", region: "", credentials: nobody, sha256: Sha256, uriEscapePath });
  }

  canonicalRequestOf(claim: SignatureClaim, parts: SignedParts, payloadHash: string): string {
    const signed = claim.signedHeaders.map((name) => [name, String(parts.headers[name] ?? "")]);
    const headersOfClaim = Object.fromEntries(signed) as Record<string, string>;
    const request = new HttpRequest({ ...parts, query: unsignedQuery(parts), headers: headersOfClaim });
    const headers = getCanonicalHeaders(request, undefined, new Set(claim.signedHeaders));
    return this.createCanonicalRequest(request, headers, payloadHash);
  }
}

const Sha256 = Hash.bind(null, "sha256");
/** S3 signs the path as sent. The other services encode the path again. */
const s3Signer = new CanonicalRequestSigner({ uriEscapePath: false });
const signer = new CanonicalRequestSigner({ uriEscapePath: true });

/** Maximum number of cached signing keys: one for each function, service and day, and one for each secret key that a test tries. */
const signingKeysMax = 1_000;
const signingKeys = new Map<string, KeyObject>();

async function signingKeyOf(
  { accessKeyId, date, region, service }: SignatureClaim,
  secretAccessKey: string,
): Promise<KeyObject> {
  const name = JSON.stringify([accessKeyId, secretAccessKey, date, region, service]);
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const key = createSecretKey(
    await getSigningKey(Sha256, { accessKeyId, secretAccessKey }, date, region, service),
  );
  if (signingKeys.size >= signingKeysMax) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function unsignedQuery({ query }: SignedParts): Record<string, string[]> {
  const values = Map.groupBy(query, ([name]) => name);
  values.delete("X-Amz-Signature");
  return Object.fromEntries([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

function timeMs(requestTime: string): number {
  const pattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  return pattern.test(requestTime)
    ? Date.parse(requestTime.replace(pattern, "$1-$2-$3T$4:$5:$6Z"))
    : Number.NaN;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(`"${text}" is not valid percent-encoding`);
  }
}

function malformed(problem: string): Refusal {
  return new Refusal("malformed-signature", `The request's signature cannot be read: ${problem}.`);
}
