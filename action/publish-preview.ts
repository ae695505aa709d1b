import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type * as core from "@actions/core";
import type * as exec from "@actions/exec";
import type * as github from "@actions/github";

// The action runs from the repository without a build, because Node strips the types; see docs/adr/0095-github-actions.md.

/** Toolkit that `actions/github-script` passes to scripts. */
export interface Toolkit {
  readonly core: typeof core;
  readonly exec: typeof exec;
  readonly github: ReturnType<typeof github.getOctokit>;
  readonly context: typeof github.context;
}

/** Runs the command-line program `dropleaf`, and parses its JSON output. */
type Dropleaf = <Result>(...args: readonly string[]) => Promise<Result>;

interface Drop {
  readonly slug: string;
  readonly url: string;
  readonly raw_url: string;
  readonly latest_version: number;
}

/** Maximum length of a title on the service, in characters. */
const titleCharactersMax = 200;

/** Publishes the job's page, or deletes it if the pull request is closed. Reports the result in a comment on the pull request. */
export async function publishPreview(toolkit: Toolkit): Promise<void> {
  try {
    await publishOrDelete(toolkit);
  } catch (error) {
    toolkit.core.setFailed((error as Error).message);
  }
}

async function publishOrDelete(toolkit: Toolkit): Promise<void> {
  const { core, context } = toolkit;
  const { pull_request: pullRequest, action } = context.payload;
  const repository = `${context.repo.owner}/${context.repo.repo}`;
  if (pullRequest !== undefined && pullRequest.head.repo?.full_name !== repository) {
    core.notice(
      "Pull requests from forks get no preview, because their authors may not publish to this service.",
    );
    return;
  }
  const service = readService(input("SERVICE"));
  const file = input("FILE");
  const isDeletion = action === "closed" && pullRequest !== undefined;
  const scope = isDeletion ? "all" : input("SCOPE") || "publish";
  await withToken({ service, scope }, toolkit, async (token) => {
    const dropleaf = await findProgram(toolkit, { service, token });
    // Later runs find the page by these metadata tags.
    const place = pullRequest === undefined ? `ref=${context.ref}` : `pull_request=${pullRequest.number}`;
    const tags = [`repository=${repository}`, place, `file=${file}`].map((tag) => `--tag=${tag}`);
    if (isDeletion) {
      const { drops } = await dropleaf<{ drops: readonly Drop[] }>("list", ...tags);
      for (const { slug } of drops) await dropleaf("rm", slug, "--yes");
      await comment(toolkit, file, undefined);
      return;
    }
    const drop = await dropleaf<Drop>("publish", await pathOf(file), ...tags, ...describePage(toolkit));
    core.setOutput("url", drop.url);
    core.setOutput("raw_url", drop.raw_url);
    core.setOutput("slug", drop.slug);
    core.setOutput("version", drop.latest_version);
    core.info(drop.url);
    if (pullRequest !== undefined) await comment(toolkit, file, drop);
  });
}

function input(name: string): string {
  return process.env[name]?.trim() ?? "";
}

function readService(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLocal = url?.hostname === "localhost";
  if (url?.protocol === "https:" || (isLocal && url?.protocol === "http:")) return url.origin;
  throw new Error(
    `The input "service" is ${JSON.stringify(given)}: use an address such as https://pages.example.com`,
  );
}

/**
 * Returns the file's absolute path. Throws for a symbolic link out of the repository, because the link could expose any file of the
 * machine.
 */
async function pathOf(file: string): Promise<string> {
  const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
  const path = resolve(workspace, file);
  const target = await realpath(path).catch(() => path);
  const fromWorkspace = relative(await realpath(workspace), target);
  if (target !== path && (fromWorkspace.startsWith("..") || isAbsolute(fromWorkspace)))
    throw new Error(`${file} is a link to a file outside the repository.`);
  return path;
}

function describePage({ context: { payload } }: Toolkit): string[] {
  const { pull_request: pullRequest } = payload;
  const title =
    input("TITLE") || (pullRequest === undefined ? "" : `#${pullRequest.number} ${pullRequest.title}`);
  const tags = input("TAGS")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [
    ...(title === "" ? [] : [`--title=${[...title].slice(0, titleCharactersMax).join("")}`]),
    ...tags.map((tag) => `--tag=${tag}`),
    ...(input("VISIBILITY") === "" ? [] : [`--visibility=${input("VISIBILITY")}`]),
  ];
}

