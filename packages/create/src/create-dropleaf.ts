#!/usr/bin/env node
/** `npm create dropleaf`: writes a project and installs its packages. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { intro, isCancel, outro, text } from "@clack/prompts";
import { type ChoiceName, type Choices, choiceNames, choices, defaults, problemOf } from "./choices.ts";
import { projectFiles } from "./project-files.ts";

const help = `Usage: npm create dropleaf [folder] -- [options]

${choiceNames.map((name) => `  --${name.padEnd(20)}${choices[name].question} (default: ${choices[name].default})`).join("\n")}
  --yes                 uses the default of each missing option, and asks no questions
  --no-install          does not run npm install`;

/** Error for wrong arguments, which the caller can correct. */
class UsageError extends Error {}

try {
  await create(readOptions());
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  if (!isUsage) throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}

function readOptions() {
  const named = Object.fromEntries(choiceNames.map((name) => [name, { type: "string" }] as const));
  return parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      ...named,
      yes: { type: "boolean" },
      help: { type: "boolean" },
      install: { type: "boolean", default: true },
    },
  });
}

async function create({ values, positionals }: ReturnType<typeof readOptions>): Promise<void> {
  if (values.help) return console.log(help);
  const [folder = "dropleaf", ...others] = positionals;
  if (others.length > 0)
    throw new UsageError(`Specify only one folder: remove ${others.join(", ")}.\n\n${help}`);
  const directory = resolve(folder);
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UsageError(
      `${folder} exists and is not empty. To use another folder, run: npm create dropleaf <folder>`,
    );
  const given = await choose(values as Partial<Choices>, values.yes === true);
  if (given === undefined) {
    process.exitCode = 1;
    return;
  }
  mkdirSync(directory, { recursive: true });
  const name =
    basename(directory)
      .toLowerCase()
      .replace(/[^a-z\d-]+/g, "-")
      .replace(/^-+/, "") || "dropleaf";
  const files = projectFiles(name, given);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
  console.log(`Wrote ${Object.keys(files).join(", ")} in ${directory}`);
  if (given.domain !== "none") console.log("Before you deploy, edit the line below REPLACE in settings.ts.");
  if (values.install && !install(directory)) {
    process.exitCode = 1;
    return;
  }
  console.log(
    `\nNext:\n  cd ${folder}\n  npm start             # the service on this machine\n  npm run preflight     # before npm run deploy`,
  );
}

/** Asks the user for each choice that no option sets. Returns undefined if the user cancels. */
async function choose(options: Partial<Choices>, isQuiet: boolean): Promise<Choices | undefined> {
  for (const name of choiceNames) {
    const answer = options[name];
    const problem = answer === undefined ? undefined : problemOf(name, answer, { ...defaults, ...options });
    if (problem !== undefined) throw new UsageError(`--${name} ${problem}`);
  }
  const missing = choiceNames.filter((name) => options[name] === undefined);
  if (isQuiet || missing.length === 0) return { ...defaults, ...options };
  if (!process.stdin.isTTY)
    throw new UsageError(
      `Can't ask questions here. Add --yes for the defaults, or ${missing.map((name) => `--${name}`).join(", ")}.`,
    );
  intro("A new Dropleaf service");
  const answers: Partial<Record<ChoiceName, string>> = { ...options };
  for (const name of missing) {
    const { question, default: standard, example } = choices[name];
    const answer = await text({
      message: question,
      placeholder: `${standard} (Enter), or for example ${example}`,
      defaultValue: standard,
      validate: (entered = "") => problemOf(name, entered.trim() || standard, { ...defaults, ...answers }),
    });
    if (isCancel(answer)) {
      outro("Nothing was written.");
      return undefined;
    }
    answers[name] = answer.trim() || standard;
  }
  outro("Thank you.");
  return { ...defaults, ...answers };
}

function install(directory: string): boolean {
  console.log("Installing packages …");
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", ["install"], { cwd: directory, stdio: "inherit", shell });
  if (status !== 0)
    console.error(`npm install failed. The project was created in ${directory}. Run npm install there.`);
  return status === 0;
}
