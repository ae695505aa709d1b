import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { resourcesOfType, type Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import { decide } from "../policy.ts";
import { type PolicyStatement, parseStatements } from "../policy-statement.ts";
import { getObject } from "./get-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { tagConditionKeys } from "./object-tagging.ts";
import { accessDenied, errorDocument, noSuchBucket } from "./s3-errors.ts";

const CLOUDFRONT = "cloudfront.amazonaws.com";

/** A read request from CloudFront, signed for one distribution. */
export interface OriginRequest {
  /** ARN like `arn:aws:cloudfront::000000000000:distribution/<id>`, which the bucket's policy may require. */
  readonly distributionArn: string;
  /** @default "GET" */
  readonly method?: "GET" | "HEAD";
  readonly range?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A response of S3. The body of an error is S3's XML. */
export interface OriginResponse {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stream that must be read or destroyed. */
  readonly body: Readable;
}

/** Reads an object as CloudFront does. */
export type OriginReader = (bucket: string, key: string, request: OriginRequest) => Promise<OriginResponse>;

/**
 * Reads objects for CloudFront, if the bucket's policy allows CloudFront's service principal; see "Restrict access to an Amazon S3 origin",
 * CloudFront developer guide.
 *
 * @throws Error on a statement for CloudFront that the local cloud does not evaluate
 */
export function createOriginReader(
  template: Template,
  stores: ReadonlyMap<string, ObjectStore>,
): OriginReader {
  const statements = new Map(
    [...stores.keys()].map((bucket) => [bucket, cloudFrontStatements(template, bucket)]),
  );
  return async (bucket, key, request) => {
    try {
      const store = stores.get(bucket);
      if (!store) throw noSuchBucket(bucket);
      const tags = await tagConditionKeys(store, key);
      const isAllowed = (action: string, resourceArn: string) =>
        decide(statements.get(bucket) ?? [], {
          action,
          resourceArn,
          conditionKeys: { "aws:SourceArn": [request.distributionArn], ...tags },
        }) === "allowed";
      if (!isAllowed("s3:GetObject", `arn:aws:s3:::${bucket}/${key}`)) throw accessDenied();
      const { method = "GET", range, ifMatch, ifNoneMatch } = request;
      const withBody = method === "GET";
      return await getObject(store, { key, withBody, range, ifMatch, ifNoneMatch }).catch((error) => {
        // Callers that may not list the bucket must not learn which keys exist.
        const isMissing = error instanceof AwsError && error.code === "NoSuchKey";
        const mayList = isAllowed("s3:ListBucket", `arn:aws:s3:::${bucket}`);
        throw isMissing && !mayList ? accessDenied() : error;
      });
    } catch (error) {
      if (error instanceof AwsError) return errorResponse(error, `/${key}`);
      throw error;
    }
  };
}

/**
 * Returns the statements whose principal is CloudFront. Statements for other principals are ignored, such as a Deny for everyone without
 * TLS.
 */
function cloudFrontStatements(template: Template, bucket: string): PolicyStatement[] {
  return resourcesOfType(template, "AWS::S3::BucketPolicy")
    .filter((policy) => policy.properties.Bucket === bucket)
    .flatMap(({ logicalId, properties }) => {
      const document = properties.PolicyDocument as { Statement: { Principal?: { Service?: unknown } }[] };
      const forCloudFront = document.Statement.filter((statement) =>
        [statement.Principal?.Service].flat().includes(CLOUDFRONT),
      );
      return parseStatements({ Statement: forCloudFront }, logicalId);
    });
}

function errorResponse(error: AwsError, path: string): OriginResponse {
  const xml = errorDocument(error, { id: randomUUID(), path });
  return {
    status: error.status,
    headers: {
      "content-type": "application/xml",
      "content-length": String(Buffer.byteLength(xml)),
      ...error.headers,
    },
    body: Readable.from([xml]),
  };
}
