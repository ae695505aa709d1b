/// <reference types="aws-cloudfront-function" />

/** Metadata of the object: when the file expires, in Unix milliseconds. `functions/blobs/objects.ts` writes it. */
const expiryHeader = "x-amz-meta-expires-at";

/**
 * Runs on every good response of `/b/*`, `/_restricted/*` and `/_files/*`, cached or not: gives a file the policy of its kind, which S3 cannot keep
 * with the object, and hides a file that has expired. What browsers show in place may look like itself and be embedded anywhere; a
 * download may do nothing at all.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const response = event.response;
  const headers = response.headers || {};
  const expiry = headers[expiryHeader];
  if (expiry) {
    if (Number(expiry.value) <= Date.now()) return notFound();
    delete headers[expiryHeader];
    // By them a browser would ask whether its copy is still good, and a 304 would not tell that the file has expired.
    delete headers.etag;
    delete headers["last-modified"];
  }
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
  const isOfFolder = event.request.uri.startsWith("/_files/");
  const isSigned = isOfFolder || event.request.uri.startsWith("/_restricted/");
  headers["cross-origin-resource-policy"] = { value: isInline || isSigned ? "cross-origin" : "same-origin" };
  if (isSigned) headers["referrer-policy"] = { value: "no-referrer" };
  // Pages read the files of their folder by scripts, and in a sandbox have no origin.
  if (isOfFolder) headers["access-control-allow-origin"] = { value: "*" };
  response.headers = headers;
  return response;
}

/** The file is not here any more, for whoever asks and in every cache. */
function notFound(): AWSCloudFrontFunction.Response {
  return {
    statusCode: 404,
    statusDescription: "Not Found",
    headers: {
      "cache-control": { value: "no-store" },
      "content-security-policy": { value: "default-src 'none'; frame-ancestors 'none'" },
      "content-type": { value: "text/plain; charset=utf-8" },
    },
    body: {
      encoding: "text",
      data: "There is no file at this address. It may have expired, or its owner has deleted it.",
    },
  };
}
