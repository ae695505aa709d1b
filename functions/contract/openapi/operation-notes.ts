import { limits } from "../limits.ts";

const codeMinutes = limits.deviceCodeSeconds / 60;

/** What there is to know of an operation beyond its one line, by its id. */
export const notes: Readonly<Record<string, string | undefined>> = {
  "start-sign-in": `Show the human \`verification_url\` and \`code\`, then poll. The code lives ${codeMinutes} minutes.`,
  "poll-sign-in":
    "Ask every `poll_interval` seconds while the status is `pending`. The first `verified` answer holds `api_token`, which is never shown again: store it before anything else.",
  "show-verify-page": "For the human, in a browser.",
  "authorize-sign-in": "Reached by the link of the verification page.",
  "complete-sign-in": "Reached by the identity provider's redirect.",
  "start-own-sign-in":
    "The form of the page at `GET /login/token`; it takes requests of the service's own pages only.",
  "reveal-token": "The form of the page that signing in by hand ends at.",
  "undo-sign-in": "The form of the page that confirms a sign-in, good while the code's cookie is.",
  "revoke-token": "A call with the token itself may revoke it.",
  "list-drops":
    "To keep one address across pushes, look up before you publish: filter by metadata of your own; where a drop matches, PUT a new version to it; otherwise POST a new one. `PUT /api/drops?metadata.<key>=<value>` does all of it in one call.",
  "publish-drop": "The answer's `url` is permanent. Keep `slug` to publish further versions.",
  "upsert-drop":
    "The query says which drop is meant, in the words of the list's filters. Where none matches, one is published with the body and with these pairs in its metadata: 201. Where one does, it gets a new version: 200; `description`, `metadata` and `passcode` are left alone where they are absent, and the pairs stay. Where several do, nothing happens: 409. Nobody can come in between: of many calls at once, one makes the drop. With `If-Match` only a drop that is there is changed; with `Idempotency-Key` a repeated call makes no further version.",
  "publish-version":
    "The drop's address stays, and readers see the new version at once. `title`, `description` and `metadata` may come along.",
  "edit-drop": "Makes no new version. A body without fields changes nothing.",
  "set-passcode":
    "A gate for passers-by, not encryption. A new passcode, or none, ends what earlier visitors have opened.",
  "delete-version": "The last version stays: delete the drop instead.",
  "start-upload":
    "Repeated with the same `Idempotency-Key`, the answer has the same `id` and an address signed anew; it has to be completed within the time that the first one gave.",
  "upload-blob":
    "Images, video and audio are shown in place at the answer's `url`; every other file is a download.",
  "view-drop": "A locked drop shows its gate instead, with the same status.",
  "read-raw-page":
    "What was published, with a small style block in front that keeps images and long words inside the screen. On the service's own host, and where the drop is locked, it runs in a sandbox.",
  "unlock-drop": "A wrong passcode shows the form again, with 403.",
  "show-owner-page": "Also at `/` of where the owner lives, which is the address to hand out.",
  "call-mcp":
    "For MCP clients, with the token in their configuration; `initialize`, `tools/list` and the tools of sign-in work without one. A notification is answered 202, without a body. There are no batches, no sessions and no streams: GET and DELETE are refused with 405. Other sites' pages are refused by their Origin.",
};
