import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, AwsService } from "../aws-service.ts";
import { element, parent } from "../xml.ts";
import { cloudFrontDocument, cloudFrontWireFormat, noSuchDistribution } from "./cloudfront-errors.ts";
import { type InvalidationBatch, parseInvalidationBatch } from "./invalidation.ts";

/** The edge of a distribution, as far as the API reaches it. */
export interface InvalidatedEdge {
  /** The id of the distribution. */
  readonly distributionId: string;
  readonly invalidate: (paths: readonly string[]) => void;
}

/** CloudFront's API: CreateInvalidation. */
export interface CloudFrontService extends AwsService {
  /** From now on, invalidations of this distribution reach this edge. */
  connectEdge(edge: InvalidatedEdge): void;
}

/** Remembered to recognize a repeated request. */
interface Invalidation extends InvalidationBatch {
  readonly id: string;
  readonly createdAt: string;
}

const REMEMBERED_MAX = 1_000;

/** Serves the API for the edges that are connected to it. */
export function createCloudFrontService(): CloudFrontService {
  const edges = new Map<string, InvalidatedEdge>();
  const invalidations = new Map<string, Invalidation>();

  function create(edge: InvalidatedEdge, batch: InvalidationBatch): Invalidation {
    const key = `${edge.distributionId} ${batch.callerReference}`;
    const earlier = invalidations.get(key);
    if (earlier) return sameOrThrow(earlier, batch);
    edge.invalidate(batch.paths);
    const id = `I${randomBytes(12).toString("hex").toUpperCase()}`;
    const invalidation = { ...batch, id, createdAt: new Date().toISOString() };
    invalidations.set(key, invalidation);
    for (const oldest of invalidations.keys()) {
      if (invalidations.size <= REMEMBERED_MAX) break;
      invalidations.delete(oldest);
    }
    return invalidation;
  }

  return {
    signingName: "cloudfront",
    wireFormat: cloudFrontWireFormat,
    bodyBytesMax: 1024 * 1024,
    connectEdge: (edge) => void edges.set(edge.distributionId, edge),
    async handle(request, response) {
      const distributionId = distributionToInvalidate(request);
      request.authorize({
        action: "cloudfront:CreateInvalidation",
        resourceArn: `arn:aws:cloudfront::000000000000:distribution/${distributionId}`,
      });
      const edge = edges.get(distributionId);
      if (!edge) throw noSuchDistribution(distributionId);
      answer(request, response, create(edge, parseInvalidationBatch(request.body.toString("utf8"))));
    },
  };
}

function distributionToInvalidate({ method, path }: AwsRequest): string {
  const [, id] = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation\/?$/.exec(path) ?? [];
  if (method === "POST" && id !== undefined) return decodeURIComponent(id);
  throw new AwsError("NotImplemented", 501, `${method} ${path} is not emulated: only CreateInvalidation is.`);
}

/** "CreateInvalidation", CallerReference: the same request again creates nothing. */
function sameOrThrow(earlier: Invalidation, batch: InvalidationBatch): Invalidation {
  if (isDeepStrictEqual(earlier.paths, batch.paths)) return earlier;
  throw new AwsError(
    "InvalidationBatchAlreadyExists",
    400,
    `There is an invalidation with the CallerReference ${batch.callerReference} and other paths.`,
  );
}

function answer(request: AwsRequest, response: ServerResponse, invalidation: Invalidation): void {
  const { id, createdAt, callerReference, paths } = invalidation;
  const items = paths.map((path) => element("Path", path));
  const xml = cloudFrontDocument(
    "Invalidation",
    element("Id", id),
    element("Status", "InProgress"),
    element("CreateTime", createdAt),
    parent(
      "InvalidationBatch",
      parent("Paths", element("Quantity", paths.length), parent("Items", ...items)),
      element("CallerReference", callerReference),
    ),
  );
  const location = `https://cloudfront.amazonaws.com${request.path.replace(/\/$/, "")}/${id}`;
  response.writeHead(201, { "content-type": "text/xml", location, "x-amzn-requestid": request.id });
  response.end(xml);
}
