import type { ServerResponse } from "node:http";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, AwsService } from "../aws-service.ts";
import { element, parent } from "../xml.ts";
import { cloudFrontDocument, cloudFrontWireFormat, noSuchDistribution } from "./cloudfront-errors.ts";
import { parseInvalidationBatch } from "./invalidation.ts";
import {
  type CreateInvalidation,
  createInvalidations,
  type InvalidatedEdge,
  type Invalidation,
} from "./invalidations.ts";

/** CloudFront's API: CreateInvalidation. */
export interface CloudFrontService extends AwsService {
  /** Connects invalidations of this distribution to this edge. */
  connectEdge(edge: InvalidatedEdge): void;
}

/** Delay of an invalidation, which is documented only as "within a few seconds". */
const DELAY_MS = 1_000;

/** Serves the API for the connected edges. An invalidation takes `delayMs`; @default 1,000 */
export function createCloudFrontService(delayMs = DELAY_MS): CloudFrontService {
  const edges = new Map<string, CreateInvalidation>();

  return {
    signingName: "cloudfront",
    wireFormat: cloudFrontWireFormat,
    bodyBytesMax: 1024 * 1024,
    connectEdge: (edge) => void edges.set(edge.distributionId, createInvalidations(edge, delayMs)),
    async handle(request, response) {
      const distributionId = distributionToInvalidate(request);
      request.authorize({
        action: "cloudfront:CreateInvalidation",
        resourceArn: `arn:aws:cloudfront::000000000000:distribution/${distributionId}`,
      });
      const createInvalidation = edges.get(distributionId);
      if (!createInvalidation) throw noSuchDistribution(distributionId);
      const batch = parseInvalidationBatch(request.body.toString("utf8"));
      respond(request, response, createInvalidation(batch));
    },
  };
}

function distributionToInvalidate({ method, path }: AwsRequest): string {
  const [, id] = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation\/?$/.exec(path) ?? [];
  if (method === "POST" && id !== undefined) return decodeURIComponent(id);
  throw new AwsError("NotImplemented", 501, `${method} ${path} is not emulated: only CreateInvalidation is.`);
}

function respond(request: AwsRequest, response: ServerResponse, invalidation: Invalidation): void {
  const { id, createdAt, callerReference, tags, isInProgress } = invalidation;
  const items = tags.map((tag) => element("Path", `#${tag}`));
  const xml = cloudFrontDocument(
    "Invalidation",
    element("Id", id),
    element("Status", isInProgress ? "InProgress" : "Completed"),
    element("CreateTime", createdAt),
    parent(
      "InvalidationBatch",
      parent("Paths", element("Quantity", tags.length), parent("Items", ...items)),
      element("CallerReference", callerReference),
    ),
  );
  const location = `https://cloudfront.amazonaws.com${request.path.replace(/\/$/, "")}/${id}`;
  response.writeHead(201, { "content-type": "text/xml", location, "x-amzn-requestid": request.id });
  response.end(xml);
}
