import { SignatureV4 } from "@smithy/signature-v4";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { Sha256 } from "../table/aws-client.ts";
import { dynamodb } from "../table/table.ts";

/** A request that S3 accepts from anyone who has its signed URL. */
interface SignedRequest {
  readonly method: "GET" | "PUT";
  /** Environment variable with the bucket's name. @default - the bucket of files */
  readonly bucket?: typeof environmentNames.blobsBucket | typeof environmentNames.pagesBucket;
  readonly objectKey: string;
  /** Headers that the request must have, with these values. @default - none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters that the request must have. @default - none */
  readonly query?: Readonly<Record<string, string>>;
}

/** An object in a bucket, to be read through the edge. */
export type EdgeObject = Pick<SignedRequest, "bucket" | "objectKey">;

type EdgeRequest = EdgeObject & Required<Pick<SignedRequest, "query">>;

/**
 * Signs a URL for one request. S3 refuses any other request with this URL, and every request after the URL has expired.
 *
 * Source: Amazon S3 user guide, "Download and upload objects with presigned URLs".
 */
export async function signAddress(
  { bucket = environmentNames.blobsBucket, objectKey, ...request }: SignedRequest,
  expiresInSeconds: number,
): Promise<string> {
  const endpoint =
    process.env.AWS_ENDPOINT_URL ?? `https://s3.${await dynamodb.config.region()}.amazonaws.com`;
  return sign(new URL(`/${readEnvironment(bucket)}/${objectKey}`, endpoint), request, expiresInSeconds);
}

/**
 * Signs a path and query for reading an object through the edge. The signature is for the bucket's own domain, to which the edge forwards
 * the same path and query. S3 checks every parameter, so parameters cannot be added or changed.
 *
 * Sources: CloudFront developer guide, "HTTP request headers and CloudFront behavior (custom and Amazon S3 origins)"; Amazon S3 API
 * reference, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
 */
export async function signEdgePath(
  { bucket: variable = environmentNames.blobsBucket, objectKey, query }: EdgeRequest,
  expiresInSeconds: number,
): Promise<string> {
  const bucket = readEnvironment(variable);
  const origin = `https://${bucket}.s3.${await dynamodb.config.region()}.amazonaws.com`;
  const signed = await sign(new URL(`/${objectKey}`, origin), { method: "GET", query }, expiresInSeconds);
  return signed.slice(origin.length);
}

async function sign(
  url: URL,
  { method, headers = {}, query = {} }: Pick<SignedRequest, "method" | "headers" | "query">,
  expiresInSeconds: number,
): Promise<string> {
  // Signs without the S3 client, which would take a large part of a cold start.
  const { region, credentials } = dynamodb.config;
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const request = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query,
    headers: { ...headers, host: url.host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
  };
  const signed = await signer.presign(request, { expiresIn: expiresInSeconds });
  // Encodes spaces as %20, because S3 does not read a plus sign as a space.
  url.search = new URLSearchParams(signed.query as Record<string, string>).toString().replaceAll("+", "%20");
  return url.href;
}
