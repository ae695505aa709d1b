import { synthesize } from "../lib/synthesize.ts";
import { settings } from "../settings.ts";

// The CDK command line says where it wants the result.
await synthesize(settings, process.env.CDK_OUTDIR ?? "cdk.out", { isForDeployment: true });
