import { CommanderError } from "commander";
import { type DescribedProblem, exitCodes, Problem } from "./problem.ts";
import { styled, writeItem, writeNote } from "./terminal/output.ts";

/** Reports an error to the user, or as JSON with `--json`. Returns the exit code. */
export function report(error: unknown, args: readonly string[]): number {
  const problem = error instanceof CommanderError ? toProblem(error) : error;
  if (problem === undefined) return exitCodes.ok;
  // Commander does not parse the options if one is wrong, so `--json` is looked up here.
  const end = args.indexOf("--");
  const isJson = args.slice(0, end === -1 ? undefined : end).includes("--json");
  const { message, stack, syscall } = problem as NodeJS.ErrnoException;
  const isExpected = problem instanceof Problem || syscall !== undefined;
  const described: DescribedProblem =
    problem instanceof Problem ? problem.describe() : { code: "failed", message: message ?? String(problem) };
  if (isJson) writeItem({ isJson, isInteractive: false }, { error: described }, []);
  // Commander has already written the help.
  else if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  else if (isExpected) writeNote([styled("red", "Error:"), ` ${message}`]);
  // Unexpected errors are bugs of this program, so the stack trace is shown for its developers.
  if (!isExpected) writeNote(...(stack ?? String(problem)).split("\n"));
  return problem instanceof Problem ? problem.exitCode : exitCodes.failed;
}

/** Creates the error for wrong arguments. Returns undefined if help or the version was requested. */
function toProblem({ code, exitCode, message }: CommanderError): Problem | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help")
    return new Problem("No command was given. To list the commands, run: dropleaf --help", exitCodes.usage);
  const [, word] = /^error: unknown command '(.*?)'/.exec(message) ?? [];
  const name = word?.toLowerCase() ?? "";
  const other = Object.keys(commands).find((command) => commands[command]?.includes(name));
  const sentence =
    other === undefined
      ? `${message.replace(/^error: /, "").replaceAll("\n", " ")} (dropleaf --help shows the commands)`
      : `There is no command ${JSON.stringify(word)}. Use: ${other}`;
  return new Problem(sentence, exitCodes.usage);
}

/** Commands, by the names that other programs use. */
const commands: Readonly<Record<string, readonly string[]>> = {
  "dropleaf publish <file>": [
    "add",
    "create",
    "deploy",
    "new",
    "post",
    "push",
    "put",
    "send",
    "update",
    "upload",
  ],
  "dropleaf rm <drop>": ["del", "delete", "destroy", "remove", "unpublish"],
  "dropleaf move <drop> --to <account>": ["give", "mv", "transfer"],
  "dropleaf lock <drop> --off": ["unlock", "unprotect"],
  "dropleaf lock <drop>": ["passcode", "password", "protect"],
  "dropleaf doctor": ["account", "check", "me", "status", "user", "whoami"],
  "dropleaf complete <shell>, which prints the script for zsh, bash, fish or powershell": [
    "autocomplete",
    "completion",
    "completions",
  ],
  "dropleaf list": ["drops", "ls", "mine"],
  "dropleaf login <address>": ["auth", "init", "sign-in", "signin"],
  "dropleaf logout": ["sign-out", "signout"],
  "dropleaf search <words>": ["find", "grep", "query"],
  "dropleaf open <drop>": ["browse", "get", "preview", "show", "url", "view"],
  "dropleaf versions <drop>": ["history", "log", "revisions"],
  "dropleaf restore <drop> <version>": ["revert", "rollback"],
  "dropleaf undelete <drop>": ["recover"],
  "dropleaf share <drop>": ["access", "expire", "permissions", "readers", "visibility"],
  "dropleaf render <drop>": ["lint", "screenshot", "validate"],
  "dropleaf feedback <drop>": ["comments"],
  "dropleaf answers <drop>": ["forms", "poll", "responses", "submissions", "votes"],
  "dropleaf connect <client>": ["install", "mcp"],
  "dropleaf export": ["backup", "download", "pull"],
  "dropleaf --version": ["version"],
};
