/**
 * A new process with one function: `function-process.mjs <bundle> <export>`. It loads the bundle, then calls the function with each event
 * that it receives.
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
