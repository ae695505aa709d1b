import type { HttpResponse } from "../http/response.ts";
import loader from "./large-page.client.ts?text";

/** A page that exceeds the function's response limit, even compressed. */
interface LargePage {
  /** Signed URL of the page's bytes. */
  readonly address: string;
  /** Charset that the page declares. @default - none */
  readonly charset: string | undefined;
  /** Offset in bytes at which style and script are inserted. */
  readonly styleOffset: number;
  readonly inserted: string;
}

/** Responds with a small page whose script fetches the large page and replaces itself with it. The URL expires after a few seconds. */
export function largePage(
  { charset = "windows-1252", ...page }: LargePage,
  { headers, ...response }: HttpResponse,
): HttpResponse {
  const data = JSON.stringify({ ...page, charset })
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;");
  return {
    ...response,
    headers: { ...headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body: `<!doctype html><html lang="en"><title>Loading</title><body data-page="${data}"><p>Loading the page. It is large, and needs scripts.</p><script>${loader}</script></body></html>`,
  };
}
