import { readFileSync } from "node:fs";

/** Reads the commands of the section "Walk-through" of examples/README.md: its code fences marked `sh`. */
export function readWalkThrough(): string {
  const readme = readFileSync(new URL("../../examples/README.md", import.meta.url), "utf8");
  const commands: string[] = [];
  let section = "";
  let fence: string | undefined;
  for (const line of readme.split("\n")) {
    if (line.startsWith("```")) fence = fence === undefined ? line.slice(3) : undefined;
    // In a fence, a line that begins with # is a comment of the shell.
    else if (fence === undefined && line.startsWith("#")) section = line.replace(/^#+ /, "");
    else if (fence === "sh" && section === "Walk-through") commands.push(line);
  }
  if (commands.length === 0) throw new Error("examples/README.md has no ```sh in a section `Walk-through`.");
  return commands.join("\n");
}
