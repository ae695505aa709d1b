// @module-tag slow

import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf } from "../support/accounts.ts";
import { type CommentServer, startCommentServer } from "../support/comment-server.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { type Job, type JobResult, readWorkflow, runJob, type Workflow } from "../support/workflow.ts";

const repository = "ada/pages";
const pullRequest = 12;
const githubToken = "ghs_of-the-run";
const marker = "<!-- dropleaf-preview -->";
/** Anyone may open a pull request of this name. */
const title = "Fix \"; process.exit(9); `touch pwned` $(touch pwned) \\u0022 '</title>";

let workflow: Workflow;
let job: Job;
let account: Account;
let directory: string;
let github: CommentServer;

beforeAll(async () => {
  workflow = await readWorkflow(
    fileURLToPath(new URL("../../examples/github-actions/preview.yml", import.meta.url)),
  );
  job = workflow.jobs.preview as Job;
  account = await newAccount("preview");
  directory = await mkdtemp(join(tmpdir(), "dropleaf-preview-"));
  await mkdir(join(directory, "docs"));
  // As many as a page of comments has, so that the workflow's own is on the second.
  const others = Array.from({ length: 100 }, () => `${marker} of somebody else's`);
  github = await startCommentServer(githubToken, `${repository}#${pullRequest}`, others);
});

afterAll(async () => {
  github.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Steps that GitHub runs when the pull request is opened, pushed to or closed. */
function onPullRequest(
  action: string,
  { from = repository, token = account.api.token ?? "" } = {},
): Promise<JobResult> {
  const pull_request = { number: pullRequest, title, head: { repo: { full_name: from } } };
  return runJob(job, {
    directory,
    contexts: {
      github: { event: { action, pull_request }, repository, token: githubToken },
      vars: { DROPLEAF_URL: baseUrl() },
      secrets: { DROPLEAF_TOKEN: token },
    },
    environment: { GITHUB_API_URL: github.address, GITHUB_REPOSITORY: repository },
  });
}

async function runsWell(action: string): Promise<void> {
  const { steps } = await onPullRequest(action);
  expect(steps.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
    { exitCode: 0, stderr: "" },
    { exitCode: 0, stderr: "" },
  ]);
}

function drops() {
  const query = { "metadata.repository": repository, "metadata.pull_request": pullRequest };
  return account.api.succeed("list-drops", { query });
}

describe("the example's workflow", () => {
  test("keeps one address and one comment while a pull request is open, and deletes the page when it is closed", async () => {
    await writeFile(join(directory, "docs/report.html"), pageOf("pushed first"));
    await runsWell("opened");
    const [opened] = (await drops()).drops;
    await writeFile(join(directory, "docs/report.html"), pageOf("pushed second"));
    await runsWell("synchronize");
    const { drops: found, total } = await drops();

    expect(total).toBe(1);
    expect(found[0]).toMatchObject({ url: opened?.url, latest_version: 2 });
    expect(found[0]?.title).toBe(`#${pullRequest} ${title}`);
    expect((await fetchPage(opened?.raw_url ?? "")).text).toContain("pushed second");
    expect(ownComments()).toEqual([`${marker}\nPreview: ${opened?.url}`]);

    await runsWell("closed");

    expect((await drops()).total).toBe(0);
    expect((await fetchPage(opened?.url ?? "")).status).toBe(404);
    expect(ownComments()).toEqual([`${marker}\nThe preview is deleted.`]);
    expect(await readdir(directory)).toEqual(["docs"]);
  });

  test("has nothing to do for a pull request that never had a page, and for one from a fork", async () => {
    await runsWell("closed");

    expect(await onPullRequest("opened", { from: "mallory/pages" })).toEqual({ hasRun: false, steps: [] });
  });

  test.each([
    ["", "Set the variable DROPLEAF_URL and the secret DROPLEAF_TOKEN."],
    ["hb_wrong", 'answered 401: {"error":{"code":"unauthorized"'],
  ])("fails before it comments where the token is %j", async (token, message) => {
    const { steps } = await onPullRequest("opened", { token });

    expect(steps.map(({ exitCode }) => exitCode)).toEqual([1]);
    expect(steps[0]?.stdout).toMatch(/^::error::/);
    expect(steps[0]?.stdout).toContain(message);
  });
});

describe("the example's workflow, as it is written", () => {
  test("has no more rights than it uses, and runs for pull requests without the rights of their target", () => {
    expect(Object.keys(workflow.on)).toEqual(["pull_request"]);
    expect(workflow.permissions).toEqual({});
    expect(job.permissions).toEqual({ contents: "read", "pull-requests": "write" });
  });

  test("names each action by its commit", () => {
    const used = job.steps.flatMap(({ uses }) => uses ?? []);

    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  test("puts nothing into its scripts, and each secret into the one step that needs it", () => {
    const scripts = job.steps.flatMap(({ run }) => run ?? []);
    const stepsWith = (text: string) => job.steps.filter((step) => JSON.stringify(step).includes(text));

    for (const script of scripts) expect(script).not.toContain("${{");
    expect(stepsWith("secrets.").map(({ name }) => name)).toEqual(["Publish, or delete"]);
    expect(stepsWith("github.token").map(({ name }) => name)).toEqual(["Comment"]);
  });
});

function ownComments(): string[] {
  return github.comments.filter(({ user }) => user.login !== "mallory").map(({ body }) => body);
}
