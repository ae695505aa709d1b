import { findDecisions } from "./decisions.ts";
import { findMissingParts } from "./missing-parts.ts";
import { findRows } from "./rows.ts";

// First part of `npm run check`. Prints the missing parts of operations, with the lines to add. Also prints access decisions outside the
// policies.

const parts = findMissingParts(await findRows());
for (const id of new Set(parts.map((part) => part.id))) {
  console.error(`The operation "${id}" lacks these parts; see AGENTS.md, "An endpoint in five steps".\n`);
  for (const { file, line, text } of parts.filter((part) => part.id === id)) {
    console.error(`${file}:${line}\n${text}\n`);
  }
}
const decisions = findDecisions();
for (const { file, line, text } of decisions)
  console.error(`${file}:${line}: only functions/policies/ may decide who can read\n${text}\n`);
process.exitCode = parts.length + decisions.length === 0 ? 0 : 1;
