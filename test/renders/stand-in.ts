import type { Drawing, DrawRequest, PictureName } from "../../functions/renders/report.ts";

/** Texts in a page that control the stand-in. */
export const orders = {
  /** Crashes, as the function does if a page uses all of its memory. */
  die: "ORDER-DIE",
  /** Takes two seconds. */
  wait: "ORDER-WAIT",
  /** Stops the page before any picture is rendered. */
  stop: "ORDER-STOP",
} as const;

/**
 * The stand-in's pictures for a report. Each contains some of the page's text, except the card: it is JSON of the
 * request. Without a report, only card and thumbnail are returned.
 */
export const standInPictures: readonly PictureName[] = ["phone-light", "card", "thumbnail"];

/** Replaces the function with the browser, for tests of the code around it. */
async function drawPage(
  request: DrawRequest,
  given: {
    readonly orders: typeof orders;
    readonly pictures: readonly PictureName[];
    /** Id of the execution environment. */
    readonly environment: string;
  },
): Promise<Drawing> {
  const page = Buffer.from(request.page, "base64").toString();
  if (page.includes(given.orders.die)) process.exit(1);
  if (page.includes(given.orders.wait)) await new Promise((done) => setTimeout(done, 2_000));
  const isStopped = page.includes(given.orders.stop);
  const fetched = await Promise.all(
    request.files.map(async ({ url, source, why }) => {
      const address = typeof source === "number" ? request.sources?.[source] : source;
      const text = address === undefined ? why : await (await fetch(address)).text();
      return `${url} ${text}`;
    }),
  );
  const { url, headers, extent } = request;
  const asked = { url, headers, extent, files: fetched, page, environment: given.environment };
  const names = given.pictures.filter((name) => extent === "report" || name !== "phone-light");
  const picture = (name: PictureName) => ({
    mediaType: name === "thumbnail" ? ("image/webp" as const) : ("image/png" as const),
    widthPx: 1,
    heightPx: 1,
    bytes: Buffer.from(name === "card" ? JSON.stringify(asked) : `${name} of ${page.slice(0, 200)}`).toString(
      "base64",
    ),
  });
  const view = {
    name: "phone-light" as const,
    loadMs: 1,
    console: [],
    requests: [],
    attempts: [],
    overflow: undefined,
    accessibility: [],
  };
  return {
    report: {
      views: isStopped ? [] : [view],
      ...(isStopped ? { stopped: "time" as const } : {}),
      weight: { pageBytes: page.length, fileBytes: 0, requests: 0 },
    },
    pictures: Object.fromEntries(isStopped ? [] : names.map((name) => [name, picture(name)])),
    milliseconds: 7,
  };
}

/** The stand-in as a module without imports. */
export const standInCode = `const given = { ...${JSON.stringify({ orders, pictures: standInPictures })}, environment: crypto.randomUUID() };
const draw = ${drawPage.toString()};
export const drawPage = (request) => draw(request, given);
`;
