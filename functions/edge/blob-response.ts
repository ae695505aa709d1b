/// <reference types="aws-cloudfront-function" />

/** Object metadata with the file's expiry in Unix milliseconds, written by `functions/blobs/objects.ts`. */
const expiryHeader = "x-amz-meta-expires-at";

/**
 * Runs on every successful response of `/b/*`, `/_restricted/*` and `/_files/*`, cached or not. Responds 404 for an expired file. Adds a
 * content security policy, which S3 cannot store with the object: a file that browsers display may use its own styles and may be embedded
 * in any page, and a download may not load or run anything.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Response {
  const response = event.response;
  const headers = response.headers || {};
  const expiry = headers[expiryHeader];
  if (expiry) {
    if (Number(expiry.value) <= Date.now()) return notFound();
    delete headers[expiryHeader];
    // Without these headers, browsers cannot revalidate a cached copy. A 304 response would hide that the file has expired.
    delete headers.etag;
    delete headers["last-modified"];
  }
  const disposition = headers["content-disposition"];
  // A 304 response may lack Content-Disposition. The browser then uses its cached headers.
  if (!disposition) return response;
  const isInline = /^inline\b/i.test(disposition.value);
  headers["content-security-policy"] = {
    value: isInline
      ? "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"
      : "default-src 'none'; sandbox",
  };
  // A signed URL itself grants access, so pages of every origin may embed the file. Restricted pages, which have an opaque origin, need
  // this.
  const isOfFolder = event.request.uri.startsWith("/_files/");
  const isSigned = isOfFolder || event.request.uri.startsWith("/_restricted/");
  headers["cross-origin-resource-policy"] = { value: isInline || isSigned ? "cross-origin" : "same-origin" };
  if (isSigned) headers["referrer-policy"] = { value: "no-referrer" };
  // Lets scripts in a sandbox, which have an opaque origin, read the files of their page's folder.
  if (isOfFolder) headers["access-control-allow-origin"] = { value: "*" };
  response.headers = headers;
  return response;
}

/** Returns the response for an expired file. No cache may store this response. */
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
      data: "There is no file at this address. It may have expired or been deleted by its owner.",
    },
  };
}
