import { isIP } from "node:net";
import { eventKinds } from "../../functions/events/event.ts";
import { webhookLimits } from "../../functions/events/webhook.ts";
import { isPublicAddress } from "../../functions/http/public-request.ts";
import type { Settings, WebhookSettings } from "../settings.ts";
import { quote, unknownNameProblems } from "./setting-problems.ts";
import { parseUrl } from "./validate-domain-settings.ts";

/** Problems with webhook addresses: a line for each. */
export function webhookProblems({ webhooks }: Settings): string[] {
  if (webhooks === undefined) return [];
  const { endpointsMax } = webhookLimits;
  if (!Array.isArray(webhooks))
    return [
      `webhooks is ${quote(webhooks)}: write a list such as [{ url: "https://hooks.example.com/dropleaf" }]`,
    ];
  if (webhooks.length > endpointsMax)
    return [`webhooks has ${webhooks.length} addresses: write ${endpointsMax} at most`];
  const urls = webhooks.map((webhook: Partial<WebhookSettings> | null) => webhook?.url);
  const twice = urls.filter((url, index) => url !== undefined && urls.indexOf(url) !== index);
  return [
    ...webhooks.flatMap((webhook: unknown, index) => endpointProblems(webhook, `webhooks[${index}]`)),
    ...twice.map((url) => `webhooks has ${quote(url)} twice: write it once, with all its events`),
  ];
}

function endpointProblems(webhook: unknown, name: string): string[] {
  if (typeof webhook !== "object" || webhook === null) {
    return [`${name} is ${quote(webhook)}: write such as { url: "https://hooks.example.com/dropleaf" }`];
  }
  const { url, events } = webhook as { readonly url?: unknown; readonly events?: unknown };
  return [
    ...unknownNameProblems(webhook, ["url", "events"], name),
    ...urlProblems(url, `${name}.url`),
    ...eventsProblems(events, `${name}.events`),
  ];
}

/** The address as it is signed for and called: in one spelling. */
function urlProblems(given: unknown, name: string): string[] {
  const instead =
    'write an https address of the public internet such as "https://hooks.example.com/dropleaf"';
  const url = typeof given === "string" ? parseUrl(given) : undefined;
  if (url?.protocol !== "https:") return [`${name} is ${quote(given)}: ${instead}`];
  if (url.username !== "" || url.password !== "")
    return [`${name} has a user name or password in it: leave that out; each delivery is signed`];
  if (url.hash !== "" || String(given).includes("#")) return [`${name} is ${quote(given)}: leave out the #`];
  if (url.href.length > webhookLimits.urlCharactersMax)
    return [`${name} has ${url.href.length} characters: write ${webhookLimits.urlCharactersMax} at most`];
  if (!isOfThePublicInternet(url))
    return [`${name} is ${quote(given)}, which is not on the public internet: ${instead}`];
  return url.href === given ? [] : [`${name} is ${quote(given)}: write it as ${quote(url.href)}`];
}

/** Checks the address without resolving it. Each delivery checks the resolved address. */
function isOfThePublicInternet({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes(".") && !/(^|\.)(localhost|local|internal)\.?$/.test(host);
}

function eventsProblems(events: unknown, name: string): string[] {
  if (events === undefined) return [];
  const kinds = eventKinds.map((kind) => `"${kind}"`).join(", ");
  if (!Array.isArray(events) || events.length === 0)
    return [`${name} is ${quote(events)}: leave it out for all events, or write a list of ${kinds}`];
  return events
    .filter((kind, index) => !eventKinds.includes(kind) || events.indexOf(kind) !== index)
    .map((kind) =>
      eventKinds.includes(kind)
        ? `${name} has ${quote(kind)} twice: write it once`
        : `${name} has ${quote(kind)}: write of ${kinds}`,
    );
}
