/**
 * Runs the single step of a composite action as `actions/github-script` does, with the environment that a runner
 * sets. `STEP` is the step's script.
 *
 * Source: GitHub Docs, "Creating a composite action"; actions/github-script, README.
 */
import { createRequire } from "node:module";
import * as core from "@actions/core";
import * as exec from "@actions/exec";
import { context, getOctokit } from "@actions/github";

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
const names = ["require", "core", "exec", "github", "context"];
const script = new AsyncFunction(...names, process.env.STEP);
const github = getOctokit(process.env.GITHUB_TOKEN ?? "");
try {
  await script(createRequire(import.meta.url), core, exec, github, context);
} catch (error) {
  core.setFailed(`Unhandled error: ${error}`);
}
