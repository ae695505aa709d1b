import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { xmlText } from "../platform/html/xml-text.ts";
import type { OembedResponse } from "./schemas.ts";

/** The response as XML: oEmbed 1.0, section 2.3.2. */
export function renderOembedXml(response: OembedResponse): string {
  const fields = Object.entries(response).map(([name, value]) => h(name, {}, xmlText(String(value))));
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${renderToString(h("oembed", {}, fields))}`;
}
