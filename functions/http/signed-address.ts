import { SignatureV4 } from "@smithy/signature-v4";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { Sha256 } from "../table/aws-client.ts";
import { dynamodb } from "../table/table.ts";

/** A request that S3 accepts from anyone who has its URL. */
interface SignedRequest {
  readonly method: "GET" | "PUT";
  /** The environment variable that names the bucket. @default - the bucket of files */
  readonly bucket?: typeof environmentNames.blobsBucket | typeof environmentNames.pagesBucket;
  readonly objectKey: string;
  /** Headers that the request must have. @default - none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query of the signed request. @default - none */
  readonly query?: Readonly<Record<string, string>>;
}

/** An object that is read through the edge. */
export type EdgeObject = Pick<SignedRequest, "bucket" | "objectKey">;

type EdgeRequest = EdgeObject & Required<Pick<SignedRequest, "query">>;

/**
 * Signs a URL for one request. S3 refuses other requests with this URL, and refuses this request after the URL has expired.
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
 * Signs the path and query for reading a file through the edge. The signature is valid for the bucket's own domain, from which the edge
 * requests the same path and query. S3 checks every parameter, so none can be added or changed.
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
  // Signing does not use the S3 client, which would make up a large part of a cold start.
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
  // Spaces are encoded as %20, because S3 does not read a plus sign as a space.
  url.search = new URLSearchParams(signed.query as Record<string, string>).toString().replaceAll("+", "%20");
  return url.href;
}
