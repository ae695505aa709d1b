import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dropPath, findNamedDrop } from "../drop.ts";
import { type Output, plain, withProgress, writeResult } from "../output.ts";
import { Problem } from "../problem.ts";
import type { ServiceOption } from "../service/select-service.ts";

interface Render {
  readonly version: number;
  readonly state: "asked" | "failed" | "rendered";
  readonly message: string;
  readonly findings?: readonly string[];
  readonly views?: readonly {
    readonly name: string;
    readonly picture: { readonly url: string; readonly content_type: string } | null;
  }[];
}

interface RenderOptions extends ServiceOption {
  readonly save?: string;
}

const waitMsMax = 180_000;

/** Reports how a page looks and what is wrong with it. Waits for the report, and saves its pictures. */
export async function render(name: string, { service, save }: RenderOptions, output: Output): Promise<void> {
  const { client, slug, version } = await findNamedDrop(name, service);
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  const report = await withProgress(output, "Rendering the page", async () => {
    const endsAtMs = Date.now() + waitMsMax;
    for (;;) {
      const { status, result, headers } = await client.call<Render>(dropPath(slug, "/render"), { query });
      if (status !== 202) return result;
      if (Date.now() > endsAtMs)
        throw new Problem("The report is not there after three minutes. Try again later.");
      await sleep(Number(headers.get("retry-after") ?? "2") * 1000);
    }
  });
  const saved = save === undefined ? [] : await savePictures(report, slug, save);
  const findings = report.findings ?? [];
  writeResult(output, { ...report, saved }, [
    plain(report.message),
    ...findings.map((finding) => `- ${plain(finding)}`),
    ...saved.map((path) => `Saved ${path}`),
  ]);
  if (report.state === "failed") throw new Problem("The page was not rendered.");
}

async function savePictures(report: Render, slug: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { name, picture } of report.views ?? []) {
    if (picture === null) continue;
    const response = await fetch(picture.url);
    if (!response.ok) throw new Problem(`The picture ${name} did not come (${response.status}). Try again.`);
    const ending =
      picture.content_type === "image/png" ? "png" : picture.content_type.replace(/^image\//, "");
    const path = join(folder, `${slug}-v${report.version}-${name}.${ending}`);
    await writeFile(path, new Uint8Array(await response.arrayBuffer()));
    paths.push(path);
  }
  return paths;
}
