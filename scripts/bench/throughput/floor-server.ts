import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const program = `
const server = require("node:http").createServer((request, response) => response.end(page));
const page = Buffer.alloc(10 * 1024, "x");
server.listen(0, "localhost", () => console.log(server.address().port));
`;

/** The address of a server of Node's in a process of its own that does nothing but answer, with 10 KB. */
export async function floorAddress(): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, ["--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.on("exit", () => child.kill());
  const [port] = await once(child.stdout as NodeJS.ReadableStream, "data");
  return `http://localhost:${Number(String(port))}`;
}
