/**
 * A fresh process with one function, as Lambda has it: `function-process.mjs <bundle> <export>`. It loads the bundle and
 * says so, then calls the function with each event that it is sent, so many times, and says what both took of the
 * processors; where it is asked to, with V8's profile of these calls.
 */
import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";

const remainingMs = 28_000;
const [modulePath, exportName] = process.argv.slice(2);

const { cpuMs, result: module } = await measured(() => import(pathToFileURL(modulePath).href));
process.on("message", async ({ event, times, isProfiled }) => {
  const context = { awsRequestId: "measured", getRemainingTimeInMillis: () => remainingMs };
  const call = async () => {
    for (let more = times - 1; more > 0; more -= 1) await module[exportName](event, context);
    return module[exportName](event, context);
  };
  if (isProfiled) return process.send({ profile: await profiled(call) });
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

async function profiled(work) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 100 });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return profile;
}
