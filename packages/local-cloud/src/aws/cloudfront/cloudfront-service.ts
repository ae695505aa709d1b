import type { ServerResponse } from "node:http";
import { isCacheTag } from "../../cloudfront/cache-tags.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, WireFormat } from "../aws-service.ts";
import { s3WireFormat } from "../s3/s3-errors.ts";
import { element, parent, parseXml } from "../xml.ts";
import {
  type CreateInvalidation,
  createInvalidations,
  type InvalidatedEdge,
  type Invalidation,
  type InvalidationBatch,
} from "./invalidations.ts";

/** Time until an invalidation takes effect. CloudFront documents only "within a few seconds". */
const DELAY_MS = 1_000;

/** Serves CloudFront's CreateInvalidation for the connected edges. An invalidation takes effect after `delayMs`, 1,000 by default. */
export function createCloudFrontService(delayMs = DELAY_MS) {
  const edges = new Map<string, CreateInvalidation>();

  return {
    signingName: "cloudfront",
    wireFormat: cloudFrontWireFormat,
    bodyBytesMax: 1024 * 1024,
    /** Registers the edge that applies the invalidations of its distribution. */
    connectEdge: (edge: InvalidatedEdge) =>
      void edges.set(edge.distributionId, createInvalidations(edge, delayMs)),
    async handle(request: AwsRequest, response: ServerResponse): Promise<void> {
      const distributionId = distributionToInvalidate(request);
      request.authorize({
        action: "cloudfront:CreateInvalidation",
        resourceArn: `arn:aws:cloudfront::000000000000:distribution/${distributionId}`,
      });
      const createInvalidation = edges.get(distributionId);
      if (!createInvalidation) {
        const message = `The specified distribution does not exist: ${distributionId}.`;
        throw new AwsError("NoSuchDistribution", 404, message);
      }
      const batch = parseInvalidationBatch(request.body.toString("utf8"));
      respond(request, response, createInvalidation(batch));
    },
  };
}

function distributionToInvalidate({ method, path }: AwsRequest): string {
  const [, id] = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation\/?$/.exec(path) ?? [];
  if (method === "POST" && id !== undefined) return decodeURIComponent(id);
  const message = `${method} ${path} is not emulated. Only CreateInvalidation is emulated.`;
  throw new AwsError("NotImplemented", 501, message);
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

/**
 * Parses the body of a CreateInvalidation request; see "What you need to know when invalidating tags".
 *
 * @throws AwsError MalformedXML, InvalidArgument, InconsistentQuantities, or NotImplemented for an invalidation by path
 */
function parseInvalidationBatch(xml: string): InvalidationBatch {
  const root = parseXml(xml, "InvalidationBatch");
  const callerReference = root?.text("CallerReference");
  const [paths] = root?.children("Paths") ?? [];
  if (!root || !paths || !callerReference) {
    const message = "The body must be an InvalidationBatch with Paths and CallerReference.";
    throw new AwsError("MalformedXML", 400, message);
  }
  const items = paths.children("Items").flatMap((list) => list.texts("Path"));
  const quantity = paths.text("Quantity");
  if (Number(quantity) !== items.length) {
    const message = `Quantity is ${quantity}, but the number of items is ${items.length}.`;
    throw new AwsError("InconsistentQuantities", 400, message);
  }
  if (items.length === 0) throw invalidArgument("Your request must contain at least one item.");
  return { callerReference, tags: items.map(readTag) };
}

function readTag(item: string): string {
  if (item.startsWith("/")) {
    const message = `Invalidating the path "${item}" is not emulated: use a tag, such as #all.`;
    throw new AwsError("NotImplemented", 501, message);
  }
  const tag = item.slice(1);
  if (!item.startsWith("#") || !isCacheTag(tag)) {
    const message = `The item "${item}" must be # followed by a tag of at most 256 visible ASCII characters without commas.`;
    throw invalidArgument(message);
  }
  return tag;
}

/** XML namespace of the current CloudFront API. */
const CLOUDFRONT_NAMESPACE = "http://cloudfront.amazonaws.com/doc/2020-05-31/";

/** Renders an XML document of the CloudFront API. */
function cloudFrontDocument(root: string, ...children: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${CLOUDFRONT_NAMESPACE}">${children.join("")}</${root}>`;
}

/** Errors of CloudFront, in an `ErrorResponse` element. CloudFront and S3 use the same status codes. */
const cloudFrontWireFormat: WireFormat = {
  refusals: s3WireFormat.refusals,
  internalError: s3WireFormat.internalError,
  writeError(response, { code, status, message }, request) {
    const type = status < 500 ? "Sender" : "Receiver";
    const error = parent("Error", element("Type", type), element("Code", code), element("Message", message));
    response.writeHead(status, { "content-type": "text/xml", "x-amzn-requestid": request.id });
    response.end(cloudFrontDocument("ErrorResponse", error, element("RequestId", request.id)));
  },
};

function invalidArgument(message: string): AwsError {
  return new AwsError("InvalidArgument", 400, message);
}
