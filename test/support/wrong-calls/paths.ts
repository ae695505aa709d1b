import { notAllowed, notFound, redirected, refused, type WrongCall } from "./wrong-call.ts";

/** A word after the slug of a drop, or elsewhere, where other services have an address. */
function word(call: string, hint: RegExp): WrongCall {
  return refused(`an address of another service: ${call}`, call, {}, notFound, hint);
}

const comment =
  /\. Readers write comments on the page.*POST \/api\/drops\/\{slug\}\/feedback\/\{thread\}\/replies/;
const comments = /\. GET \/api\/feedback\?slug=\{slug\} lists/;
const readers = /\. To choose the readers, send PATCH \/api\/drops\/\{slug\} with/;
const hooks = /webhooks.*operator sets them.*GET \/api\/feedback/i;
const tags = /\. Tags are metadata: PATCH \/api\/drops\/\{slug\}/;
const upload = /\. POST \/api\/blobs\?filename=chart\.png uploads a file; .*PUT \/api\/drops\/\{slug\}/;
const picture = /\. GET \/api\/drops\/\{slug\}\/render shows/;
const html = /\. GET \/api\/drops\/\{slug\}\/html is the page/;
const publish = /\. PUT \/api\/drops\/\{slug\} with "html" publishes a new version at once/;
const replace = /\. PUT \/api\/drops\/\{slug\} with the complete page as "html"/;
const raw = /^\/p\/\w{7}\/raw$/;

