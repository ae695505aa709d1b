import { dropPath, dropSchema, findNamedDrop } from "../drop.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { type Output, writeResult } from "../terminal/output.ts";

/** Opens a drop in the browser; without a terminal it only prints the address. */
export async function openDrop(name: string, { service }: ServiceOption, output: Output): Promise<void> {
  const { client, slug, version } = await findNamedDrop(name, service);
  const { result: drop } = await client.call(dropPath(slug), dropSchema);
  const url = version === undefined ? drop.url : `${drop.url}?v=${version}`;
  writeResult(output, { slug, url }, [url]);
  if (output.isInteractive && !output.isJson) await openBrowser(url);
}
