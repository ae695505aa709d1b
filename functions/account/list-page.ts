import * as z from "zod/mini";
import { choice, integer } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";

/** One page of a list, with the number of the page, starting from 1, the number of pages, and the total number of entries. */
export type ListPage<Entry> = ReturnType<typeof listPage<Entry>>;

/** Maximum number of entries per page. Small, because each entry has its own forms. */
const entriesMax = 50;

/** Returns the page of a list with the given number. Returns the last page if the number is too high, for example after a deletion. */
export function listPage<Entry>(entries: readonly Entry[], asked: number) {
  const count = Math.max(1, Math.ceil(entries.length / entriesMax));
  const number = Math.min(asked, count);
  const shown = entries.slice((number - 1) * entriesMax, number * entriesMax);
  return { shown, number, count, total: entries.length };
}

/** Notices about a completed change, keyed by the redirect's `done` parameter. */
export const doneNotices = {
  saved: "Saved.",
  shared: "Saved.",
  trashed: "The page and all its versions are in the trash.",
  locked: "The page is locked. Readers who have already opened it need the new passcode.",
  unlocked: "The page no longer needs a passcode.",
  "version-deleted": "The version was deleted.",
  "version-restored": "The version was restored as the latest version.",
  "answer-deleted": "The answer was deleted.",
  "answers-deleted": "The answers were deleted.",
  "access-given": "The person now has access, but wasn’t notified. Send them the link.",
  "access-dismissed": "The request was dismissed. The person wasn’t notified.",
  deleted: "The page and all its versions were deleted.",
  moved: "The page was moved. Its link and readers stay the same.",
  undeleted: "The page was restored.",
  purged: "The page was permanently deleted.",
  uploaded: "Uploaded.",
  uploadedWithSecrets:
    "The file was uploaded, but may contain a secret, such as a password or key. If it does, delete the file and replace the secret.",
  "file-deleted": "The file was deleted.",
  revoked: "The token was revoked and no longer works.",
  "person-saved": "Saved. The change applies at once.",
  "person-removed": "Removed. This person, domain or group can no longer publish for the team.",
  grouped: "Saved. The team’s page shows the change within seconds.",
} as const;

/** Name of a completed change in `?done=`. */
export type Done = keyof typeof doneNotices;

/** Schema of `?done=`, which names the change that a form made. */
export const done = /* @__PURE__ */ schema(() =>
  z.catch(z.optional(choice(Object.keys(doneNotices) as Done[])), undefined),
);

/** Builds a query string, including the question mark. Omits undefined values. */
export function queryString(values: Readonly<Record<string, string | number | undefined>>): string {
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return sent.length === 0 ? "" : `?${new URLSearchParams(sent)}`;
}

/** Query of a page that has only the parameter `done`. */
export const doneQuery = /* @__PURE__ */ schema(() => z.object({ done }));

/** Query of a list, with `?page=N`. An invalid number selects the first page instead of causing an error. */
export const listQuery = /* @__PURE__ */ schema(() =>
  z.object({ done, page: z._default(z.catch(integer({ minimum: 1 }), 1), 1) }),
);

/** Query of the list of drops. If the search query `q` is present, `page` selects a page of results. */
export const searchedListQuery = /* @__PURE__ */ schema(() => z.extend(listQuery, { q: pageSearch.q }));
