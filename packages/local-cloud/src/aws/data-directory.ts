import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Creates the data folder if missing and claims it, because two local clouds on the same data would corrupt it.
 * The claim is a socket, which the operating system frees even if the process is killed.
 *
 * @throws Error if the folder cannot be written, or if another process has claimed it
 */
export async function claimDataDirectory(path: string) {
  const absolutePath = resolve(path);
  try {
    mkdirSync(absolutePath, { recursive: true });
    accessSync(absolutePath, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data folder ${absolutePath} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another one with DATA_DIR, for example: DATA_DIR=/tmp/dropleaf npm start`,
    );
  }
  const socketPath = claimSocketPath(realpathSync(absolutePath));
  const server = await listen(socketPath, absolutePath);
  return { path: absolutePath, release: () => new Promise((done) => server.close(done)) };
}

async function listen(socketPath: string, dataDirectory: string): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => {}).end(String(process.pid)));
  if (await tryListen(server, socketPath)) return server;
  const processId = await claimingProcessId(socketPath);
  if (processId !== undefined) {
    throw new Error(
      `The data folder ${dataDirectory} is in use by the local cloud of process ${processId}. Stop that process, or choose another folder with DATA_DIR.`,
    );
  }
  rmSync(socketPath, { force: true });
  if (await tryListen(server, socketPath)) return server;
  throw new Error(
    `The data folder ${dataDirectory} cannot be claimed, because another process uses ${socketPath}. Choose another folder with DATA_DIR.`,
  );
}

function tryListen(server: Server, socketPath: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const refused = (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") done(false);
      else fail(error);
    };
    server.once("error", refused);
    server.listen(socketPath, () => {
      server.off("error", refused);
      server.unref();
      done(true);
    });
  });
}

/** Returns the id of the process that claimed the folder, or undefined if a killed process left the socket behind. */
function claimingProcessId(socketPath: string): Promise<string | undefined> {
  return new Promise((done) => {
    let response = "";
    connect(socketPath)
      .on("data", (bytes) => {
        response += bytes.toString();
      })
      .on("end", () => done(response))
      .on("error", () => done(undefined));
  });
}

/** Returns the path of the claim's socket. It is in the temporary folder, because a socket's path may only be about 100 bytes long. */
function claimSocketPath(dataDirectory: string): string {
  const name = `dropleaf-${createHash("sha256").update(dataDirectory).digest("hex").slice(0, 24)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}
