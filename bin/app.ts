import { loadSettings, settingsOfEnvironment } from "../lib/settings/settings-file.ts";

try {
  const { settings, file, isDefault } = await loadSettings(settingsOfEnvironment(process.env));
  // Which file it was is to be seen before a deployment changes anything; standard output is the template's.
  console.error(`Settings: ${file}${isDefault ? ", and no file of your own" : ""}`);
  // Imported late: it is large, and a wrong setting should be told at once.
  const { synthesize } = await import("../lib/synthesize.ts");
  // The CDK command line says where it wants the result.
  await synthesize(settings, process.env.CDK_OUTDIR ?? "cdk.out", { isForDeployment: true });
} catch (error) {
  // Our own errors say what to do; of any other, the stack is what helps.
  console.error(error instanceof Error && error.constructor === Error ? error.message : error);
  process.exitCode = 1;
}
