import { limits } from "../contract/limits.ts";

/** How to write pages that work wherever they are read; the authoring guidance of the specification. */
export const authoring: readonly string[] = [
  "Send one complete HTML document: doctype, `<html lang>`, `<meta charset>`, `<meta name=viewport>`, `<title>`.",
  "Put all CSS inside `<style>` and all JavaScript inside `<script>`. No bundles, no fonts, no images from elsewhere: the page should work alone, today and in years.",
  "Draw images as inline SVG or data URLs; upload larger ones as files and use their URL.",
  "Make it usable at a width of 360 px: one column, no fixed pixel widths, long words and URLs that wrap.",
  "In the viewer the page runs in a sandboxed frame of an opaque origin: scripts, forms, dialogs and downloads work; localStorage, cookies and IndexedDB do not. Do not depend on them.",
  "Where raw_url is on a host of the owner's own, storage works there while the drop is not locked, but all pages of one owner share it: put the slug into every key, and never store secrets. Where it is below `/@`, on the service's own host, the page runs there in a sandbox, without storage.",
  "Pages are public unless they are locked, and a lock is a gate for passers-by, not encryption: publish no secrets.",
];

/** What holds for every call. */
export const rules: readonly string[] = [
  "Store the API token where only you can read it, and use it again next time: one sign-in is enough. Never print it, and never put it into a page.",
  "Look up before you publish. Tag each drop with metadata of your own, such as `project`; where one matches, PUT a new version, so that its address stays. `PUT /api/drops?metadata.project=…` looks up and publishes in one call that nobody can come between.",
  "Hand out `url`, and nothing else.",
  "Decide by `error.code`, never by `error.message`. The message tells you what to mend.",
  `A 429 or 503 says in \`Retry-After\` how long to wait. A token has ${limits.writesPerMinutePerToken} writes a minute and ${limits.writesPerDayPerToken} a day; reads are free, and so is a call that was invalid.`,
  "A call that got no answer may have been carried out. Send each POST that makes something with an `Idempotency-Key` of its own, such as a UUID, and repeat it with the same key and body: the thing is made once, and you get its answer. PUT makes one more version at worst.",
  "Where others change the same drop, send the `ETag` of what you have read as `If-Match` with PUT, PATCH and DELETE: 412 `precondition_failed` means that somebody was faster.",
];
