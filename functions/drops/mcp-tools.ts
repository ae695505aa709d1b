import { limits } from "../http/limits.ts";
import type { ArgumentMeanings, McpTool } from "../http/mcp-tool.ts";
import { partCharacters, readDropQuery } from "./queries.ts";

/** Meanings of the arguments of these tools; undefined where name, type and choices say it. */
export const argumentMeanings: ArgumentMeanings = {
  context: "How the page came about; its readers can open it.",
  description: `Up to ${limits.descriptionCodePointsMax} characters; empty for none.`,
  feedback: "Let readers write to you.",
  from: "The one before `to`, where absent.",
  html: "A complete HTML document, up to 2 MiB.",
  indexed: "Let search engines list it.",
  limit: `Characters, up to ${partCharacters.maximum}; ${partCharacters.default} where absent.`,
  metadata: `Your tags, up to ${limits.metadataKeysMax}; they replace those there.`,
  note: "What this version changes, in a line.",
  offset: "Where to begin: a character, or an image; from 0.",
  pageSize: `Up to ${limits.pageSizeMax}.`,
  part: "html where absent. context: how it came about. images: those in it.",
  passcode: `Locks the page: ${limits.passcodeCodePointsMin} characters or more.`,
  readers: "E-mails, @domains, user names, group:<name>.",
  title: `Up to ${limits.titleCodePointsMax} characters.`,
  to: "The latest, where absent.",
  upsert: "Whether to find the page by its tags.",
  visibility: "unlisted: who has the url. people: readers.",
  page: undefined,
  slug: undefined,
  sortBy: undefined,
  sortOrder: undefined,
  version: undefined,
};

/** Which drop is meant, in the tools that find it by tags. */
const whichTags = "Tags that the drop must have, all of them.";

/** Meanings of a page's arguments, empty here because publish_drop describes them. */
const saidOfPages = {
  title: "",
  description: "",
  passcode: "",
  context: "",
  note: "",
  visibility: "",
  readers: "",
  indexed: "",
  feedback: "",
};

/** Meanings of the readers' arguments, empty here because publish_drop describes them. */
const saidOfReaders = { visibility: "", readers: "" };

/** Tools of this feature, in the order that agents see. */
export const tools = [
  {
    name: "publish_drop",
    operation: "publish-drop",
    description:
      "Publish a new page. Give the human its permanent `url`. For a page that may be there already, call upsert_drop.",
  },
  {
    name: "update_drop",
    operation: "publish-version",
    description:
      "Publish a new version of a page, whose `url` stays. What is absent beside html stays as it is.",
    meanings: { ...saidOfPages, html: "", metadata: "" },
  },
  {
    name: "upsert_drop",
    operation: "upsert-drop",
    description:
      "Publish a new version of the page with these tags, or a new page with them where there is none. Where several match, none changes.",
    meanings: { ...saidOfPages, html: "", metadata: `${whichTags} A new one gets them.` },
    isDestructive: true,
  },
  {
    name: "start_publish",
    operation: "start-publish",
    description:
      "Publish a page from a file, HTML or Markdown, without writing it into the call: within 10 minutes run the `command` of the response, with your file as page.html.",
    meanings: {
      ...saidOfPages,
      slug: "The page that it is a new version of.",
      upsert: "As upsert_drop, by metadata.",
      metadata: "",
    },
    isDestructive: true,
  },
  {
    name: "edit_drop",
    operation: "edit-drop",
    description:
      "Change title, description, tags or readers of a page, without a new version. Absent fields stay.",
    meanings: { ...saidOfReaders, title: "", description: "", metadata: "", indexed: "", feedback: "" },
    isDestructive: true,
  },
  {
    name: "list_drops",
    operation: "list-drops",
    description: "List the account's pages, or those with given tags.",
    meanings: { metadata: whichTags },
    isReadOnly: true,
  },
  {
    name: "get_drop",
    operation: "get-drop",
    description: "Get what is about a page: title, tags, latest version, who may read it.",
    isReadOnly: true,
  },
  {
    name: "list_versions",
    operation: "list-versions",
    description: "List a page's versions, latest first, with their notes.",
    isReadOnly: true,
  },
  {
    name: "read_drop",
    operation: "read-html",
    query: readDropQuery,
    description:
      "Read a page as it was published, locked or not. Where `next_offset` comes, call again with it as offset.",
    meanings: { version: "The latest, where absent." },
    isReadOnly: true,
  },
  {
    name: "compare_versions",
    operation: "compare-versions",
    description: "Get what has changed from one version to another, as a unified diff.",
    isReadOnly: true,
  },
  {
    name: "restore_version",
    operation: "restore-version",
    description: "Publish an earlier version once more, as the newest.",
    meanings: { note: "" },
  },
  {
    name: "delete_version",
    operation: "delete-version",
    description: "Delete a version for good, but not the last: ask the human before.",
    names: { n: "version" },
    isDestructive: true,
  },
  {
    name: "lock_drop",
    operation: "set-passcode",
    description:
      "Lock a page by a passcode, or unlock it. A gate for passers-by, no encryption. Tell the human the passcode: it is never shown again.",
    meanings: { passcode: "Empty: unlock." },
    isDestructive: true,
  },
  {
    name: "delete_drop",
    operation: "delete-drop",
    description: "Delete a page with all versions, for good: ask the human before.",
    isDestructive: true,
  },
] as const satisfies readonly McpTool[];
