import { invalidArg, notFound, page, refused, type Sent, type WrongCall, warned } from "./wrong-call.ts";

const asForm = { "content-type": "application/x-www-form-urlencoded" };
const asPage = { body: page.html, headers: { "content-type": "text/html" } };
const jsonPatch = [
  { op: "replace", path: "/title", value: "B" },
  { op: "add", path: "/tags/-", value: "c" },
];

/** A call to an address that there is none of: the response says at once what the right call refuses of the same request. */
function unknown(call: string, sent: Sent, hint: RegExp): WrongCall {
  return refused(`what else is wrong with ${call}`, call, sent, notFound, hint);
}

/** Calls that have a wrong address and more faults than that. */
export const wrongBesidesTheirAddress: readonly WrongCall[] = [
  unknown(
    "PATCH /drops/{slug}.json?auth=hb_x",
    { json: { title: "B" } },
    /PATCH \/api\/drops\/\{slug\} checks.*Authorization: Bearer/,
  ),
  unknown(
    "GET /odata/Drops?$filter=contains(title,'a')&$top=5",
    {},
    /GET \/api\/search\?q=.*"\$top".*pageSize/,
  ),
  unknown(
    "PUT /api/repos/ada/pages/contents/index.html",
    { json: { message: "add index", content: Buffer.from(page.html).toString("base64"), branch: "main" } },
    /"content": send it as "html", decoded from base64/,
  ),
  unknown(
    "POST /drive/v3/files/{slug}/permissions",
    { json: { role: "reader", type: "anyone" } },
    /PATCH \/api\/drops\/\{slug\}/,
  ),
  unknown(
    "PATCH /api/drops/metadata.jira/PROJ-12",
    { json: page },
    /PUT \/api\/drops\?metadata\.<key>=<value>/,
  ),
  unknown("POST /api/drops/{slug}/rename", { json: { new_slug: "renamed" } }, /"new_slug".*never changes/),
  unknown(
    "GET /wiki/rest/api/content/search?cql=title~%22roadmap%22&limit=10",
    {},
    /GET \/api\/search\?q=.*Did you mean "q"/,
  ),
  unknown("PATCH /api/drops/{slug}/issues/1", { json: { state: "closed" } }, /"state": "resolved"/),
  unknown(
    "POST /api/chat.postMessage",
    { json: { channel: "{slug}", text: "Good" } },
    /Readers begin comments/,
  ),
  unknown("POST /api/drops/bulk_delete", { json: { ids: ["{slug}"] } }, /DELETE \/api\/drops\/\{slug\}/),
  unknown("POST /api/trash/empty", {}, /no call empties the trash/),
  unknown(
    "POST /api/pages",
    { json: { name: "A", content: page.html, password: "sesame", expiresAt: "2027-01-01", tags: ["a"] } },
    /POST \/api\/drops checks.*"name": send it as "title".*"content": send it as "html".*"passcode".*"expires_in_days".*"tags".*metadata/,
  ),
  unknown(
    "POST /api/pages",
    { json: { ...page, private: true, dry_run: true, slug: "mine", draft: true } },
    /"private".*visibility.*"dry_run".*no trial runs.*"slug".*chooses the slug.*"draft"/,
  ),
  unknown(
    "PUT /api/pages/{slug}",
    { json: { body: page.html, base_version: 3 } },
    /PUT \/api\/drops\/\{slug\} checks.*"body": send it as "html".*"base_version".*If-Match/,
  ),
  unknown(
    "PATCH /api/pages/{slug}",
    { json: { edits: [{ old_str: "a", new_str: "b" }] } },
    /"edits".*replaced as a whole: send PUT/,
  ),
  unknown(
    "PATCH /api/pages/{slug}",
    { json: jsonPatch },
    /JSON Patch is not supported.*"title".*"tags".*metadata/,
  ),
  unknown(
    "POST /posts",
    { json: { data: { type: "posts", attributes: { title: "A", content: page.html } } } },
    /inside "data\.attributes".*"content": send it as "html"/,
  ),
  unknown(
    "GET /api/pages?filter[tag]=x&page[number]=2&sort=-created",
    {},
    /GET \/api\/drops checks.*metadata\.tag=.*"page\[number\]".*page=2.*"sort".*sortBy/,
  ),
  unknown("GET /api/pages/{slug}/html?version=2", {}, /\/html checks.*\?v=2/),
  unknown("POST /v1/search", { json: { query: "report", limit: 5 } }, /GET \/api\/search checks.*"q"/),
  unknown(
    "POST /api/api_post.php",
    { body: "paste_code=hello&paste_private=1", headers: asForm },
    /A form of fields.*"paste_code": send it as "html".*"paste_private".*visibility/,
  ),
  unknown(
    "PUT /bucket/report.html",
    { ...asPage, headers: { ...asPage.headers, "x-amz-acl": "public-read" } },
    /POST \/api\/drops checks.*"x-amz-acl".*"visibility"/,
  ),
  unknown("POST /gists/{slug}/comments", { json: { body: "Nice" } }, /\/replies checks.*"body".*"text"/),
  unknown(
    "POST /api/drops/{slug}/rollback",
    { json: { to_version: 1 } },
    /"to_version": send it as "version"/,
  ),
  unknown("POST /api/drops/{slug}/lock", { json: { password: "abcd" } }, /"password": send it as "passcode"/),
  unknown("POST /api/drops/{slug}/readers", { json: { email: "a@example.com" } }, /"email".*"readers"/),
  unknown("POST /d/{slug}", { body: "passcode=sesame", headers: asForm }, /POST \/p\/\{slug\}\/unlock/),
  unknown("PUT /d/my-report", asPage, /7 letters or digits.*PUT \/api\/drops\?metadata\.name=my-report/),
  unknown(
    "POST /2/files/delete_v2",
    { json: { path: "/a" } },
    /\. DELETE \/api\/blobs\/\{id\} deletes a file/,
  ),
  unknown("GET /drive/v3/files?q=name", {}, /GET \/api\/blobs checks.*GET \/api\/search\?q=/),
  unknown(
    "PATCH /drive/v3/files/{slug}",
    { json: { trashed: true } },
    /PATCH \/api\/blobs\/\{id\} checks.*trash/,
  ),
  unknown("GET /drive/v3/files/{slug}/revisions", {}, /GET \/api\/drops\/\{slug\}\/versions/),
  unknown("POST /v1.0/me/drive/items/{slug}/invite", { json: { recipients: [] } }, /"recipients".*"readers"/),
  unknown("POST /v1/documents/{slug}:batchUpdate", { json: { requests: [] } }, /PUT \/api\/drops\/\{slug\}/),
  unknown("DELETE /api/drop/{slug}", {}, /DELETE \/api\/drops\/\{slug\}/),
  unknown("POST /api/delete", { body: "filenames=a.html", headers: asForm }, /DELETE \/api\/drops\/\{slug\}/),
  unknown("POST /api/drops/{slug}/extend", { json: { expires_in: 30 } }, /"expires_in".*"expires_in_days"/),
  refused(
    "a version to bring back from the trash",
    "POST /api/drops/{edited}/undelete",
    { json: { version: 1 } },
    invalidArg,
    /\/restore with/,
  ),
  refused(
    "a version in the query of a version",
    "PUT /api/drops/{edited}?v=1",
    { json: { html: page.html } },
    invalidArg,
    /\/restore/,
  ),
  warned("a change of nothing", "PATCH /api/drops/{edited}", { json: {} }, 200, /Nothing has changed/),
  refused(
    "a drop of somebody else, or one of other capital letters",
    "GET /api/drops/zzzzzz1",
    {},
    notFound,
    /another owner.*capital letters.*GET \/api\/library/,
  ),
  refused(
    "a page with a tag in brackets",
    "POST /api/drops?title=A&metadata[team]=ops",
    asPage,
    invalidArg,
    /metadata\.team=<value>/,
  ),
  refused(
    "several faults of metadata",
    "POST /api/drops",
    { json: { ...page, metadata: { Project: "x", nested: {} } } },
    invalidArg,
    /"project".*metadata\.nested/,
  ),
  refused(
    "faults of query, header and body",
    "POST /api/drops?private=true",
    { json: { html: page.html, password: "abcd" }, headers: { "x-ttl": "7d" } },
    invalidArg,
    /"x-ttl".*title is required.*"password".*"private"/,
  ),
];