/** Words in paths by which other services name what this one has elsewhere, or not at all. */
export const wordsInPaths: readonly WrongCall[] = [
  word("GET /api/drops/{slug}/reviews", comments),
  word("POST /api/drops/{slug}/comments", comment),
  word("POST /api/drops/{slug}/feedback", comment),
  word("GET /wiki/api/v2/pages/{slug}/footer-comments", comments),
  word("POST /api/drops/{slug}/comments/1/resolve", /\. PATCH \/api\/drops\/\{slug\}\/feedback\/\{thread\}/),
  word(
    "DELETE /api/drops/{slug}/comments/1",
    /DELETE \/api\/drops\/\{slug\}\/feedback\/\{thread\} deletes it/,
  ),
  word("GET /api/drops/{slug}/permissions", /GET \/api\/drops\/\{slug\} shows "visibility" and "readers"/),
  word("POST /api/drops/{slug}/permissions", readers),
  word("PUT /api/drops/{slug}/collaborators/ann", readers),
  word(
    "POST /api/drops/{slug}/archive",
    /who can read it, send PATCH \/api\/drops\/\{slug\}.*DELETE \/api\/drops\/\{slug\}/,
  ),
  word("POST /api/drops/{slug}/undelete", /deleted drop cannot be restored.*POST \/api\/drops/),
  word(
    "POST /api/drops/{slug}/versions/1/restore",
    /POST \/api\/drops\/\{slug\}\/restore with \{"version": 1\}/,
  ),
  word(
    "POST /gists/{slug}/forks",
    /read GET \/api\/drops\/\{slug\}\/html, and publish it with POST \/api\/drops/,
  ),
  word("PUT /gists/{slug}/star", /There are no stars/),
  word("POST /api/drops/{slug}/hooks", hooks),
  word("POST /api/drops/{slug}/watchers", hooks),
  word("PUT /api/drops/{slug}/expiry", /PATCH \/api\/drops\/\{slug\}.*expires_in_days/),
  word("GET /api/export", /npx dropleaf export.*GET \/api\/drops\/\{slug\}\/html/),
  word("POST /graphql", /GET \/api\/drops lists/),
  word("PUT /api/drops/{slug}/freeze", /cannot be frozen/),
  word("POST /api/drops/{slug}/tags", tags),
  word("PUT /api/drops/{slug}/labels/q3", tags),
  word("POST /api/drops/{slug}/move", tags),
  word("POST /api/drops/{slug}/assets", upload),
  word("PUT /wiki/rest/api/page/{slug}/attachments", upload),
  word("GET /api/drops/{slug}/screenshot.png", picture),
  word("POST /api/drops/{slug}/lint", picture),
  word("GET /api/drops/{slug}/versions/1/raw", html),
  word("GET /api/drops/{slug}/export", html),
  word("GET /api/drops/{slug}/source.md", /\. GET \/api\/drops\/\{slug\}\/source is the Markdown/),
  word("POST /api/drops/{slug}/deployments", publish),
  word("POST /v1beta1/sites/{slug}/releases", publish),
  word("PATCH /v1/blocks/{slug}/children", replace),
  word("POST /api/drops/{slug}/append", replace),
  word("POST /api/drops/{slug}/transfer", /stays with its owner/),
  word("POST /v9/projects/{slug}/domains", /address of a drop never changes/),
  word("GET /api/drops/{slug}/flurb", /its parts are \/html/),
  word("GET /api/drops/{slug}/visitors", /has view_count, and GET \/api\/drops\/\{slug\}\/reads/),
  word("GET /api/teams", /no teams.*"group:engineering"/),
  word("POST /api/folders", /no folders.*GET \/api\/drops\?metadata/),
  word("POST /api/webhooks", /Webhooks are set by the operator/),
  word("GET /api/events", /no list of events.*GET \/api\/feedback\?wait=25/),
  word("GET /api/trash", /cannot be restored\. GET \/api\/drops/),
  word("GET /rate_limit", /\. GET \/api\/me\/usage tells/),
  word("POST /api/import", /fetches no pages.*POST \/api\/drops/),
  word("POST /api/screenshot", /\/render shows a drop as a picture/),
  word("GET /api/search?q=report", /no search.*GET \/api\/drops\?metadata/),
  word("POST /v1/search", /no search/),
  word("POST /upload", /publish a page, send POST \/api\/drops/),
  word("POST /wp-json/wp/v2/media", /upload a picture.*POST \/api\/blobs\?filename/),
  word("GET /wp-json/wp/v2/posts", /\. GET \/api\/drops lists your drops/),
  word("GET /api/users/me/drops", /\. GET \/api\/drops lists your drops/),
  word("POST /api/auth/refresh", /not renewed: POST \/api\/auth\/start/),
  word("POST /api/logout", /DELETE \/api\/tokens\/\{id\} revokes/),
  word("GET /health", /GET \/api\/me shows that a token works/),
  word("GET /api/flurb", /\. POST \/api\/drops publishes a page, GET \/api\/drops lists yours/),
  word("POST /drive/v3/files/{blob}/permissions", /PATCH \/api\/blobs\/\{id\} with "visibility"/),
  word("GET /api/blobs/{blob}/download", /GET \/api\/blobs\/\{id\} describes one/),
  notAllowed("a search by POST", "POST /api/drops/search", ["GET"], /no search/),
  notAllowed("many drops at once", "POST /api/drops/bulk-delete", ["GET"], /a call of its own/),
  notAllowed("a file at a name of its own", "PUT /api/blobs/a.png", ["PATCH"], /POST \/api\/blobs\?filename/),
  notAllowed("a token to renew", "POST /api/tokens/rotate", ["DELETE"], /renewed: POST \/api\/auth\/start/),
  notAllowed("another name of the account", "PATCH /api/me", ["GET"], /cannot be changed here/),
  notAllowed(
    "a thread by PUT",
    "PUT /api/drops/{slug}/feedback/1",
    ["PATCH"],
    /PATCH \/api\/drops.*resolved/,
  ),
  notAllowed("a comment of one's own", "POST /api/feedback", ["GET"], /\/replies replies/),
  redirected("a page with a file ending", "GET /p/{slug}.html", raw),
  redirected("a raw page at its link", "GET /d/{slug}/raw", raw),
  redirected("a raw page by a word before it", "GET /raw/{slug}", raw),
];
