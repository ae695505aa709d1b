import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { dropPath, findNamedDrop } from "../drop.ts";
import { Problem } from "../problem.ts";
import { RootedFolder } from "../rooted-folder.ts";
import type { Client } from "../service/client.ts";
import { versionNumber, webAddress, withinSeconds } from "../service/fields.ts";
import { readPublic } from "../service/public-read.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { withProgress } from "../terminal/dialog.ts";
import { type Output, writeResult } from "../terminal/output.ts";

const picture = z.object({
  url: webAddress,
  content_type: z.string().check(z.regex(/^image\/[a-z0-9.+-]{1,40}$/, "must be an image type")),
});
const view = z.object({
  name: z.string().check(z.regex(/^[\w-]{1,60}$/, "must be letters, digits, _ and -")),
  picture: z.nullable(picture),
});
const renderSchema = z.object({
  version: versionNumber,
  state: z.string(),
  message: z.string(),
  findings: z.optional(z.array(z.string())),
  views: z.optional(z.array(view)),
});
type Render = z.output<typeof renderSchema>;

interface RenderOptions extends ServiceOption {
  readonly save?: string;
}

const waitMsMax = 180_000;
const pauseSecondsMax = 30;

/** Reports a page's appearance and problems. Waits for the report, and saves the screenshots if requested. */
export async function render(name: string, { service, save }: RenderOptions, output: Output): Promise<void> {
  const { client, slug, version } = await findNamedDrop(name, service);
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  const report = await withProgress(output, "Rendering the page", async () => {
    const endsAtMs = Date.now() + waitMsMax;
    for (;;) {
      const { status, result, headers } = await client.call(dropPath(slug, "/render"), renderSchema, {
        query,
      });
      if (status !== 202) return result;
      if (Date.now() > endsAtMs)
        throw new Problem("The report is not ready after three minutes. Try again later.");
      await sleep(withinSeconds(Number(headers.get("retry-after") ?? "2"), 1, pauseSecondsMax) * 1000);
    }
  });
  const saved = save === undefined ? [] : await savePictures(client, report, slug, save);
  const findings = report.findings ?? [];
  writeResult(output, { ...report, saved }, [
    report.message,
    ...findings.map((finding) => `- ${finding}`),
    ...saved.map((path) => `Saved ${path}`),
  ]);
  if (report.state === "failed") throw new Problem("The page was not rendered.");
}

async function savePictures(client: Client, report: Render, slug: string, save: string): Promise<string[]> {
  const folder = new RootedFolder(save);
  const paths: string[] = [];
  for (const { name, picture } of report.views ?? []) {
    if (picture === null) continue;
    const { status, bytes } = await readPublic(picture.url, client.address);
    if (status !== 200)
      throw new Problem(`The screenshot ${name} could not be downloaded (status ${status}). Try again.`);
    const ending =
      picture.content_type === "image/png" ? "png" : picture.content_type.replace(/^image\//, "");
    const path = `${slug}-v${report.version}-${name}.${ending}`;
    await folder.write(path, bytes);
    paths.push(join(save, path));
  }
  return paths;
}
