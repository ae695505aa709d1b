import { invalidArg, notAllowed, page, refused, unauthorized, type WrongCall, warned } from "./wrong-call.ts";

/** A publication whose header means something. */
function publication(header: string, value: string, hint: RegExp): WrongCall {
  const headers = { "content-type": "text/html", [header]: value };
  return refused(
    `a page with the header ${header}`,
    "POST /api/drops",
    { body: page.html, headers },
    invalidArg,
    hint,
  );
}

/** A change whose condition would be dropped. */
function condition(call: string, header: string, value: string, hint: RegExp): WrongCall {
  const sent = {
    headers: { [header]: value },
    ...(call.startsWith("DELETE") ? {} : { json: { html: page.html } }),
  };
  return refused(`${call} with the condition ${header}`, call, sent, invalidArg, hint);
}

/** Headers of other services, which would be dropped. */
export const wrongHeaders: readonly WrongCall[] = [
  publication("x-title", "A page", /\?title=/),
  publication("x-tags", "q3", /field of the JSON body/),
  publication("x-visibility", "private", /"people" with "readers"/),
  publication("x-amz-acl", "private", /"visibility"/),
  publication("x-password", "open sesame", /"passcode".*POST \/api\/drops\/\{slug\}\/passcode/),
  publication("x-expires-in", "3600", /expires_in_days/),
  publication("slug", "q3-report", /service chooses the address/),
  publication("x-upsert", "true", /PUT \/api\/drops\?metadata/),
  publication("prefer", "resolution=merge-duplicates", /PUT \/api\/drops\?metadata/),
  publication("x-amz-meta-team", "ops", /"metadata": \{"team": "ops"\}/),
  publication("x-idempotency-key", "a", /Idempotency-Key/),
  publication("content-range", "bytes 0-9/20", /whole body.*POST \/api\/blobs\/uploads/),
  publication("if-match", '"1-a"', /no condition/),
  condition("PUT /api/drops/{slug}", "if-none-match", "*", /changes a drop that exists.*If-Match/),
  condition("PUT /api/drops/{slug}", "if-unmodified-since", "Mon, 01 Jan 2024 00:00:00 GMT", /If-Match/),
  condition("DELETE /api/drops/{slug}", "if-unmodified-since", "Mon, 01 Jan 2024 00:00:00 GMT", /If-Match/),
  refused(
    "a file with an access list of S3",
    "POST /api/blobs?filename=a.txt",
    { body: "x", headers: { "content-type": "text/plain", "x-amz-acl": "private" } },
    invalidArg,
    /"visibility".*query parameter/,
  ),
  ...["x-http-method-override", "x-http-method", "x-method-override"].flatMap((name) => [
    refused(
      `another method for a change, in the header ${name}`,
      "PATCH /api/drops/{slug}",
      { json: { title: "A" }, headers: { [name]: "DELETE" } },
      invalidArg,
      /the method itself.*X-HTTP-Method-Override/,
    ),
    refused(
      `another method for a read, in the header ${name}`,
      "GET /api/drops/{slug}",
      { headers: { [name]: "DELETE" } },
      invalidArg,
      /the method itself/,
    ),
  ]),
  refused(
    "another method in a parameter",
    "POST /api/drops?_method=PUT",
    { json: page },
    invalidArg,
    /the method itself/,
  ),
  warned(
    "a page by Accept",
    "GET /api/drops/{slug}",
    { headers: { accept: "text/html" } },
    200,
    /GET \/api\/drops\/\{slug\}\/html/,
  ),
  warned("XML by Accept", "GET /api/me", { headers: { accept: "application/xml" } }, 200, /responds in JSON/),
  warned(
    "a picture without its type",
    "POST /api/blobs?filename=a.png",
    { body: "x", headers: { "content-type": "application/octet-stream" } },
    201,
    /Content-Type: image\/png/,
  ),
  {
    ...notAllowed("a change through POST", "POST /api/drops/{slug}", ["PATCH"], /the method itself/),
    sent: { headers: { "x-http-method-override": "PATCH" } },
  },
  refused(
    "a passcode in place of a token",
    "GET /api/drops/{slug}",
    { headers: { authorization: "", "x-passcode": "open sesame" } },
    unauthorized,
    /A passcode is no token: it opens the page \/d\/\{slug\}/,
  ),
];
