import { isIP } from "node:net";
import * as z from "zod";
import { isPublicAddress } from "../../functions/core/public-request.ts";
import { eventKinds } from "../../functions/events/event.ts";
import { webhookLimits } from "../../functions/events/webhook.ts";
import { checkedText, parseUrl, quote, repeated, withoutValue } from "./setting-kinds.ts";

const kinds = eventKinds.map(quote).join(", ");
const addressForm =
  'use an https address of the public internet such as "https://hooks.example.com/dropleaf"';

/** A URL that receives events. */
const webhook = z.strictObject(
  {
    /** An https URL on the public internet, such as `https://hooks.example.com/dropleaf`. */
    url: checkedText(addressForm, problemOfAddress),
    /** Kinds of events that are sent to the URL, such as `drop.published`. @default - all kinds */
    events: z.optional(
      z
        .array(
          z.enum(eventKinds, `choose one of ${kinds}`),
          `leave it out for all events, or use a list of ${kinds}`,
        )
        .min(1, `leave it out for all events, or use a list of ${kinds}`)
        .refine((events) => repeated(events).length === 0, "list each event once")
        .readonly(),
    ),
  },
  'use a value such as { url: "https://hooks.example.com/dropleaf" }',
);

export const webhooks = z
  .array(webhook, 'use a list such as [{ url: "https://hooks.example.com/dropleaf" }]')
  .check(({ value, issues }) => {
    const { endpointsMax } = webhookLimits;
    const messages = [
      ...(value.length > endpointsMax ? [`has ${value.length} addresses: use at most ${endpointsMax}`] : []),
      ...repeated(value.map(({ url }) => url)).map(
        (url) => `has ${quote(url)} twice: list it once, with all its events`,
      ),
    ];
    for (const message of messages) issues.push({ code: "custom", input: value, message, ...withoutValue });
  })
  .readonly();

/** Requires an https URL on the public internet, in normalized spelling, because deliveries use the URL exactly as written. */
function problemOfAddress(given: string): string | { readonly hiding: string } | undefined {
  const url = parseUrl(given);
  if (url?.protocol !== "https:") return addressForm;
  if (url.username !== "" || url.password !== "")
    return { hiding: "contains a user name or password: remove it; each delivery is signed" };
  if (given.includes("#")) return "leave out the #";
  if (url.href.length > webhookLimits.urlCharactersMax)
    return `use at most ${webhookLimits.urlCharactersMax} characters`;
  if (!isOfThePublicInternet(url)) return `which is not on the public internet: ${addressForm}`;
  return url.href === given ? undefined : `write it as ${quote(url.href)}`;
}

/** Checks the host without resolving it, because each delivery checks the resolved network address. */
function isOfThePublicInternet({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes(".") && !/(^|\.)(localhost|local|internal)\.?$/.test(host);
}
