/** `npm run operator -- <command>`: the tools for who runs a Dropleaf. */
import { runCommandLine } from "./run-command-line.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runCommandLine({
  words: process.argv.slice(2),
  terminal: processTerminal,
  complain: console.error,
});
