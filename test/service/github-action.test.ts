import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectDirectory } from "../../lib/project-directory.ts";
import { type Account, newAccount, pageOf } from "../support/accounts.ts";
import { type CommentServer, startCommentServer } from "../support/comment-server.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { startIdTokens } from "../support/id-tokens.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import {
  type ActionResult,
  prepareRunner,
  type Runner,
  readAction,
  runAction,
} from "../support/run-action.ts";

const repository = "ada/pages";
const pullRequest = 12;
const githubToken = "ghs_of-the-run";
const file = "docs/report.html";
const marker = "<!-- dropleaf docs%2Freport.html -->";
/** A hostile title: anyone can open a pull request with it. */
const title = "--json \"; process.exit(9); `touch pwned` $(touch pwned) \\u0022 '</title>";

let account: Account;
let runner: Runner;
let github: CommentServer;

beforeAll(async () => {
  account = await newAccount("github-action");
  runner = await prepareRunner(await mkdtemp(join(tmpdir(), "dropleaf-action-")));
  await mkdir(join(runner.workspace, "docs"));
  // A full page of other comments, so that the action's own comment is on the second page.
  const others = Array.from({ length: 100 }, () => `${marker} of somebody else's`);
  github = await startCommentServer(githubToken, `${repository}#${pullRequest}`, others);
});

beforeEach(() => writeFile(join(runner.workspace, file), pageOf("a page")));

afterAll(async () => {
  github.stop();
  await rm(runner.directory, { recursive: true, force: true });
});

