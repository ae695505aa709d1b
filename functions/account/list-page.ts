import * as z from "zod/mini";
import { choice, integer } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";

/** One page of a list, and the number of all entries. */
export interface ListPage<Entry> {
  readonly shown: readonly Entry[];
  readonly number: number;
  readonly count: number;
  /** Number of entries on all pages. */
  readonly total: number;
}

/** Entries per page: few enough for a fast page, since each has forms of its own. */
const entriesMax = 50;

/** The page with this number. A number past the end, such as after a deletion, gives the last page. */
export function listPage<Entry>(entries: readonly Entry[], asked: number): ListPage<Entry> {
  const count = Math.max(1, Math.ceil(entries.length / entriesMax));
  const number = Math.min(asked, count);
  const shown = entries.slice((number - 1) * entriesMax, number * entriesMax);
  return { shown, number, count, total: entries.length };
}

/** Notices of the changes that a form can report as done, by the name in its redirect. */
export const doneNotices = {
  saved: "Saved.",
  shared: "Saved.",
  trashed: "The page and all its versions are in the trash.",
  locked: "Locked. Readers who have already opened the page need the new passcode.",
  unlocked: "Unlocked. The page no longer needs a passcode.",
  "version-deleted": "The version was deleted.",
  "version-restored": "Restored as the latest version.",
  "answer-deleted": "The answer was deleted.",
  "answers-deleted": "The answers were deleted.",
  "access-given": "Access given. The person wasn’t notified: send them the link.",
  "access-dismissed": "The request was dismissed. The person wasn’t notified.",
  deleted: "The page and all its versions were deleted.",
  moved: "The page was moved. Its link and readers stay.",
  undeleted: "The page was restored.",
  purged: "The page was permanently deleted.",
  uploaded: "Uploaded.",
  uploadedWithSecrets:
    "Uploaded. There may be a secret in the file, such as a password or key. If it is real, replace it where it is used, and delete the file.",
  "file-deleted": "The file was deleted.",
  revoked: "Revoked. The token no longer works.",
  "person-saved": "Saved. It holds from now on.",
  "person-removed": "Removed. They can’t publish for the team any more.",
  grouped: "Saved. The team’s page shows it within seconds.",
} as const;

/** The name of such a change. */
export type Done = keyof typeof doneNotices;

/** `?done=` of the page after a form: the change that the form made. */
export const done = /* @__PURE__ */ schema(() =>
  z.catch(z.optional(choice(Object.keys(doneNotices) as Done[])), undefined),
);

/** The query with only `?done=`. */
export const doneQuery = /* @__PURE__ */ schema(() => z.object({ done }));

/** `?page=N` of a list. An invalid number shows the first page, so that people see no API error. */
export const listQuery = /* @__PURE__ */ schema(() =>
  z.object({ done, page: z._default(z.catch(integer({ minimum: 1 }), 1), 1) }),
);

/** The query of the list of drops, which can be searched: `page` is then a page of the results. */
export const searchedListQuery = /* @__PURE__ */ schema(() => z.extend(listQuery, { q: pageSearch.q }));
