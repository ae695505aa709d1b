import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { resourcesOfType, type Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import { decide } from "../policy.ts";
import { type PolicyStatement, parseStatements } from "../policy-statement.ts";
import { type GetObjectRequest, getObject, type ObjectResponse } from "./get-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { tagConditionKeys } from "./object-tagging.ts";
import { accessDenied, errorDocument, noSuchBucket } from "./s3-errors.ts";

const CLOUDFRONT = "cloudfront.amazonaws.com";

/** A read request from CloudFront, signed for one distribution. */
interface OriginRequest extends Omit<GetObjectRequest, "key" | "versionId" | "withChecksum"> {
  /** ARN like `arn:aws:cloudfront::000000000000:distribution/<id>`, which the bucket's policy may require. */
  readonly distributionArn: string;
}

/** Reads an object as CloudFront does. */
export type OriginReader = (bucket: string, key: string, request: OriginRequest) => Promise<ObjectResponse>;

/**
 * Reads objects for CloudFront, if the bucket's policy allows CloudFront's service principal; see "Restrict access to an Amazon S3 origin".
 * Throws an Error for a statement that the local cloud does not evaluate.
 */
export function createOriginReader(
  template: Template,
  stores: ReadonlyMap<string, ObjectStore>,
): OriginReader {
  const statements = new Map(
    [...stores.keys()].map((bucket) => [bucket, cloudFrontStatements(template, bucket)]),
  );
  return async (bucket, key, { distributionArn, ...request }) => {
    try {
      const store = stores.get(bucket);
      if (!store) throw noSuchBucket(bucket);
      const tags = await tagConditionKeys(store, key);
      const isAllowed = (action: string, resourceArn: string) =>
        decide(statements.get(bucket) ?? [], {
          action,
          resourceArn,
          conditionKeys: { "aws:SourceArn": [distributionArn], ...tags },
        }) === "allowed";
      if (!isAllowed("s3:GetObject", `arn:aws:s3:::${bucket}/${key}`)) throw accessDenied();
      return await getObject(store, { key, ...request }).catch((error) => {
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

/** Returns the statements whose principal is CloudFront. Other statements are ignored, such as a Deny for everyone without TLS. */
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

function errorResponse(error: AwsError, path: string): ObjectResponse {
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
