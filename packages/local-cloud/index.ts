/** Runs a synthesized CDK stack on one machine; see README.md. */
export type { ExplainLine } from "./src/lambda/lambda-function.ts";
export { type LocalCloud, type LocalCloudOptions, startLocalCloud } from "./src/local-cloud.ts";
