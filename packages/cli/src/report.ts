import { CommanderError } from "commander";
import { commandFor } from "./other-words.ts";
import { type DescribedProblem, exitCodes, Problem } from "./problem.ts";
import { styled, writeItem, writeNote } from "./terminal/output.ts";

/** Reports an error to the person, or with `--json` to the program. Returns the exit code. */
export function report(error: unknown, args: readonly string[]): number {
  const problem = error instanceof CommanderError ? toProblem(error) : error;
  if (problem === undefined) return exitCodes.ok;
  // Commander has not parsed the options if they are wrong.
  const end = args.indexOf("--");
  const isJson = args.slice(0, end === -1 ? undefined : end).includes("--json");
  const { message, stack, syscall } = problem as NodeJS.ErrnoException;
  const isExpected = problem instanceof Problem || syscall !== undefined;
  const described: DescribedProblem =
    problem instanceof Problem ? problem.describe() : { code: "failed", message: message ?? String(problem) };
  if (isJson) writeItem({ isJson, isInteractive: false }, { error: described }, []);
  // Help has already been written.
  else if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  else if (isExpected) writeNote([styled("red", "Error:"), ` ${message}`]);
  // A fault of this program: the stack is for its developers.
  if (!isExpected) writeNote(...(stack ?? String(problem)).split("\n"));
  return problem instanceof Problem ? problem.exitCode : exitCodes.failed;
}

/** Problem of wrong arguments; undefined if help or the version was requested. */
function toProblem({ code, exitCode, message }: CommanderError): Problem | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help")
    return new Problem("Which command? dropleaf --help shows them.", exitCodes.usage);
  const [, word] = /^error: unknown command '(.*?)'/.exec(message) ?? [];
  const other = commandFor(word);
  const sentence =
    other === undefined
      ? `${message.replace(/^error: /, "").replaceAll("\n", " ")} (dropleaf --help shows the commands)`
      : `There is no command ${JSON.stringify(word)}. Use: ${other}`;
  return new Problem(sentence, exitCodes.usage);
}
