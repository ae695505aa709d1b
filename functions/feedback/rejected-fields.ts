import type { RejectedNames } from "../http/route.ts";

/** By these a caller means what the list goes by, and would get what was not asked for. */
export const refusedOfList: readonly RejectedNames[] = [
  {
    names: [
      ...["cursor", "after", "from", "offset", "start", "startingafter", "sinceid", "lastid", "nextsince"],
      ...["page", "pagetoken", "nextcursor", "skip", "number", "sequence", "before", "until"],
    ],
    advice:
      'To continue, send "since" with next_since of the last response. To start with the first comment, leave it out.',
  },
  {
    names: ["drop", "dropid", "id", "url", "drops", "slugs"],
    advice: 'To select one drop, send "slug", such as ?slug=aB3dE5f.',
  },
  {
    names: ["status", "resolved", "open", "isopen", "isresolved", "unresolved", "filter"],
    advice: 'To select threads, send "state": all, open or resolved.',
  },
  {
    names: ["thread", "threadid"],
    advice: 'Threads cannot be listed alone. Send "slug" to select a drop; each comment names its thread.',
  },
  {
    names: ["limit", "pagesize", "perpage", "size", "count", "take", "first", "max", "maxresults"],
    advice: "A response has up to 50 comments. If has_more is true, call again with next_since.",
    isHarmless: true,
  },
  {
    names: ["timeout", "waitseconds", "poll", "longpoll", "block", "waitms"],
    advice: 'To wait for a comment, send "wait" with up to 25 seconds.',
    isHarmless: true,
  },
];

/** Fields that a reply rejects. */
export const refusedOfReply: readonly RejectedNames[] = [
  {
    names: ["body", "message", "content", "comment", "reply", "html", "markdown"],
    advice: 'Send your reply as "text", in plain text.',
    insteadOf: "text",
  },
  {
    names: ["state", "resolved", "resolve", "status", "close", "closed"],
    advice:
      'To resolve the thread, send PATCH /api/drops/{slug}/feedback/{thread} with {"state": "resolved"}.',
  },
  {
    names: ["author", "name", "from", "as", "quote", "passage", "thread"],
    advice: "A reply is written as the owner, in the thread of its address.",
    isHarmless: true,
  },
];

/** Other names of a thread's state, and fields that a resolution rejects. */
export const refusedOfResolution: readonly RejectedNames[] = [
  {
    names: ["status", "resolved", "resolve", "isresolved", "open", "closed", "close"],
    advice: 'Send "state": "resolved", or "open" to reopen the thread.',
    insteadOf: "state",
  },
  {
    names: ["text", "comment", "reply", "message"],
    advice: 'To reply, send POST /api/drops/{slug}/feedback/{thread}/replies with {"text": "…"}.',
  },
];
