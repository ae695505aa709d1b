/** `npm start` synthesizes the stack with local settings, and runs the stack's template on this machine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { findDynoxide } from "@dropleaf/local-cloud/aws/dynamodb/dynoxide";
import { requireFreePort } from "@dropleaf/local-cloud/free-port";
import { isCheckout } from "../lib/project-directory.ts";
import { loadSettings } from "../lib/settings/settings-file.ts";
import { synthesizeDeferred } from "../local/deferred-bundles.ts";
import { type LocalSettings, parseLocalSettings } from "../local/local-settings.ts";
import { renderingProblem, stackSettings } from "../local/stack-settings.ts";

const howToAttach = `DEBUG: functions run without minification and without time-outs. At its first request, each function logs the address for a
debugger ("Debugger: attach to ws://…"). In Chrome, open devtools://devtools/bundled/js_app.html?ws=127.0.0.1:…
In Visual Studio Code, use a launch configuration of type node, request attach, with that address as websocketAddress.`;

/** Message for new developers about the next steps. */
const nextSteps = (
  address: string,
) => `Any user name signs in. To publish a first page, run in another terminal:
  ${isCheckout ? `export DROPLEAF_URL=${address} && export DROPLEAF_TOKEN=$(node examples/node/sign-in.mjs)` : `npx dropleaf login ${address}`}
  echo '<!doctype html><title>Hello</title><h1>Hello</h1>' > hello.html && ${isCheckout ? "sh examples/curl/publish.sh" : "npx dropleaf publish"} hello.html`;

try {
  const { address } = await runUntilSignal(parseLocalSettings(process.env));
  console.log(`Dropleaf is ready at ${address}`);
  console.log(nextSteps(address));
} catch (error) {
  // Prints Dropleaf's own errors without a stack trace.
  console.error(error instanceof Error && error.constructor !== Error ? error : (error as Error).message);
  process.exit(1);
}

/** Starts the local cloud. SIGTERM and Ctrl-C stop it, even while it is starting. */
async function runUntilSignal(settings: LocalSettings): Promise<LocalCloud> {
  const assetsDirectory = await mkdtemp(join(tmpdir(), "dropleaf-"));
  const removeAssets = () => rm(assetsDirectory, { recursive: true, force: true });
  const starting = start(settings, assetsDirectory);
  onEndWanted(async () => {
    const cloud = await starting.catch(() => undefined);
    await cloud?.stop();
    await removeAssets();
    process.exit(0);
  });
  try {
    return await starting;
  } catch (error) {
    await removeAssets();
    throw error;
  }
}

/** Calls `end` once, at the first signal. */
function onEndWanted(end: () => Promise<void>): void {
  let isEnding = false;
  const endOnce = () => {
    if (isEnding) return;
    isEnding = true;
    void end();
  };
  process.on("SIGINT", endOnce);
  process.on("SIGTERM", endOnce);
  if (process.env.npm_lifecycle_event === undefined) return;
  // npm runs scripts in a shell that does not forward SIGTERM, so this process stops when the shell has exited.
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && endOnce(), 250).unref();
}

async function start(
  { settingsFile, ...local }: LocalSettings,
  assetsDirectory: string,
): Promise<LocalCloud> {
  const { port, clockOffsetSeconds, isDebugged } = local;
  // Throws immediately if this machine has no database engine for the table.
  if (process.env.DYNAMODB_ENDPOINT === undefined) findDynoxide();
  const given = await loadSettings(settingsFile);
  const { settings, replaced } = stackSettings(port, given);
  if (!given.isDefault) console.log(`Settings: ${given.file}`);
  if (replaced.length > 0) {
    console.log(`npm start replaces settings of ${given.file} with local values: ${replaced.join(", ")}`);
  }
  await requireFreePort(port);
  const log = (line: string) => console.log(line);
  // Dynamic import, so that errors in the settings are reported before this large module is loaded. The stack is synthesized during the
  // import.
  const [bundles, { startDropleaf }] = await Promise.all([
    synthesizeDeferred(settings, assetsDirectory, { port, log, isForDebugger: isDebugged }),
    import("../local/start-dropleaf.ts"),
  ]);
  if (isDebugged) console.log(howToAttach);
  if (isCheckout)
    console.log("Each function is bundled at its first request, so first requests take about a second.");
  console.log(`Starting the local cloud, with its data in ${local.dataDirectory}.`);
  const cloud = await startDropleaf({
    ...local,
    ...bundles,
    assetsDirectory,
    log,
  });
  if (clockOffsetSeconds > 0) {
    console.log(
      `DROPLEAF_CLOCK_OFFSET_SECONDS sets the service's clock ahead, to ${new Date().toISOString()}.`,
    );
  }
  const { mostOpenVisibility = "public", defaultVisibility = mostOpenVisibility } = settings;
  console.log(
    `Pages are ${defaultVisibility} unless their owners choose another visibility (setting defaultVisibility).`,
  );
  // Logged after the messages of `startDropleaf`.
  if (renderingProblem !== undefined && given.settings.renders !== false) {
    console.log(`Rendering is off: ${renderingProblem}`);
  }
  return cloud;
}
