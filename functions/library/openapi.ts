import { exampleDrop } from "../drops/openapi.ts";
import type { DropResponse } from "../drops/schemas.ts";
import { type DescribedParameters, exampleNamespace, type OperationExamples } from "../http/openapi.ts";
import type { DocumentSite } from "../http/written-site.ts";
import type { LibraryDropResponse, LibraryResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Library: "Others' drops that the caller may read.",
  "Library.drops": "Newest first. A page can be short or empty although more drops follow.",
  "Library.drops.description": "As `title`.",
  "Library.drops.locked": "true: the drop is locked with a passcode.",
  "Library.drops.metadata": "The owner's tags; none where `title` is null.",
  "Library.drops.own": "true: the drop belongs to the caller.",
  "Library.drops.owner": "The owner's name, as in their address.",
  "Library.drops.raw_url": "The page itself, without the viewer.",
  "Library.drops.title": "null for another owner's locked drop: the passcode protects it.",
  "Library.drops.url": "The permanent address: open it in a browser.",
  "Library.drops.visibility":
    "`public`: anyone. `members`: members of this service. `people`: readers that its owner named, including the caller. Never `unlisted`.",
  "Library.next_cursor": "Send it as `cursor` to go on; null where there is nothing more.",
};

const exampleCursor = "b3V0b2ZzaWdodG91dG9mbWluZGFuZG5vYm9keXN0b3JlYWRoZXJlYXRhbGxvZmNvdXJzZW5vdA";

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  cursor: {
    description: "`next_cursor` of the previous response, unchanged, to continue the list.",
    example: exampleCursor,
  },
  owner: { description: "The name of an owner, as in their address.", example: exampleNamespace },
  q: {
    description: "Words in titles and descriptions, ignoring case and accents. A drop must have all of them.",
    example: "quarterly numbers",
  },
};

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "list-library":
    "What members and people have been let read: where only members may publish, what is public as well. Seconds behind what was published; what may no longer be read is gone at once. A response may have fewer drops than a page, or none, with `next_cursor`: then there is more to look through.",
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

/** The same drop in another member's library. */
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
