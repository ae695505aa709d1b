import type { DropResponse, PublicationStartResponse } from "../../../functions/drops/schemas.ts";
import { samplePage } from "../sample-page.ts";
import type { Walk } from "./operation-caller.ts";

/** Publishes the sample page, with these fields in place of its own. */
export async function publish(
  walk: Walk,
  variant: string,
  token: string,
  fields: object = {},
): Promise<DropResponse> {
  const { text } = await walk("publish-drop", variant, { token, body: { ...samplePage, ...fields } });
  return JSON.parse(text) as DropResponse;
}

/** A page by an address of its own, from a file. */
export async function walkPublication(walk: Walk, token: string): Promise<void> {
  const { text } = await walk("start-publish", "", { token, body: { title: samplePage.title } });
  const { url } = JSON.parse(text) as PublicationStartResponse;
  const query = Object.fromEntries(new URL(url).searchParams);
  const headers = { "content-type": "text/html" };
  await walk("send-page", "a new drop", { query, headers, body: samplePage.html, expectedStatus: 201 });
}

/** A page that is read back as it was published, compared and restored. */
export async function walkReading(walk: Walk, token: string): Promise<void> {
  const markdown = { headers: { "content-type": "text/markdown" }, body: "# Harbours\n\nBy ship." };
  const published = await walk("publish-drop", "Markdown", { token, ...markdown });
  const { slug } = JSON.parse(published.text) as DropResponse;
  const drop = { params: { slug }, token };
  await walk("publish-version", "Markdown", { ...drop, ...markdown, body: "# Harbours\n\nBy rail." });
  await walk("read-html", "", drop);
  await walk("read-source", "", drop);
  await walk("compare-versions", "", drop);
  await walk("restore-version", "", { ...drop, body: { version: 1 } });
}
