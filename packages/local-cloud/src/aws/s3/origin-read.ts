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

/** A read by CloudFront, which signs it for one distribution. */
export interface OriginRequest {
  /** `arn:aws:cloudfront::000000000000:distribution/<id>`: the bucket's policy may name it. */
  readonly distributionArn: string;
  /** @default "GET" */
  readonly method?: "GET" | "HEAD";
  readonly range?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A response of S3, errors included: those have S3's XML as body. */
export interface OriginResponse {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read or destroyed. */
  readonly body: Readable;
}

/** Reads from the buckets as CloudFront does. */
export type OriginReader = (bucket: string, key: string, request: OriginRequest) => Promise<OriginResponse>;

/**
 * Reads objects for CloudFront, as far as each bucket's policy allows its service principal. Source: "Restrict
 * access to an Amazon S3 origin" of the CloudFront Developer Guide.
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

/** Statements that apply to CloudFront. Those for other principals, such as denying requests without TLS to all, do not. */
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
