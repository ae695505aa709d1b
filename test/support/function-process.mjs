/**
 * A new process with one function: `function-process.mjs <bundle> <export>`. It loads the bundle, then calls the function
 * `times` times with each event that it receives. It sends the processor time of each.
 */
import { pathToFileURL } from "node:url";

const remainingMs = 28_000;
const [modulePath, exportName] = process.argv.slice(2);

const { cpuMs, result: module } = await measured(() => import(pathToFileURL(modulePath).href));
process.on("message", async ({ event, times }) => {
  const context = { awsRequestId: "measured", getRemainingTimeInMillis: () => remainingMs };
  const call = async () => {
    for (let more = times - 1; more > 0; more -= 1) await module[exportName](event, context);
    return module[exportName](event, context);
  };
  const { cpuMs, result: response } = await measured(call);
  process.send({ cpuMs: cpuMs / times, response });
});
process.send({ cpuMs });

async function measured(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, result };
}
