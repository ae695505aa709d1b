/// <reference types="aws-cloudfront-function" />

/** Metadata of the object: when the file expires, in Unix milliseconds. `functions/blobs/objects.ts` writes it. */
const expiryHeader = "x-amz-meta-expires-at";

/**
 * Runs on every successful response of `/b/*`, `/_restricted/*` and `/_files/*`, cached or not. It adds the policy of the file's kind, which
 * S3 cannot store with the object, and hides an expired file. Files that browsers display inline may use their own styles and be embedded
 * anywhere; a download may load and run nothing.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const response = event.response;
  const headers = response.headers || {};
  const expiry = headers[expiryHeader];
  if (expiry) {
    if (Number(expiry.value) <= Date.now()) return notFound();
    delete headers[expiryHeader];
    // With these headers a browser would revalidate its copy, and a 304 would hide that the file has expired.
    delete headers.etag;
    delete headers["last-modified"];
  }
  const disposition = headers["content-disposition"];
  // A 304 without this header does not remove it: the browser keeps its stored headers.
  if (!disposition) return response;
  const isInline = /^inline\b/i.test(disposition.value);
  headers["content-security-policy"] = {
    value: isInline
      ? "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"
      : "default-src 'none'; sandbox",
  };
  // A signed address carries its own permission. Restricted pages have no origin, and embed their files by such addresses.
  const isOfFolder = event.request.uri.startsWith("/_files/");
  const isSigned = isOfFolder || event.request.uri.startsWith("/_restricted/");
  headers["cross-origin-resource-policy"] = { value: isInline || isSigned ? "cross-origin" : "same-origin" };
  if (isSigned) headers["referrer-policy"] = { value: "no-referrer" };
  // Scripts of pages read the files of their folder, and have no origin in a sandbox.
  if (isOfFolder) headers["access-control-allow-origin"] = { value: "*" };
  response.headers = headers;
  return response;
}

/** The response for a missing file, for all callers and in every cache. */
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
