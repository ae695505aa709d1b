import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFunctions } from "../lib/bundle/bundle.ts";
import { handlerSource, servedOperationIds } from "../lib/bundle/function-source.ts";

// `npm run flows [operation ...]`: how far the code of an operation is spread. Files are those under `functions/` of which
// something is in its bundle, moves are the imports among them that lead from one folder into another. What is only a type
// is in no bundle, and does not count.

const directory = mkdtempSync(join(tmpdir(), "dropleaf-flows-"));
const asked = process.argv.slice(2);
const ids = servedOperationIds.filter((id) => asked.length === 0 || asked.includes(id));
const { metafile } = await bundleFunctions(ids.map(handlerSource), directory);
rmSync(directory, { recursive: true });

console.log("operation | files | folders | moves");
for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
  const files = Object.keys(inputs).filter(
    (file) => file.startsWith("functions/") && (inputs[file]?.bytesInOutput ?? 0) > 0,
  );
  if (files.length === 0) continue;
  const moves = files.flatMap((file) =>
    (metafile.inputs[file]?.imports ?? []).filter(
      (imported) => files.includes(imported.path) && folderOf(imported.path) !== folderOf(file),
    ),
  );
  const operation = path.split("/").at(-2);
  console.log(`${operation} | ${files.length} | ${new Set(files.map(folderOf)).size} | ${moves.length}`);
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}
