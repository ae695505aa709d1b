/** Runs `npm run operator -- <command>`, the tool for the operators of a Dropleaf service. */

import { processTerminal } from "./command.ts";
import { runCommandLine } from "./run-command-line.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal, console.error);
