import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A server of Node's in a process of its own that does nothing but answer, with 10 KB. */
export interface FloorServer {
  readonly address: string;
  readonly pid: number;
  stop(): void;
}

const program = `
const server = require("node:http").createServer((request, response) => response.end(page));
const page = Buffer.alloc(10 * 1024, "x");
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Starts what no service written for Node can be faster than. */
export async function startFloorServer(): Promise<FloorServer> {
  const child: ChildProcess = spawn(process.execPath, ["--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => void child.kill();
  process.on("exit", stop);
  const [port] = await once(child.stdout as NodeJS.ReadableStream, "data");
  return { address: `http://localhost:${Number(String(port))}`, pid: child.pid ?? 0, stop };
}
