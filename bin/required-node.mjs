// Loaded before everything else, as plain JavaScript: a Node that is too old, or a checkout without packages, gets a line that says what to do.
import { existsSync } from "node:fs";

/** The Lambda runtime's major, which runs TypeScript without a loader. */
const nodeMajorMin = 24;

if (Number(process.versions.node.split(".")[0]) < nodeMajorMin) {
  refuse(
    `This is Node ${process.version}, and Dropleaf needs ${nodeMajorMin} or newer: use \`npx cdk\`, \`npm start\` or \`npm run operator\`, which take the one that \`npm ci\` installs, or install Node ${nodeMajorMin}.`,
  );
}
if (!existsSync(new URL("../node_modules/tsx/package.json", import.meta.url))) {
  refuse("The packages that Dropleaf needs are not installed: run `npm ci`, and then this again.");
}

/** @param {string} message */
function refuse(message) {
  console.error(message);
  process.exit(1);
}
