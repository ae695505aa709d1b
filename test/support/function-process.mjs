/**
 * Runs one function in a new process: `function-process.mjs <bundle> <export>`. Loads the bundle, then calls the
 * function with each event that it receives.
 */
import { pathToFileURL } from "node:url";

const remainingMs = 28_000;
const [modulePath, exportName] = process.argv.slice(2);

const module = await import(pathToFileURL(modulePath).href);
process.on("message", async ({ event }) => {
  const context = { awsRequestId: "measured", getRemainingTimeInMillis: () => remainingMs };
  process.send({ response: await module[exportName](event, context) });
});
process.send({});
