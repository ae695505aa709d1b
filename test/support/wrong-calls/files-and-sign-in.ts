import { invalidArg, notAllowed, notFound, refused, type WrongCall, warned } from "./wrong-call.ts";

const without = { authorization: "" };
const start = "POST /api/blobs/uploads";
const file = { filename: "a.txt", size_bytes: 9 };

/** Files, and the way to a token. */
export const wrongFilesAndSignIns: readonly WrongCall[] = [
  refused(
    "a private file",
    "POST /api/blobs?filename=a.txt&private=true",
    { body: "x" },
    invalidArg,
    /visibility/,
  ),
  refused(
    "a file with a passcode",
    "POST /api/blobs?filename=a.txt&passcode=open",
    { body: "x" },
    invalidArg,
    /visibility/,
  ),
  warned(
    "a file with a title",
    "POST /api/blobs?filename=a.txt&title=A",
    { body: "x", headers: { "content-type": "text/plain" } },
    201,
    /"title"/,
  ),
  refused(
    "a file to rename",
    "PATCH /api/blobs/{blob}",
    { json: { filename: "b.txt" } },
    invalidArg,
    /upload/i,
  ),
  refused("a file to lock", "PATCH /api/blobs/{blob}", { json: { private: true } }, invalidArg, /visibility/),
  refused("a file by its address", "DELETE /api/blobs/b.txt", {}, [400, "invalid_id"], /7 letters or digits/),
  refused(
    "an upload without a name",
    start,
    { json: { name: "a.txt", size_bytes: 9 } },
    invalidArg,
    /"name".*"filename"/,
  ),
  refused(
    "an upload without a size",
    start,
    { json: { filename: "a.txt", size: 9 } },
    invalidArg,
    /"size".*"size_bytes"/,
  ),
  refused(
    "an upload with a passcode",
    start,
    { json: { ...file, passcode: "open sesame" } },
    invalidArg,
    /visibility/,
  ),
  refused(
    "a poll without its token",
    "GET /api/auth/poll",
    { headers: without },
    [400, "token_required"],
    /poll_token/,
  ),
  refused(
    "a poll by another word",
    "GET /api/auth/poll?poll_token={poll}",
    { headers: without },
    [400, "token_required"],
    /"poll_token".*token=/,
  ),
  refused(
    "a poll by the code",
    "GET /api/auth/poll?code={code}",
    { headers: without },
    [400, "token_required"],
    /poll_token/,
  ),
  warned(
    "a poll with the code for its token",
    "GET /api/auth/poll?token={code}",
    { headers: without },
    200,
    /poll_token/,
  ),
  warned(
    "a poll with an API token",
    "GET /api/auth/poll?token={unknown}",
    { headers: without },
    200,
    /API token/,
  ),
  warned(
    "a sign-in with a name",
    "POST /api/auth/start",
    { json: { name: "agent" }, headers: without },
    200,
    /"name".*"label"/,
  ),
  refused(
    "a label that is a number",
    "POST /api/auth/start",
    { json: { label: 7 }, headers: without },
    invalidArg,
    /label.*string/,
  ),
  refused(
    "comments of a page by its title",
    "GET /api/feedback?slug=my-report",
    {},
    invalidArg,
    /GET \/api\/drops/,
  ),
  refused(
    "a publication of a page by its title",
    "POST /api/publications",
    { json: { slug: "my-report" } },
    invalidArg,
    /GET \/api\/drops/,
  ),
  warned(
    "a publication of a page by the address of a version",
    "POST /api/publications",
    { json: { slug: "/p/{slug}?v=1" } },
    201,
    /version "1".*ignored/,
  ),
  warned(
    "comments of a page by the address of a version",
    "GET /api/feedback?slug=/p/{slug}%3Fv=1",
    {},
    200,
    /version "1".*ignored/,
  ),
  ...(
    [
      ["POST /register", /POST \/oauth\/register.*POST \/api\/auth\/start/],
      ["POST /oauth/introspect", /GET \/api\/me says whose token/],
      ["POST /api/auth/magic-link", /POST \/api\/auth\/start starts a sign-in/],
    ] as const
  ).map(([call, hint]) => refused(`another way to sign in: ${call}`, call, { json: {} }, notFound, hint)),
  refused("a person by the words of OpenID", "GET /userinfo", {}, notFound, /GET \/api\/me says whose token/),
  {
    ...notAllowed("a token for some rights", "POST /api/tokens", ["GET"], /no scopes.*sets the days/),
    sent: { json: { name: "ci", scopes: ["pages:read"], expires_in_days: 30 } },
  },
  {
    what: "a registration for the grant of devices",
    call: "POST /oauth/register",
    sent: {
      json: { client_name: "cli", grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] },
      headers: without,
    },
    status: 400,
    code: "invalid_client_metadata",
    hint: /POST \/api\/auth\/start/,
  },
];
