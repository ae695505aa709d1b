import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { contentType } from "mime-types";

/** A plain static server on this machine, with a host for each folder. */
export type PlainServer = Awaited<ReturnType<typeof startPlainServer>>;

/** Serves folders like a simple web server, with content types by file extension and `index.html` for a folder. */
export async function startPlainServer(folders: ReadonlyMap<string, string>) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const folder = folders.get(url.hostname.split(".")[0] ?? "");
    const path = normalize(decodeURIComponent(url.pathname));
    const file = folder && (await findFile(join(folder, path)));
    if (file === "redirect") response.writeHead(301, { location: `${url.pathname}/${url.search}` }).end();
    else if (!file) response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
    else {
      const type = contentType(file.replace(/^.*\//, "")) || "application/octet-stream";
      response.writeHead(200, { "content-type": type }).end(await readFile(file));
    }
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    addressOf: (name: string) => `http://${name}.localhost:${port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function findFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found && path;
  if (!path.endsWith("/")) return "redirect";
  return findFile(join(path, "index.html"));
}
