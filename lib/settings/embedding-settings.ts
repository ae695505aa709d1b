import * as z from "zod";
import { checkedText, parseUrl, quote, repeated, withoutValue } from "./setting-kinds.ts";

const originForm = 'use an https origin such as "https://acme.notion.site", without a path or wildcard';

/** Maximum number of origins. The number is limited, because a header of every viewer response contains all origins. */
const originsMax = 20;

const origins = z
  .array(checkedText(originForm, problemOfOrigin), 'use a list such as ["https://acme.notion.site"]')
  .min(1, "leave embedding out if no other site may frame pages")
  .check(({ value, issues }) => {
    const messages = [
      ...(value.length > originsMax ? [`has ${value.length} origins: use at most ${originsMax}`] : []),
      ...repeated(value).map((origin) => `has ${quote(origin)} twice: list it once`),
    ];
    for (const message of messages) issues.push({ code: "custom", input: value, message, ...withoutValue });
  })
  .readonly();

export const embedding = z.strictObject(
  {
    /** Exact https origins of the sites that may frame drops, such as `https://acme.notion.site`. */
    origins,
  },
  'use a value such as { origins: ["https://acme.notion.site"] }',
);

/** Requires the exact spelling that browsers use to compare origins. */
function problemOfOrigin(given: string): string | { readonly hiding: string } | undefined {
  const url = parseUrl(given);
  if (url?.protocol !== "https:" || !/^[a-z0-9.-]+$/.test(url.hostname)) return originForm;
  if (url.username !== "" || url.password !== "")
    return { hiding: "contains a user name or password: remove it" };
  return url.origin === given ? undefined : `write it as ${quote(url.origin)}`;
}
