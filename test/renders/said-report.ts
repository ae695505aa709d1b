import type { Drawing, DrawRequest, PageReport, ViewReport } from "../../functions/renders/report.ts";

/** The smallest JPEG that every browser shows: one grey pixel. */
export const jpeg =
  "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APn+v//Z";

const viewNames = ["phone-light", "phone-dark", "desktop-light", "desktop-dark"] as const;

/** The default result of every view. */
export const nothing = {
  loadMs: 12,
  console: [],
  requests: [],
  attempts: [],
  overflow: undefined,
  accessibility: [],
} satisfies Omit<ViewReport, "name">;

/** The report that a page describes. */
interface Said {
  /** Results in every view. @default - no faults */
  readonly seen?: Partial<ViewReport>;
  /** Reason for stopping before the first picture. @default - the page is not stopped */
  readonly stopped?: PageReport["stopped"];
  /** Duration of the rendering. @default 0 */
  readonly waitMs?: number;
}

/** Builds a page whose report is as described here, in a service started with `saidReportCode`. */
export function pageThatSays(said: Said): string {
  return `<!doctype html><html lang="en"><title>A page</title><script type="application/json">${JSON.stringify(said)}</script>`;
}

/** Replaces the function with the browser, for tests of the report's handling. */
async function drawPage(
  request: DrawRequest,
  given: { readonly jpeg: string; readonly viewNames: typeof viewNames; readonly nothing: typeof nothing },
): Promise<Drawing> {
  const page = Buffer.from(request.page, "base64").toString();
  const [, text = "{}"] = /<script type="application\/json">(.*?)<\/script>/s.exec(page) ?? [];
  const { seen = {}, stopped, waitMs = 0 } = JSON.parse(text) as Said;
  await new Promise((done) => setTimeout(done, waitMs));
  const weight = { pageBytes: page.length, fileBytes: 0, requests: 0 };
  if (stopped !== undefined) return { report: { views: [], stopped, weight }, pictures: {}, milliseconds: 5 };
  const picture = { mediaType: "image/jpeg", widthPx: 1, heightPx: 1, bytes: given.jpeg } as const;
  return {
    report: { views: given.viewNames.map((name) => ({ name, ...given.nothing, ...seen })), weight },
    pictures: Object.fromEntries(given.viewNames.map((name) => [name, picture])),
    milliseconds: 7,
  };
}

/** The stand-in as a module without imports. */
export const saidReportCode = `const given = ${JSON.stringify({ jpeg, viewNames, nothing })};
const draw = ${drawPage.toString()};
export const drawPage = (request) => draw(request, given);
`;
