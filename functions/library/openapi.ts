import { exampleDrop } from "../drops/openapi.ts";
import type { DropResponse } from "../drops/schemas.ts";
import { type DescribedParameters, exampleNamespace, type OperationExamples } from "../http/openapi.ts";
import type { DocumentSite } from "../http/written-site.ts";
import type { LibraryDropResponse, LibraryResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Library: "What the caller may read of what others have published.",
  "Library.drops": "Newest first. There may be fewer than a page has, or none, although there are more.",
  "Library.drops.description": "As `title`.",
  "Library.drops.locked": "Whether a passcode gate is set.",
  "Library.drops.metadata": "The owner's tags; none where `title` is null.",
  "Library.drops.own": "Whether it is the caller's own.",
  "Library.drops.owner": "Whose it is: their name, as in their address.",
  "Library.drops.raw_url": "The page itself, without the viewer.",
  "Library.drops.title": "Null where the drop is locked and not the caller's own: it is behind the passcode.",
  "Library.drops.url": "The permanent address: open it in a browser.",
  "Library.drops.visibility":
    "`public`: anybody may read it. `members`: members of this service. `people`: whom its owner has named, the caller among them. Never `unlisted`.",
  "Library.next_cursor": "Send it as `cursor` to go on; null where there is nothing more.",
};

const exampleCursor = "b3V0b2ZzaWdodG91dG9mbWluZGFuZG5vYm9keXN0b3JlYWRoZXJlYXRhbGxvZmNvdXJzZW5vdA";

/** Query parameters, by name, or by operation and name where two operations differ. */
export const queryParameters: DescribedParameters = {
  cursor: {
    description: "`next_cursor` of the response before, as it came: the list goes on there.",
    example: exampleCursor,
  },
  owner: { description: "The name of an owner, as in their address.", example: exampleNamespace },
  q: {
    description:
      "Words in titles and descriptions, whatever their case and accents. Each of them must be there.",
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

/** The same drop as another member finds it. */
function exampleLibraryDrop({
  view_count: _,
  readers: __,
  readable_by: _____,
  indexed: ___,
  feedback: ____,
  expires_at: ______,
  ...drop
}: DropResponse): LibraryDropResponse {
  return { ...drop, visibility: "members", owner: exampleNamespace, own: false } as LibraryDropResponse;
}
