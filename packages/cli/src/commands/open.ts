import { findNamedDrop, readDrop } from "../drop.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { type Output, writeResult } from "../terminal/output.ts";

/** Opens a drop in the browser. Without a terminal, only prints the address. */
export async function openDrop(name: string, { service }: ServiceOption, output: Output): Promise<void> {
  const named = await findNamedDrop(name, service);
  const { slug, version } = named;
  const drop = await readDrop(named);
  const url = version === undefined ? drop.url : `${drop.url}?v=${version}`;
  writeResult(output, { slug, url }, [url]);
  if (output.isInteractive && !output.isJson) await openBrowser(url);
}
