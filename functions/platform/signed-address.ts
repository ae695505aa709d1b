import { SignatureV4 } from "@smithy/signature-v4";
import { environmentNames, readEnvironment } from "./environment.ts";
import { Sha256 } from "./sha256.ts";
import { dynamodb } from "./table.ts";

/** A request that S3 takes from whoever has its address. */
interface SignedRequest {
  readonly method: "GET" | "PUT";
  /** The environment variable that names the bucket. @default - that of files */
  readonly bucket?: typeof environmentNames.blobsBucket | typeof environmentNames.pagesBucket;
  readonly objectKey: string;
  /** What must come with it. @default - nothing */
  readonly headers?: Readonly<Record<string, string>>;
  /** What S3 is to do beside. @default - nothing */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Signs an address for one request: S3 itself refuses any other, and this one after the time.
 *
 * Source: Amazon S3 user guide, "Download and upload objects with presigned URLs".
 */
export async function signAddress(
  { method, bucket = environmentNames.blobsBucket, objectKey, headers = {}, query = {} }: SignedRequest,
  expiresInSeconds: number,
): Promise<string> {
  // Of any client of this process: to sign takes no client of S3, which is a large part of a function that starts.
  const { region: findRegion, credentials } = dynamodb.config;
  const region = await findRegion();
  const endpoint = new URL(process.env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`);
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const path = `/${readEnvironment(bucket)}/${objectKey}`;
  const request = {
    method,
    protocol: endpoint.protocol,
    hostname: endpoint.hostname,
    path,
    query,
    headers: { ...headers, host: endpoint.host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
  };
  const signed = await signer.presign(request, { expiresIn: expiresInSeconds });
  const url = new URL(path, endpoint);
  // With %20 for spaces: S3 reads a plus as one.
  url.search = new URLSearchParams(signed.query as Record<string, string>).toString().replaceAll("+", "%20");
  return url.href;
}
