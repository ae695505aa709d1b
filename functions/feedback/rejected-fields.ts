import type { MeantNames } from "../http/rejected-fields.ts";

/** By these a caller means what the list goes by, and would get what was not asked for. */
export const refusedOfList: readonly MeantNames[] = [
  {
    names: [
      ...["cursor", "after", "from", "offset", "start", "startingafter", "sinceid", "lastid", "nextsince"],
      ...["page", "pagetoken", "nextcursor", "skip", "number", "sequence", "before", "until"],
    ],
    way: 'Where to go on is said by "since": the next_since of the answer before, or nothing to begin with the first comment.',
  },
  {
    names: ["drop", "dropid", "id", "url", "drops", "slugs"],
    way: 'One drop is said by "slug", such as ?slug=aB3dE5f.',
  },
  {
    names: ["status", "resolved", "open", "isopen", "isresolved", "unresolved", "filter"],
    way: 'Which threads is said by "state": all, open or resolved.',
  },
  {
    names: ["thread", "threadid"],
    way: 'There is no list of one thread: each comment says which thread it is in, and "slug" leaves out other drops.',
  },
  {
    names: ["limit", "pagesize", "perpage", "size", "count", "take", "first", "max", "maxresults"],
    way: "An answer has up to 50 comments; where has_more is true, call again with next_since.",
    isHarmless: true,
  },
  {
    names: ["timeout", "waitseconds", "poll", "longpoll", "block", "waitms"],
    way: 'How many seconds to wait for a comment is said by "wait", up to 25.',
    isHarmless: true,
  },
];

/** Fields that a reply rejects. */
export const refusedOfReply: readonly MeantNames[] = [
  {
    names: ["body", "message", "content", "comment", "reply", "html", "markdown"],
    way: 'What you write is "text": plain text.',
  },
  {
    names: ["state", "resolved", "resolve", "status", "close", "closed"],
    way: 'PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"} resolves the thread.',
  },
  {
    names: ["author", "name", "from", "as", "quote", "passage", "thread"],
    way: "A reply is the owner's, in the thread of its address.",
    isHarmless: true,
  },
];

/** Other names of a thread's state, and fields that a resolution rejects. */
export const refusedOfResolution: readonly MeantNames[] = [
  {
    names: ["status", "resolved", "resolve", "isresolved", "open", "closed", "close"],
    way: 'Send "state": "resolved", or "open" to open it again.',
  },
  {
    names: ["text", "comment", "reply", "message"],
    way: 'POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"} replies.',
  },
];