interface Changes {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const environment = () => ({
  GITHUB_API_URL: github.address,
  GITHUB_REPOSITORY: repository,
  GITHUB_TOKEN: githubToken,
});

/** Runs the action as GitHub does when the pull request is opened, pushed to or closed. */
function onPullRequest(action: string, { inputs, from = repository, ...changes }: Changes = {}) {
  const head = { sha: "0123456789abcdef", repo: { full_name: from } };
  return runAction(runner, {
    inputs: { service: baseUrl(), file, token: account.api.token ?? "", ...inputs },
    event: { action, pull_request: { number: pullRequest, title, head } },
    environment: { ...environment(), ...changes.environment },
  });
}

function drops(tags: Readonly<Record<string, string | number>> = { pull_request: pullRequest }) {
  const filters = Object.entries({ repository, file, ...tags }).map(([key, value]) => [
    `metadata.${key}`,
    value,
  ]);
  return account.api.succeed("list-drops", { query: Object.fromEntries(filters) });
}

function ownComments(): string[] {
  return github.comments.filter(({ user }) => user.login !== "mallory").map(({ body }) => body);
}

/** Returns the messages of a workflow command, such as `error`. */
function told(command: string, { stdout }: ActionResult): string[] {
  return [...stdout.matchAll(new RegExp(`^::${command}::(.*)$`, "gm"))].map(([, message = ""]) => message);
}

const failures: readonly [string, Readonly<Record<string, string>>, string][] = [
  ["a folder with a link", { file: "docs" }, "is a symbolic link or another special file"],
  ["a missing file", { file: "docs/none.html" }, "There is no file"],
  [
    "a link to a file outside the repository",
    { file: "docs/link.html" },
    "docs/link.html is a link to a file outside the repository.",
  ],
  ["a wrong token", { token: "hb_wrong" }, "The token is incomplete or too long"],
  [
    "no token and no permission",
    { token: "" },
    "Give the job the permission id-token: write, or set the input token.",
  ],
  [
    "an address without a protocol",
    { service: "pages.example.com" },
    "use an address such as https://pages.example.com",
  ],
  [
    "an address without encryption",
    { service: "http://pages.example.com" },
    "use an address such as https://pages.example.com",
  ],
  ["a tag without a value", { tags: "team" }, "has no value"],
];

describe("the action", () => {
  test("keeps one URL and one comment while a pull request is open, and deletes the page when it is closed", {
    tags: "nightly",
  }, async () => {
    const first = await onPullRequest("opened");
    await writeFile(join(runner.workspace, file), pageOf("pushed second"));
    const second = await onPullRequest("synchronize");

    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    const { drops: found, total } = await drops();
    expect(total).toBe(1);
    const { url = "", raw_url = "", slug } = found[0] ?? {};
    expect(found[0]).toMatchObject({ latest_version: 2, title: `#${pullRequest} ${title}` });
    expect(first.outputs).toEqual({ url, raw_url, slug, version: "1" });
    expect(second.outputs).toEqual({ url, raw_url, slug, version: "2" });
    expect((await fetchPage(raw_url)).text).toContain("pushed second");
    expect(ownComments()).toEqual([`${marker}\nPreview of ${file}: ${url} (version 2, commit 0123456)`]);

    expect((await onPullRequest("closed")).exitCode).toBe(0);

    expect((await drops()).total).toBe(0);
    expect((await fetchPage(url)).status).toBe(404);
    expect(ownComments()).toEqual([`${marker}\nThe preview of ${file} was deleted.`]);
  });

  test("publishes a branch's page without a comment, with the title, tags and visibility of the inputs", {
    tags: "nightly",
  }, async () => {
    const before = ownComments();

    const { exitCode, outputs } = await runAction(runner, {
      inputs: {
        ...{ service: `${baseUrl()}/`, file, token: account.api.token ?? "" },
        ...{ title: "--quiet", tags: "team=numbers\n  month=may  \n", visibility: "members" },
      },
      event: { ref: "refs/heads/main" },
      environment: { ...environment(), GITHUB_EVENT_NAME: "push", GITHUB_REF: "refs/heads/main" },
    });

    expect(exitCode).toBe(0);
    const { drops: found } = await drops({ ref: "refs/heads/main", team: "numbers", month: "may" });
    expect(found).toMatchObject([{ url: outputs.url, title: "--quiet", visibility: "members" }]);
    expect(ownComments()).toEqual(before);
  });

  test("publishes without permission to comment, and names the missing permission", {
    tags: "nightly",
  }, async () => {
    github.isReadOnly = true;
    const result = await onPullRequest("opened");
    github.isReadOnly = false;

    expect(result).toMatchObject({ exitCode: 0, outputs: { version: "1" } });
    expect(told("warning", result)).toEqual([
      "The comment could not be written. Give the job the permission pull-requests: write.",
    ]);
  });

  test("does nothing for a pull request from a fork, even with a token", { tags: "slow" }, async () => {
    const before = [await drops(), ownComments()];

    const result = await onPullRequest("opened", { from: "mallory/pages" });

    expect(result).toMatchObject({ exitCode: 0, outputs: {} });
    expect(told("notice", result)).toHaveLength(1);
    expect([await drops(), ownComments()]).toEqual(before);
  });

  for (const { cases, options } of quickAndSlow(failures, ([what]) => /folder|link|permission/.test(what)))
    test.each(cases)("fails before it comments with %s", options, async (_, inputs, message) => {
      await writeFile(join(runner.directory, "secret.html"), pageOf("a secret"));
      await symlink(join(runner.directory, "secret.html"), join(runner.workspace, "docs/link.html")).catch(
        () => {},
      );
      const before = ownComments();

      const result = await onPullRequest("synchronize", { inputs });

      expect(result).toMatchObject({ exitCode: 1, outputs: {} });
      expect(told("error", result)).toEqual([expect.stringContaining(message)]);
      expect(ownComments()).toEqual(before);
    });

  test("reports why the service refuses an ID token", { tags: "nightly" }, async () => {
    const idTokens = await startIdTokens(async () => "a.b.c");
    const result = await onPullRequest("opened", {
      inputs: { token: "" },
      environment: idTokens.environment,
    });
    idTokens.stop();

    expect(idTokens.audiences).toEqual([baseUrl()]);
    expect(result.exitCode).toBe(1);
    expect(told("error", result)).toEqual([
      expect.stringContaining("responded 400: This service does not accept workflow ID tokens"),
    ]);
  });
});

describe("action.yml", () => {
  const source = readFile(join(projectDirectory, "action.yml"), "utf8");

  test("is valid by GitHub's schema of actions", async () => {
    const good = await source;

    expect(validateAction(good).errors).toEqual([]);
    expect(validateAction(good.replace("using: composite", "using: composed")).errors).not.toEqual([]);
    expect(validateAction(good.replace("required: true", "needed: true")).errors).not.toEqual([]);
  });

  test("pins its action to a commit, and passes inputs to the script only through the environment", async () => {
    const { inputs, runs } = await readAction();
    const [step, ...others] = runs.steps;

    expect(others).toEqual([]);
    expect(step.uses).toMatch(/^actions\/github-script@[0-9a-f]{40}$/);
    expect(step.with.script).not.toContain("${{");
    const used = Object.values(step.env).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []);
    expect(used.toSorted()).toEqual(Object.keys(inputs).toSorted());
  });
});

describe("the example workflow", () => {
  test("has only the permissions that it uses, pins actions to a commit or release, and passes existing inputs", async () => {
    const path = join(projectDirectory, "examples/github-actions/preview.yml");
    const source = await readFile(path, "utf8");
    const workflow = parse(source);
    const { preview } = workflow.jobs;
    const { version } = JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8"));
    const { inputs } = await readAction();

    expect(validateWorkflow(source).errors).toEqual([]);
    expect(Object.keys(workflow.on)).toEqual(["pull_request"]);
    expect(workflow.permissions).toEqual({});
    expect(preview.permissions).toEqual({ contents: "read", "id-token": "write", "pull-requests": "write" });
    const [checkout, action] = preview.steps;
    expect(checkout.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
    expect(action.uses).toBe(`dropleaf/dropleaf@v${version}`);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(action.with)));
  });
});
