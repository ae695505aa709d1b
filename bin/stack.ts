#!/usr/bin/env node
/** `dropleaf-stack` runs the commands of the published package. */
import "./required-node.mjs";

const [, , name = "--help", ...words] = process.argv;
const operator = () => import("../scripts/operator/operator.ts");

/** Commands by name: the module to load, and arguments to insert before the given ones. */
const commands: Readonly<Record<string, readonly [load: () => Promise<unknown>, ...words: string[]]>> = {
  start: [() => import("./local.ts")],
  synth: [() => import("./app.ts")],
  preflight: [operator, "preflight"],
  smoke: [operator, "smoke"],
  operator: [operator],
  cost: [() => import("../scripts/cost/cost.ts")],
};

const help = `Usage: dropleaf-stack <command>

  start      runs the service on this machine
  synth      writes the CloudFormation template: the "app" of cdk.json
  preflight  finds reasons why a deployment would fail
  smoke      tests a deployed service
  operator   members, accounts, audit trail and more: dropleaf-stack operator --help
  cost       estimates the monthly cost in dollars

start, synth and preflight read settings.ts of the working directory, or the file that SETTINGS names.`;

const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  const isAsked = name === "--help" || name === "-h" || name === "help";
  if (!isAsked) console.error(`Unknown command ${JSON.stringify(name)}.\n`);
  (isAsked ? console.log : console.error)(help);
  process.exitCode = isAsked ? 0 : 2;
} else {
  const [load, ...before] = command;
  // The modules read their arguments from `process.argv`.
  process.argv.splice(2, Infinity, ...before, ...words);
  await load();
}
