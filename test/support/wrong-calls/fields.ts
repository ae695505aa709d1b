import { htmlRequired, invalidArg, page, refused, type WrongCall, warned } from "./wrong-call.ts";

const publish = "POST /api/drops";

/** A publication with these fields beside a good page, and without those that are undefined. */
function withFields(fields: Readonly<Record<string, unknown>>) {
  return { json: { ...page, ...fields } };
}

function meant(name: string, value: unknown, hint: RegExp): WrongCall {
  return refused(`${name} in a new drop`, publish, withFields({ [name]: value }), invalidArg, hint);
}

/** Fields of a publication by another name, of another kind, or that are none. */
export const wrongFields: readonly WrongCall[] = [
  meant("private", true, /visibility.*"people"/),
  meant("is_private", true, /visibility/),
  meant("public", false, /visibility/),
  meant("unlisted", true, /visibility.*"unlisted"/),
  meant("access", "team", /visibility/),
  meant("noindex", true, /"indexed": true/),
  meant("index", true, /"indexed": true/),
  meant("searchable", true, /"indexed": true/),
  meant("robots", "noindex", /"indexed": true/),
  meant("listed", false, /"indexed": true.*"public"/),
  meant("indexed", "yes", /indexed.*boolean|boolean.*indexed/),
  meant("password", "open sesame", /passcode/),
  meant("locked", true, /passcode/),
  meant("passCode", "open sesame", /passcode/),
  meant("visibility", "private", /"people"/),
  meant("visibility", "Members", /"members"/),
  meant("visiblity", "members", /visibility/),
  meant("readers", ["ada@example.com"], /"people"/),
  meant("allowed_users", ["ada"], /readers/),
  meant("shared_with", ["ada"], /readers/),
  meant("expires_in", 3600, /DELETE \/api\/drops\/\{slug\}/),
  meant("slug", "aaaaaaa", /PUT \/api\/drops\/\{slug\}/),
  refused(
    "content for html",
    publish,
    withFields({ html: undefined, content: "<p>" }),
    htmlRequired,
    /"content".*"html"/,
  ),
  refused(
    "body for html",
    publish,
    withFields({ html: undefined, body: "<p>" }),
    htmlRequired,
    /"body".*"html"/,
  ),
  refused(
    "HTML for html",
    publish,
    withFields({ html: undefined, HTML: "<p>" }),
    htmlRequired,
    /"HTML".*"html"/,
  ),
  refused(
    "markdown for html",
    publish,
    withFields({ html: undefined, markdown: "# A" }),
    htmlRequired,
    /"markdown".*text\/markdown/,
  ),
  refused(
    "name for title",
    publish,
    withFields({ title: undefined, name: "A" }),
    [400, "title_required"],
    /"name".*"title"/,
  ),
  refused("a title of spaces", publish, withFields({ title: "  " }), [400, "title_required"], /title/),
  refused("a title that is a number", publish, withFields({ title: 7 }), invalidArg, /title.*string/),
  refused("html as an object", publish, withFields({ html: { head: "" } }), invalidArg, /html.*string/),
  refused("html as lines", publish, withFields({ html: ["<p>"] }), invalidArg, /html.*string/),
  refused(
    "a passcode that is a number",
    publish,
    withFields({ passcode: 1234 }),
    invalidArg,
    /passcode.*string/,
  ),
  refused("a short passcode", publish, withFields({ passcode: "abc" }), [400, "passcode_too_short"], /4/),
  refused("metadata as a list", publish, withFields({ metadata: ["a"] }), invalidArg, /metadata.*object/),
  refused(
    "metadata of metadata",
    publish,
    withFields({ metadata: { a: { b: "c" } } }),
    invalidArg,
    /metadata\.a.*string/,
  ),
  refused(
    "metadata of numbers",
    publish,
    withFields({ metadata: { pr: 7 } }),
    invalidArg,
    /metadata\.pr.*string/,
  ),
  refused(
    "a metadata key in capitals",
    publish,
    withFields({ metadata: { Project: "a" } }),
    invalidArg,
    /"Project".*"project"/,
  ),
  refused(
    "who may read, in the address",
    "POST /api/drops?visibility=members",
    { json: page },
    invalidArg,
    /visibility.*body/,
  ),
  refused(
    "tags in the address",
    "POST /api/drops?metadata.project=a",
    { json: page },
    invalidArg,
    /PUT \/api\/drops\?metadata\.project/,
  ),
  warned("tags", publish, withFields({ tags: ["a"] }), 201, /"tags".*metadata/),
  warned("a tag beside the metadata", publish, withFields({ project: "a" }), 201, /"project".*metadata/),
  warned("a misspelled field", publish, withFields({ descripton: "a" }), 201, /"descripton".*"description"/),
  warned("a field of nobody's", publish, withFields({ author: "Ada" }), 201, /"author"/),
  warned("a parameter of nobody's", "POST /api/drops?draft2=1", { json: page }, 201, /"draft2"/),
  warned("a path for html", publish, withFields({ html: "./dist/index.html" }), 201, /path of a file/),
  warned("a URL for html", publish, withFields({ html: "https://example.com/page" }), 201, /URL/),
  warned(
    "base64 for html",
    publish,
    withFields({ html: Buffer.from(page.html).toString("base64") }),
    201,
    /base64/,
  ),
  warned(
    "escaped markup",
    publish,
    withFields({ html: "&lt;!doctype html&gt;&lt;p&gt;Hello" }),
    201,
    /escaped/,
  ),
  warned("no tag at all", publish, withFields({ html: "Hello." }), 201, /no tag/),
  warned("Markdown for html", publish, withFields({ html: "# Report\n\n- one\n- two\n" }), 201, /Markdown/),
  warned(
    "a fence around the page",
    publish,
    withFields({ html: `\`\`\`html\n${page.html}\n\`\`\`` }),
    201,
    /```/,
  ),
  warned(
    "a page written as JSON",
    publish,
    withFields({ html: JSON.stringify("<!doctype html>\n<p class='a'>Hello</p>") }),
    201,
    /JSON/,
  ),
  warned("an empty title element", publish, withFields({ html: "<title> </title><p>Hello" }), 201, /<title>/),
];
