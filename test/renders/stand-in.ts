import type { Drawing, DrawRequest, PictureName } from "../../functions/renders/report.ts";

/** What a page says in its text that the stand-in of the function with the browser is to do. */
export const orders = {
  /** Dies of it, as the function does of a page that takes all of its memory. */
  die: "ORDER-DIE",
  /** Takes two seconds. */
  wait: "ORDER-WAIT",
  /** Gives the page up before there is any picture. */
  stop: "ORDER-STOP",
} as const;

/**
 * What the stand-in gives as pictures for a report, each some words of the page; but the card is JSON of what it was asked. For links
 * and lists it gives those two alone.
 */
export const standInPictures: readonly PictureName[] = ["phone-light", "card", "thumbnail"];

/**
 * Stands for the function with the browser, for tests of what is around it.
 */
async function drawPage(
  request: DrawRequest,
  given: {
    readonly orders: typeof orders;
    readonly pictures: readonly PictureName[];
    /** Of the execution environment, as long as it lives. */
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

/** The stand-in as a module that needs nothing of this file. */
export const standInCode = `const given = { ...${JSON.stringify({ orders, pictures: standInPictures })}, environment: crypto.randomUUID() };
const draw = ${drawPage.toString()};
export const drawPage = (request) => draw(request, given);
`;
