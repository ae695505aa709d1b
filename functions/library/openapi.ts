import { type DescribedParameters, exampleNamespace, type OperationExamples } from "../core/openapi.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { exampleDrop } from "../drops/openapi.ts";
import type { DropResponse } from "../drops/schemas.ts";
import type { LibraryDropResponse, LibraryResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  Library: "Others' drops that the caller may read.",
  "Library.drops": "Newest first. A page can be short or empty although more drops follow.",
  "Library.drops.description": "Hidden like `title`.",
  "Library.drops.locked": "true: the drop is locked with a passcode.",
  "Library.drops.metadata": "The owner's tags. Empty if `title` is null.",
  "Library.drops.own": "true: the drop belongs to the caller.",
  "Library.drops.owner": "The owner's name, as in the URLs of their pages.",
  "Library.drops.raw_url": "The page itself, without the viewer.",
  "Library.drops.title": "null for another owner's locked drop: the passcode protects it.",
  "Library.drops.url": "The permanent address. Open it in a browser.",
  "Library.drops.visibility":
    "`public`: anyone. `members`: members of this service. `people`: readers that its owner named, including the caller. Never `unlisted`.",
  "Library.next_cursor": "Send it as `cursor` to continue. null at the end of the list.",
};

const exampleCursor = "b3V0b2ZzaWdodG91dG9mbWluZGFuZG5vYm9keXN0b3JlYWRoZXJlYXRhbGxvZmNvdXJzZW5vdA";

/** Descriptions of query parameters, by name, or by operation and name if the meaning depends on the operation. */
export const queryParameters: DescribedParameters = {
  cursor: {
    description: "`next_cursor` of the previous response, unchanged, to continue the list.",
    example: exampleCursor,
  },
  owner: { description: "The name of an owner, as in the URLs of their pages.", example: exampleNamespace },
  q: {
    description: "Words in titles and descriptions, ignoring case and accents. A drop must have all of them.",
    example: "quarterly numbers",
  },
};

/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "list-library":
    "Lists drops that are shared with all members or with the caller. If only members may publish, public drops are listed, too. New drops appear after a few seconds. Drops that the caller may no longer read disappear at once. A response can have fewer drops than a page, or none. If it has `next_cursor`, there are more drops to check.",
};

/** Example calls and responses. */
export const examples = (site: DocumentSite) =>
  ({
    "list-library": {
      response: {
        drops: [exampleLibraryDrop(exampleDrop(site))],
        next_cursor: exampleCursor,
      } satisfies LibraryResponse,
    },
  }) satisfies OperationExamples;

/** Converts the example drop to an entry in another member's library. */
function exampleLibraryDrop({
  view_count: _,
  readers: __,
  readable_by: _____,
  indexed: ___,
  feedback: ____,
  answers: _______,
  answers_results: ________,
  expires_at: ______,
  ...drop
}: DropResponse): LibraryDropResponse {
  return { ...drop, visibility: "members", owner: exampleNamespace, own: false } as LibraryDropResponse;
}
