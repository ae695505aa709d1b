// `npm start`. Plain JavaScript: a Node that is too old to run TypeScript is to be told so.
import { enableCompileCache } from "node:module";

/** The Lambda runtime's major, which runs TypeScript without a loader. */
const nodeMajorMin = 24;

if (Number(process.versions.node.split(".")[0]) < nodeMajorMin) {
  console.error(
    `The local cloud needs Node ${nodeMajorMin} or newer, not ${process.version}. \`npm start\` uses the one that \`npm ci\` installs; where there is none for this platform, install it yourself.`,
  );
  process.exit(1);
}
const { compileCacheDirectory } = await import("../lib/bundle/cache-directory.ts");
enableCompileCache(compileCacheDirectory());
await import("./local.ts");
