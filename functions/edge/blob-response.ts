/// <reference types="aws-cloudfront-function" />

/**
 * Runs on every good response of `/b/*` and `/_restricted/*`: gives a file the policy of its kind, which S3 cannot keep with the object.
 * What browsers show in place may look like itself and be embedded anywhere; a download may do nothing at all.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const response = event.response;
  const headers = response.headers || {};
  const disposition = headers["content-disposition"];
  // A 304 without it says nothing of the kind: the browser keeps the headers that it has.
  if (!disposition) return response;
  const isInline = /^inline\b/i.test(disposition.value);
  headers["content-security-policy"] = {
    value: isInline
      ? "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"
      : "default-src 'none'; sandbox",
  };
  // An address that was signed holds its own right. Pages for some readers have no origin and embed by it what they may, and it goes no further.
  const isSigned = event.request.uri.startsWith("/_restricted/");
  headers["cross-origin-resource-policy"] = { value: isInline || isSigned ? "cross-origin" : "same-origin" };
  if (isSigned) headers["referrer-policy"] = { value: "no-referrer" };
  response.headers = headers;
  return response;
}
