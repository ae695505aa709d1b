#!/usr/bin/env node
import { exitCodes } from "./problem.ts";
import { program, run } from "./program.ts";
import { report } from "./report.ts";

// The program that reads this output may have exited, for example after Ctrl-C.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitCodes.ok);
});
const args = process.argv.slice(2);
process.on("uncaughtException", (error) => process.exit(report(error, args)));

if (args[0] === "complete") await (await import("./completion.ts")).addCompletion(program);
process.exitCode = await run(args);
