// Checks Node's version, and that packages are installed. Plain JavaScript without package imports, so that the check always runs.
import { existsSync } from "node:fs";

/** Minimum major version of Node. The Lambda runtime has this version, and it runs TypeScript without a loader. */
const nodeMajorMin = 24;

if (Number(process.versions.node.split(".")[0]) < nodeMajorMin) {
  refuse(
    `This is Node ${process.version}. Dropleaf needs Node ${nodeMajorMin} or newer. Install it, or use \`npx cdk\`, \`npm start\` or \`npm run operator\`, which run the Node that \`npm ci\` installs.`,
  );
}
// In the published package, this code is part of a bundle and needs no loader.
const isBundled = !import.meta.url.endsWith("/required-node.mjs");
if (!isBundled && !existsSync(new URL("../node_modules/tsx/package.json", import.meta.url))) {
  refuse("Packages are missing. Run `npm ci`, then try again.");
}

/** @param {string} message */
function refuse(message) {
  console.error(message);
  process.exit(1);
}
