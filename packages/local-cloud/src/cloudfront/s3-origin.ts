import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import { headerOverrides } from "../aws/s3/get-object.ts";
import type { OriginReader } from "../aws/s3/origin-read.ts";
import {
  fromRawHeaders,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  targetOf,
  withoutHeaders,
} from "../http-message.ts";
import type { OriginHandler } from "./origin-fetch.ts";

/**
 * Serves reads at the host names of buckets. CloudFront does not sign requests to an origin without access control. S3 then receives the
 * request unchanged, and verifies the signature if its query has one.
 */
export function s3Origin(
  { readObject, url }: Pick<AwsEndpoint, "readObject" | "url">,
  distributionArn: string,
): OriginHandler {
  return (request, origin) => {
    const bucket = /^(.+?)\.s3[.-](?:[a-z0-9-]+\.)?amazonaws\.com$/.exec(origin.domainName)?.[1];
    if (bucket === undefined) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD")
      return Promise.resolve(refusal(405, "MethodNotAllowed"));
    if (!origin.hasAccessControl) return forward(request, url);
    return read(readObject, bucket, request, distributionArn);
  };
}

async function read(
  readObject: OriginReader,
  bucket: string,
  request: HttpRequest,
  distributionArn: string,
): Promise<HttpResponse> {
  const key = decodeKey(request.path.slice(1));
  if (key === undefined) return refusal(400, "InvalidURI");
  const {
    status: statusCode,
    headers,
    body,
  } = await readObject(bucket, key, {
    distributionArn,
    withBody: request.method === "GET",
    range: headerValue(request.headers, "range"),
    ifMatch: headerValue(request.headers, "if-match"),
    ifNoneMatch: headerValue(request.headers, "if-none-match"),
  });
  const overrides = statusCode < 300 ? headerOverrides(new URLSearchParams(request.query)) : {};
  const fields = Object.entries({ ...headers, ...overrides, Server: "AmazonS3" });
  return { statusCode, headers: fields, body };
}

/**
 * Forwards a request without X-Amz-Cf-Id, which S3 would require to be signed. CloudFront omits the header when it signs for S3 origins,
 * and signs the header for custom origins; see "Serving SSE-KMS encrypted content from S3 using CloudFront", AWS Networking & Content
 * Delivery Blog.
 */
async function forward(request: HttpRequest, url: string): Promise<HttpResponse> {
  const sent = httpRequest(url, {
    method: request.method,
    path: targetOf(request),
    headers: withoutHeaders(request.headers, ["x-amz-cf-id"]).flat() as never,
  }).end();
  const [incoming] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode = 502, rawHeaders } = incoming;
  return { statusCode, headers: fromRawHeaders(rawHeaders), body: incoming };
}

function decodeKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function refusal(statusCode: number, code: string): HttpResponse {
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
  return { statusCode, headers: [["Content-Type", "application/xml"]], body };
}
