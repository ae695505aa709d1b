import { AwsError } from "../aws-error.ts";
import type { WireFormat } from "../aws-service.ts";
import { s3WireFormat } from "../s3/s3-errors.ts";
import { element, parent } from "../xml.ts";

/** The namespace of today's Amazon CloudFront API. */
const CLOUDFRONT_NAMESPACE = "http://cloudfront.amazonaws.com/doc/2020-05-31/";

/** A whole document of the CloudFront API. */
export function cloudFrontDocument(root: string, ...children: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${CLOUDFRONT_NAMESPACE}">${children.join("")}</${root}>`;
}

/** Errors of CloudFront: the same statuses as S3's, in an ErrorResponse. */
export const cloudFrontWireFormat: WireFormat = {
  refusals: s3WireFormat.refusals,
  internalError: s3WireFormat.internalError,
  writeError(response, { code, status, message }, request) {
    const type = status < 500 ? "Sender" : "Receiver";
    const error = parent("Error", element("Type", type), element("Code", code), element("Message", message));
    response.writeHead(status, { "content-type": "text/xml", "x-amzn-requestid": request.id });
    response.end(cloudFrontDocument("ErrorResponse", error, element("RequestId", request.id)));
  },
};

export function noSuchDistribution(id: string): AwsError {
  return new AwsError("NoSuchDistribution", 404, `The specified distribution does not exist: ${id}.`);
}

export function invalidArgument(message: string): AwsError {
  return new AwsError("InvalidArgument", 400, message);
}
