import { loadSettings, settingsOfEnvironment } from "../lib/settings/settings-file.ts";

try {
  const { settings, file, isDefault } = await loadSettings(settingsOfEnvironment(process.env));
  // Which file it was is to be seen before a deployment changes anything; standard output is the template's.
  console.error(`Settings: ${file}${isDefault ? ", and no file of your own" : ""}`);
  await requireCommandLine(process.env.CDK_CLI_ASM_VERSION);
  // Imported late: it is large, and a wrong setting should be told at once.
  const { synthesize } = await import("../lib/synthesize.ts");
  // The CDK command line says where it wants the result.
  await synthesize(settings, process.env.CDK_OUTDIR ?? "cdk.out", { isForDeployment: true });
} catch (error) {
  // Our own errors say what to do; of any other, the stack is what helps.
  console.error(error instanceof Error && error.constructor === Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Refuses a CDK command line that cannot read what this version of the library writes: a global `cdk` may be years old. It says itself what
 * it reads (aws-cdk-lib/cx-api, CLI_ASM_VERSION_ENV).
 *
 * @throws Error that says what to do
 */
async function requireCommandLine(read: string | undefined): Promise<void> {
  const { Manifest } = await import("aws-cdk-lib/cloud-assembly-schema");
  const written = Manifest.version();
  if (read === undefined || Number.parseInt(read, 10) >= Number.parseInt(written, 10)) return;
  throw new Error(
    `This \`cdk\` is too old: it reads cloud assemblies up to version ${read}, and Dropleaf's are of ${written}. Use \`npx cdk\`, which \`npm ci\` installs here.`,
  );
}
