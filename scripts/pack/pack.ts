/**
 * `npm run pack` writes the packages into `dist/packages`, exactly as they are published, and prints their sizes. With `--publish`, it also
 * publishes them. With `--publish --dry-run`, it does everything except the upload.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import { packPackages, publishPackages } from "./packages.ts";

const { values } = parseArgs({ options: { publish: { type: "boolean" }, "dry-run": { type: "boolean" } } });
const directory = join(projectDirectory, "dist/packages");
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

const packed = await packPackages(directory);
for (const { id, size, unpackedSize, filename } of packed)
  console.log(`${id}: ${megabytes(size)} to download, ${megabytes(unpackedSize)} unpacked, ${filename}`);
if (values.publish) {
  const words = [
    ...(values["dry-run"] ? ["--dry-run"] : []),
    // With provenance, npm signs the package with the identity of the workflow.
    ...(process.env.GITHUB_ACTIONS === "true" ? ["--provenance"] : []),
  ];
  await publishPackages(packed, directory, process.env, words);
  console.log(values["dry-run"] ? "npm would publish all packages." : "Published all packages.");
}
