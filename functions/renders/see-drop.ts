import { setTimeout } from "node:timers/promises";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { lastAnswerOf } from "../drops/owned-drops.ts";
import { pages } from "../drops/page-objects.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { type ToolContent, toBlock } from "../drops/read-drop.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findingsOf } from "./findings.ts";
import { failedMessage, presentWeight, renderedMessage, untrusted } from "./presenter.ts";
import { pictureKey, pictureOf, type Render, type RenderedPicture } from "./render.ts";
import { getRenderStatus, type RenderStatus } from "./render-status.ts";
import type { ViewName } from "./report.ts";
import { pagePictureRow, seeDropRow } from "./rows.ts";
import { renders } from "./store.ts";

/** Maximum wait for a render in progress. The whole call must stay below the function's timeout of 28 seconds. */
const waitMsMax = 20_000;

/** Interval at which the render's item is read during the wait. */
const lookEveryMs = 1_000;

/** Maximum number of findings in a result. More would fill a model's context window. */
const findingsMax = 40;

/** Tool `see_drop`: returns a page's problems and pictures. */
export const seeDrop = tokenOperation(seeDropRow, async ({ caller, path, query, nowMs }) => {
  const asked = { ownerId: caller.userId, slug: path.slug };
  let seen = await getRenderStatus({ ...asked, version: query.version }, nowMs);
  // Waits for this version, even if another version is published during the wait.
  const { version } = seen.state === "asked" ? seen : seen.render;
  const startedAtMs = performance.now();
  while (seen.state === "asked" && performance.now() - startedAtMs < waitMsMax) {
    await setTimeout(lookEveryMs);
    // Reads only the render's item until the render has finished.
    if ((await renders.find(path.slug, version))?.state === "asked") continue;
    seen = await getRenderStatus({ ...asked, version }, Date.now());
  }
  const [content, lastAnswer] = await Promise.all([
    presentStatus(seen, query.views),
    lastAnswerOf(path.slug),
  ]);
  return ok(lastAnswer === 0 ? content : withAnswers(content, lastAnswer));
});

/** Adds the number of the latest answer to the page's forms. */
function withAnswers({ structuredContent, content }: ToolContent, lastAnswer: number): ToolContent {
  return {
    structuredContent: { ...structuredContent, last_answer: lastAnswer },
    content: [
      ...content,
      toBlock(
        `Readers have answered the page's forms. The last answer has the number ${lastAnswer}. Call read_answers.`,
      ),
    ],
  };
}

/** Tool `page_picture`: returns the card of a version. Does not request a render, because the card is rendered at publication. */
export const pagePicture = tokenOperation(pagePictureRow, async ({ caller, path, query, nowMs }) => {
  const asked = { ownerId: caller.userId, slug: path.slug, version: query.version };
  const { drop, found } = await publicDrops.requireVersion(asked, nowMs);
  const render = await renders.find(drop.slug, found.version);
  const card = render && pictureOf(render, drop, "card");
  const shown = render && card && (await readPicture(render, card));
  const data = { slug: drop.slug, version: found.version };
  if (shown === undefined) return ok(toContent(data, []));
  return ok(toContent({ ...data, width: shown.width, height: shown.height }, [shown.image]));
});

async function presentStatus(seen: RenderStatus, names: readonly ViewName[]): Promise<ToolContent> {
  if (seen.state === "asked") {
    const { slug, version, state } = seen;
    const message = "The page is still being rendered. Call again in a few seconds.";
    return toContent({ slug, version, state }, [toBlock(message)]);
  }
  const { state, render, report } = seen;
  const pictures = await findPictures(render, names);
  const loads = report?.views.flatMap(({ name, loadMs }) => (loadMs === undefined ? [] : [[name, loadMs]]));
  const data = {
    slug: render.slug,
    version: render.version,
    state,
    ...(state === "failed" ? { ask_again_at: seen.askAgainAtMs } : {}),
    ...(report && { weight: presentWeight(report.weight), load_ms: Object.fromEntries(loads ?? []) }),
    pictures: pictures.map(({ name, width, height }) => ({ view: name, width, height })),
  };
  const findings = report === undefined ? [] : findingsOf(report);
  const lead = state === "failed" ? failedMessage(seen.why) : renderedMessage(findings);
  const rest = findings.length - findingsMax;
  const more = rest > 0 ? [`Less important findings that are not shown: ${rest}.`] : [];
  const shownFindings = findings.slice(0, findingsMax);
  const lines = shownFindings.map((finding) => `- ${finding}`);
  return toContent(
    data,
    [
      toBlock([lead, ...(lines.length > 0 ? [untrusted] : []), ...lines, ...more].join("\n")),
      ...pictures.map(({ image }) => image),
    ],
    { findings: shownFindings },
  );
}

/** Builds a tool result. Repeats `data`, but not `more`, as text for clients that ignore structured content. */
function toContent(data: object, blocks: readonly ContentBlock[], more: object = {}): ToolContent {
  return {
    structuredContent: { ...data, ...more },
    content: [toBlock(JSON.stringify(data)), ...blocks],
  };
}

/** Reads the pictures of these views, in the order of the names. Skips missing pictures. */
async function findPictures(render: Render, names: readonly ViewName[]) {
  const pictures = names.flatMap((name) => render.pictures.find((one) => one.name === name) ?? []);
  const found = await Promise.all(pictures.map((picture) => readPicture(render, picture)));
  return found.filter((picture) => picture !== undefined);
}

async function readPicture({ folder }: Render, picture: RenderedPicture) {
  if (folder === undefined) return undefined;
  const bytes = await pages.getBytes(pictureKey(folder, picture));
  // The picture was deleted during this call.
  if (bytes === undefined) return undefined;
  const image = { type: "image", mimeType: picture.mediaType, data: bytes.toString("base64") } as const;
  return { name: picture.name, width: picture.widthPx, height: picture.heightPx, image };
}
