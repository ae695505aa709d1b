import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type CommandResult, runCommand } from "./run-command.ts";

/** A workflow of GitHub Actions, as far as a test looks at it. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

/** What expressions read: `github`, `vars`, `secrets`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** How a job went: whether its condition let it run, and each of its `run` steps as far as the first that failed. */
export interface JobResult {
  readonly hasRun: boolean;
  readonly steps: readonly CommandResult[];
}

/** Reads a workflow's file. */
export async function readWorkflow(path: string): Promise<Workflow> {
  return parse(await readFile(path, "utf8")) as Workflow;
}

/**
 * Runs a job's commands as a runner does, one after the other, in a checked-out directory; steps that use an action are
 * left out. Throws where an expression is more than this understands.
 *
 * Source: GitHub Docs, "Workflow syntax for GitHub Actions" and "Workflow commands for GitHub Actions".
 */
export async function runJob(
  job: Job,
  { directory, contexts, environment }: JobSurroundings,
): Promise<JobResult> {
  if (!isMet(job.if, contexts)) return { hasRun: false, steps: [] };
  const temporary = await mkdtemp(join(tmpdir(), "dropleaf-runner-"));
  const outputs: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = {};
  const steps: CommandResult[] = [];
  for (const [index, step] of job.steps.entries()) {
    const known = { ...contexts, steps: outputs };
    if (step.run === undefined || !isMet(step.if, known)) continue;
    const files = { script: join(temporary, `script-${index}`), output: join(temporary, `output-${index}`) };
    await writeFile(files.script, step.run);
    await writeFile(files.output, "");
    const [program = "", ...args] = (step.shell ?? "bash -e {0}").replace("{0}", files.script).split(" ");
    const variables = Object.entries({ ...job.env, ...step.env }).map(([name, value]) => [
      name,
      fill(String(value), known),
    ]);
    const result = await runCommand([program, ...args], {
      directory,
      environment: { ...environment, ...Object.fromEntries(variables), GITHUB_OUTPUT: files.output },
    });
    steps.push(result);
    if (step.id !== undefined)
      outputs[step.id] = { outputs: readOutputs(await readFile(files.output, "utf8")) };
    if (result.exitCode !== 0) break;
  }
  await rm(temporary, { recursive: true });
  return { hasRun: true, steps };
}

/** Where a job runs. */
export interface JobSurroundings {
  /** The checked-out repository. */
  readonly directory: string;
  readonly contexts: Contexts;
  /** What the runner itself sets. */
  readonly environment: Readonly<Record<string, string>>;
}

function readOutputs(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** A condition of one comparison; none is met. */
function isMet(condition: string | undefined, contexts: Contexts): boolean {
  if (condition === undefined) return true;
  const [, left = "", operator, right = ""] = /^(\S+) ([!=]=) (\S+)$/.exec(condition) ?? [];
  if (operator === undefined) throw new Error(`Only one comparison is understood, not ${condition}.`);
  const isEqual = readExpression(left, contexts) === readExpression(right, contexts);
  return operator === "==" ? isEqual : !isEqual;
}

function fill(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) =>
    String(readExpression(expression, contexts) ?? ""),
  );
}

function readExpression(expression: string, contexts: Contexts): unknown {
  const [, literal] = /^'(.*)'$/.exec(expression) ?? [];
  if (literal !== undefined) return literal;
  if (!/^\w+(\.\w+)*$/.test(expression))
    throw new Error(`Only names and texts are understood, not ${expression}.`);
  return expression
    .split(".")
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], contexts);
}
