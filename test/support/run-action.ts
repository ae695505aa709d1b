import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { projectDirectory } from "../../lib/project-directory.ts";
import { buildCommandLine, commandLinePackage } from "./command-line-program.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

/** The parts of the action's file that tests check. */
export interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly [ActionStep] };
}

interface ActionStep {
  readonly id: string;
  readonly uses: string;
  readonly env: Readonly<Record<string, string>>;
  readonly with: { readonly script: string };
}

/** Reads `action.yml` at the root. */
export async function readAction(): Promise<ActionFile> {
  return parse(await readFile(join(projectDirectory, "action.yml"), "utf8"));
}

/** A job's machine, with the repository checked out in `workspace`. */
export interface Runner {
  readonly directory: string;
  readonly workspace: string;
}

/** Prepares a runner whose `npx` runs this checkout's program instead of the one from npm. */
export async function prepareRunner(directory: string): Promise<Runner> {
  const workspace = join(directory, "workspace");
  const bin = join(directory, "bin");
  for (const folder of [workspace, bin, join(directory, "temp")]) await mkdir(folder);
  const program = await buildCommandLine(directory);
  const { version } = JSON.parse(await readFile(join(commandLinePackage, "package.json"), "utf8"));
  const npx = join(bin, "npx");
  await writeFile(
    npx,
    `#!/bin/sh\n[ "$1 $2" = "--yes dropleaf@${version}" ] || exit 97\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`,
  );
  await chmod(npx, 0o755);
  return { directory, workspace };
}

/** A run of the action. */
export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>;
  /** The event's payload. */
  readonly event: object;
  /** Variables that the runner sets in addition to those of every job. @default - none */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Result of a run: that of the step, and the action's outputs. */
export interface ActionResult extends CommandResult {
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Runs the action's step.
 *
 * Source: GitHub Docs, "Metadata syntax reference", "Variables reference" and "Workflow commands for GitHub Actions".
 */
export async function runAction(
  { directory, workspace }: Runner,
  { inputs, event, environment = {} }: ActionRun,
): Promise<ActionResult> {
  const action = await readAction();
  const [step] = action.runs.steps;
  const files = { event: join(directory, "event.json"), output: join(directory, "output") };
  await writeFile(files.event, JSON.stringify(event));
  await writeFile(files.output, "");
  const contexts: Readonly<Record<string, string>> = {
    "github.action_path": projectDirectory,
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: value = "" }]) => [
        `inputs.${name}`,
        inputs[name] ?? value,
      ]),
    ),
  };
  const result = await runCommand([process.execPath, join(import.meta.dirname, "github-script.mjs")], {
    directory,
    environment: {
      PATH: [join(directory, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
      GITHUB_ACTIONS: "true",
      GITHUB_TOKEN: "ghs_of-the-run",
      CI: "true",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: files.event,
      GITHUB_OUTPUT: files.output,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: join(directory, "temp"),
      ...environment,
      ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value, contexts)])),
      STEP: step.with.script,
    },
  });
  const written = readOutputs(await readFile(files.output, "utf8"));
  const outputs = Object.entries(action.outputs).flatMap(([name, { value }]) => {
    const found = fill(
      value,
      Object.fromEntries(
        Object.entries(written).map(([key, text]) => [`steps.${step.id}.outputs.${key}`, text]),
      ),
    );
    return found === "" ? [] : [[name, found]];
  });
  return { ...result, outputs: Object.fromEntries(outputs) };
}

/** Fills in expressions. An unknown one becomes empty text, as on GitHub. */
function fill(text: string, contexts: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => contexts[name] ?? "");
}

/** Reads the outputs, which the toolkit writes between delimiter lines. */
function readOutputs(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
}
