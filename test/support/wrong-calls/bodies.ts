import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  htmlRequired,
  invalidArg,
  invalidJson,
  page,
  passcodeRequired,
  refused,
  type WrongCall,
} from "./wrong-call.ts";

const json = JSON.stringify(page);
const asJson = { "content-type": "application/json" };
const asForm = { "content-type": "application/x-www-form-urlencoded" };
const multipart = { "content-type": "multipart/form-data; boundary=x" };
const parts = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n${page.html}\r\n--x--\r\n`;

/** Bodies in another form than the one that the address takes. */
export const wrongBodies: readonly WrongCall[] = [
  refused(
    "a body packed by gzip",
    "POST /api/drops",
    { body: gzipSync(json), headers: { ...asJson, "content-encoding": "gzip" } },
    invalidJson,
    /gzip.*uncompressed/,
  ),
  refused(
    "gzip that says nothing of it",
    "POST /api/drops",
    { body: gzipSync(json), headers: asJson },
    invalidJson,
    /gzip.*uncompressed/,
  ),
  refused(
    "a body packed by brotli",
    "PATCH /api/drops/{slug}",
    { body: brotliCompressSync(json), headers: { ...asJson, "content-encoding": "br" } },
    invalidJson,
    /"br".*uncompressed/,
  ),
  refused(
    "a packed page",
    "POST /api/drops",
    {
      body: gzipSync(page.html),
      headers: { "content-type": "text/html", "content-encoding": "gzip" },
    },
    invalidArg,
    /gzip.*uncompressed/,
  ),
  refused(
    "a form with a file",
    "POST /api/drops",
    { body: parts, headers: multipart },
    invalidJson,
    /multipart\/form-data.*text\/html.*--data-binary/,
  ),
  refused(
    "a form of fields",
    "POST /api/drops",
    { body: "title=A&html=%3Cp%3EHello", headers: asForm },
    invalidJson,
    /form.*JSON.*"title"/,
  ),
  refused(
    "a passcode as a form",
    "POST /api/drops/{slug}/passcode",
    { body: "passcode=open", headers: asForm },
    invalidJson,
    /form.*JSON.*"passcode"/,
  ),
  refused(
    "a page as JSON",
    "POST /api/drops",
    { body: page.html, headers: asJson },
    invalidJson,
    /Content-Type: text\/html/,
  ),
  refused(
    "a page by curl's own type",
    "PUT /api/drops/{slug}",
    { body: page.html, headers: asForm },
    invalidJson,
    /Content-Type: text\/html/,
  ),
  refused(
    "a file's name for its content",
    "POST /api/drops",
    { body: "@page.json", headers: asJson },
    invalidJson,
    /name of a file/,
  ),
  refused("nothing", "POST /api/drops", { body: "", headers: asJson }, invalidJson, /empty/),
  refused(
    "half of the JSON",
    "POST /api/drops",
    { body: json.slice(0, -9), headers: asJson },
    invalidJson,
    /JSON/,
  ),
  refused(
    "single quotation marks",
    "POST /api/drops",
    { body: "{'title': 'A', 'html': '<p>'}", headers: asJson },
    invalidJson,
    /double quotation marks/,
  ),
  refused(
    "line ends in a string",
    "POST /api/drops",
    { body: '{"title":"A","html":"<p>\n</p>"}', headers: asJson },
    invalidJson,
    /JSON library|text\/html/,
  ),
  refused("JSON in JSON", "POST /api/drops", { json }, invalidArg, /string.*twice/),
  refused("a list of one", "POST /api/drops", { json: [page] }, invalidArg, /an array/),
  refused(
    "UTF-16",
    "POST /api/drops",
    { body: Buffer.from(`\ufeff${json}`, "utf16le"), headers: asJson },
    invalidJson,
    /UTF-16/,
  ),
  refused(
    "a page in Latin-1",
    "POST /api/drops",
    { body: Buffer.from("<title>Zürich</title>", "latin1"), headers: { "content-type": "text/html" } },
    invalidArg,
    /UTF-8/,
  ),
  refused(
    "a file as a form",
    "POST /api/blobs?filename=a.png",
    { body: parts, headers: multipart },
    invalidArg,
    /multipart\/form-data.*--data-binary/,
  ),
  refused(
    "a file by curl's own type",
    "POST /api/blobs?filename=a.csv",
    { body: "a,b1,2", headers: asForm },
    invalidArg,
    /application\/x-www-form-urlencoded.*--data-binary/,
  ),
  refused(
    "a packed file",
    "POST /api/blobs?filename=a.csv",
    {
      body: gzipSync("a,b\n1,2\n"),
      headers: { "content-type": "text/csv", "content-encoding": "gzip" },
    },
    invalidArg,
    /gzip.*uncompressed/,
  ),
  refused(
    "a file without a name",
    "POST /api/blobs",
    { body: "x" },
    [400, "invalid_filename"],
    /\?filename=/,
  ),
  refused(
    "a file's name by another word",
    "POST /api/blobs?name=a.txt",
    { body: "x" },
    [400, "invalid_filename"],
    /"name".*filename/,
  ),
  refused(
    "a file's name with a folder",
    "POST /api/blobs?filename=images/a.png",
    { body: "x" },
    [400, "invalid_filename"],
    /"\/"/,
  ),
  refused(
    "a file's name with an underscore",
    "POST /api/blobs?filename=a_b.png",
    { body: "x" },
    [400, "invalid_filename"],
    /"_"/,
  ),
  refused("an empty file", "POST /api/blobs?filename=a.txt", { body: "" }, [400, "empty_blob"], /body/),
  refused("no html", "PUT /api/drops/{slug}", { json: {} }, htmlRequired, /html/),
  refused("no passcode", "POST /api/drops/{slug}/passcode", { json: {} }, passcodeRequired, /empty string/),
];
