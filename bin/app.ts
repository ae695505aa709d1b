import { isCheckout } from "../lib/project-directory.ts";
import { loadSettings, settingsOfEnvironment } from "../lib/settings/settings-file.ts";

try {
  const { settings, file, isDefault } = await loadSettings(settingsOfEnvironment(process.env));
  // Shows the operator which settings are deployed. Uses standard error, because standard output is reserved for the template.
  console.error(
    `Settings: ${file}${isDefault ? " (defaults: you have no settings.local.ts or settings.local.json)" : ""}`,
  );
  await requireCommandLine(process.env.CDK_CLI_ASM_VERSION);
  // Dynamic import, so that errors in the settings are reported before this large module is loaded.
  const { synthesize } = await import("../lib/synthesize.ts");
  // The CDK command line sets the output folder.
  await synthesize(settings, process.env.CDK_OUTDIR ?? "cdk.out", {
    isForDeployment: true,
    // Checks the template only in a checkout, because the check takes longer than the rest of the synthesis. Tests check the templates of
    // all settings.
    isChecked: isCheckout,
  });
} catch (error) {
  // Prints Dropleaf's own errors without a stack trace.
  console.error(error instanceof Error && error.constructor === Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Refuses a CDK command line, such as a global `cdk`, that is too old for this version of the library.
 *
 * @param read version of cloud assemblies that the command line reads (aws-cdk-lib/cx-api, CLI_ASM_VERSION_ENV)
 */
async function requireCommandLine(read: string | undefined): Promise<void> {
  const { Manifest } = await import("aws-cdk-lib/cloud-assembly-schema");
  const written = Manifest.version();
  if (read === undefined || Number.parseInt(read, 10) >= Number.parseInt(written, 10)) return;
  throw new Error(
    `This \`cdk\` is too old: it reads cloud assemblies up to version ${read}, but Dropleaf writes version ${written}. Use \`npx cdk\`, which \`npm ci\` installs.`,
  );
}