/**
 * Returns a function that runs this version's program from npm. The program runs outside the repository, because the repository's files
 * could set another npm registry.
 */
async function findProgram(
  { core, exec }: Toolkit,
  { service, token }: { readonly service: string; readonly token: string },
): Promise<Dropleaf> {
  const packageJson = await readFile(new URL("../packages/cli/package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(packageJson) as { readonly version: string };
  const options = {
    cwd: process.env.RUNNER_TEMP ?? "",
    env: { ...(process.env as Record<string, string>), DROPLEAF_URL: service, DROPLEAF_TOKEN: token },
    ignoreReturnCode: true,
    silent: true,
  };
  return async (...args) => {
    const words = ["--yes", `dropleaf@${version}`, ...args, "--json"];
    const { exitCode, stdout, stderr } = await exec.getExecOutput("npx", words, options);
    if (exitCode === 0) {
      for (const [, note = ""] of stderr.matchAll(/^Note: (.*)$/gm)) core.warning(note.trim());
      return JSON.parse(stdout);
    }
    throw new Error(readError(stdout) ?? stderr.trim());
  };
}

/** Reads the message from the program's error output. Returns undefined if npx itself has failed. */
function readError(stdout: string): string | undefined {
  try {
    return JSON.parse(stdout).error.message;
  } catch {
    return undefined;
  }
}

/**
 * Runs work with the input token. Without an input token, exchanges the job's ID token for an API token, and revokes the API token
 * afterwards.
 */
async function withToken(
  { service, scope }: { readonly service: string; readonly scope: string },
  { core }: Toolkit,
  work: (token: string) => Promise<void>,
): Promise<void> {
  const given = input("TOKEN");
  if (given !== "") return work(given);
  const idToken = await core.getIDToken(service).catch(() => {
    throw new Error("Give the job the permission id-token: write, or set the input token.");
  });
  const { access_token: token } = await send(`${service}/oauth/token`, {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    // Older services have no scopes, and ignore this field.
    scope,
  });
  if (typeof token !== "string" || !/^[!-~]+$/.test(token))
    throw new Error(`${service} returned no token. Check that this is the address of a Dropleaf service.`);
  core.setSecret(token);
  try {
    await work(token);
  } finally {
    // Ignores a failed revocation, because the token expires within minutes.
    await send(`${service}/oauth/revoke`, { token }).catch(() => {});
  }
}

async function send(url: string, form: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const body = new URLSearchParams(form);
  const response = await fetch(url, { method: "POST", body, redirect: "error" });
  const result = await response.json().catch(() => ({}));
  if (response.ok) return result;
  throw new Error(`${url} responded ${response.status}: ${result.error_description ?? result.error ?? ""}`);
}

/** Creates or updates the pull request's only comment about the file. After a deletion, only updates an existing comment. */
async function comment(toolkit: Toolkit, file: string, drop: Drop | undefined): Promise<void> {
  const { core, context, github } = toolkit;
  const { issues } = github.rest;
  const marker = `<!-- dropleaf ${encodeURIComponent(file)} -->`;
  const place = { ...context.repo, issue_number: context.payload.pull_request?.number ?? 0 };
  const commit = String(context.payload.pull_request?.head.sha).slice(0, 7);
  const text =
    drop === undefined
      ? `The preview of ${file} was deleted.`
      : `Preview of ${file}: ${drop.url} (version ${drop.latest_version}, commit ${commit})`;
  const body = `${marker}\n${text}`;
  try {
    const comments = await github.paginate(issues.listComments, { ...place, per_page: 100 });
    // Considers only the workflow's own comments, because anyone can write the marker into a comment.
    const own = comments.find(
      ({ user, body: written }) =>
        user?.login === "github-actions[bot]" && written?.startsWith(marker) === true,
    );
    if (own !== undefined) await issues.updateComment({ ...context.repo, comment_id: own.id, body });
    else if (drop !== undefined) await issues.createComment({ ...place, body });
  } catch (error) {
    if (![403, 404].includes((error as { readonly status?: number }).status ?? 0)) throw error;
    core.warning("The comment could not be written. Give the job the permission pull-requests: write.");
  }
}
