import { writeLog } from "../core/log.ts";
import { operation } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { ok } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { parseEmailAddress } from "../people/email-addresses.ts";
import { findLinkCard, type LinkCard } from "./link-card.ts";
import { receiveSlackEventRoute } from "./rows.ts";
import { callSlack, parseObject, readSignedBody, SlackError, toObject } from "./slack-app.ts";

/** Time limit for all calls to Slack together, in milliseconds. Slack resends an event if it gets no response within three seconds. */
const workMs = 2_300;

/** Maximum number of links in a message that get a card. */
const linksMax = 10;

/** POST /slack/events: shows cards below links that people post in Slack; see docs/slack.md. */
export const receiveSlackEvent = operation(receiveSlackEventRoute, async ({ request, site, nowMs }) => {
  const deadlineMs = Date.now() + workMs;
  const call = parseObject(await readSignedBody(request, nowMs));
  if (call.type === "url_verification") return ok({ challenge: String(call.challenge) });
  const message = parseMessage(call);
  if (message !== undefined && !isRepeated(request)) await showCards(message, { site, nowMs, deadlineMs });
  return ok({});
});

/** Returns true for an event that Slack resends after a late response. The first request has already shown the cards, or logged the failure. */
function isRepeated({ headers }: HttpRequest): boolean {
  return headers["x-slack-retry-num"] !== undefined;
}

/** A Slack message with links. */
interface Message {
  /** Parameters of `chat.unfurl` that identify the message. */
  readonly place: Readonly<Record<string, string>>;
  readonly urls: readonly string[];
  readonly user: string;
  readonly team: string;
  /** True if the channel is shared with other organizations. */
  readonly isShared: boolean;
}

/** Parses a `link_shared` event. Returns undefined for any other event; see "link_shared event", Slack documentation. */
function parseMessage(call: Readonly<Record<string, unknown>>): Message | undefined {
  const event = toObject(call.event);
  if (call.type !== "event_callback" || event.type !== "link_shared") return undefined;
  const place =
    textsOf(event, { unfurl_id: "unfurl_id", source: "source" }) ??
    textsOf(event, { channel: "channel", message_ts: "ts" });
  const [user, team] = [event.user, call.team_id];
  const links = Array.isArray(event.links) ? event.links : [];
  if (place === undefined || typeof user !== "string" || typeof team !== "string") return undefined;
  const urls = links.map((link) => toObject(link).url).filter((url) => typeof url === "string");
  return { place, urls: urls.slice(0, linksMax), user, team, isShared: call.is_ext_shared_channel === true };
}

/** Copies string properties of an object under new names. Returns undefined if a string is missing. */
function textsOf(
  object: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const entries = Object.entries(names).map(([name, renamed]) => [renamed, object[name]] as const);
  return entries.every(([, value]) => typeof value === "string")
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

async function showCards(
  message: Message,
  { site, nowMs, deadlineMs }: { readonly site: Site; readonly nowMs: number; readonly deadlineMs: number },
): Promise<void> {
  let email: Promise<string | undefined> | undefined;
  const findPosterEmail = () => (email ??= posterEmail(message, deadlineMs));
  const found = await Promise.all(
    [...new Set(message.urls)].map(
      async (url) => [url, await findLinkCard({ url, findPosterEmail }, site, nowMs)] as const,
    ),
  );
  const unfurls = found.filter((entry): entry is [string, LinkCard] => entry[1] !== undefined);
  if (unfurls.length === 0) return;
  await reportFailure(
    callSlack(
      "chat.unfurl",
      { ...message.place, unfurls: JSON.stringify(Object.fromEntries(unfurls)) },
      deadlineMs,
    ),
  );
}

/**
 * Finds the poster's e-mail address. Slack must have confirmed the address. The poster must belong to the workspace
 * that installed the app, because administrators of another workspace could set any address. Returns undefined in
 * channels shared with other organizations.
 */
async function posterEmail(
  { user, team, isShared }: Message,
  deadlineMs: number,
): Promise<string | undefined> {
  if (isShared) return undefined;
  const response = await reportFailure(callSlack("users.info", { user }, deadlineMs));
  const found = toObject(response?.user);
  const isOwn = found.team_id === team && found.deleted !== true && found.is_stranger !== true;
  if (!isOwn || found.is_email_confirmed !== true) return undefined;
  return parseEmailAddress(String(toObject(found.profile).email));
}

/** Logs a failed call to Slack. The call is not retried, because a link without a card still works. */
async function reportFailure<Result>(called: Promise<Result>): Promise<Result | undefined> {
  try {
    return await called;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    writeLog({ level: "warn", operation: receiveSlackEventRoute.id, event: "slack-failed", why: error.why });
    return undefined;
  }
}
