import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { contentTypeOf } from "../../../functions/folders/content-type.ts";
import type { Files } from "../../support/folders.ts";

/** Static server of a folder, with which the viewer's frame is compared. */
export interface PlainServer {
  /** Address of the folder. */
  readonly address: string;
  readonly close: () => void;
}

/** Serves a folder's files by their names. */
export async function servePlainly(files: Files): Promise<PlainServer> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(1);
    const file = files[path === "" || path.endsWith("/") ? `${path}index.html` : path];
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": contentTypeOf(path || "index.html"),
    });
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://localhost:${port}/`, close: () => server.close() };
}
