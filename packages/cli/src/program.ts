import { Command, InvalidArgumentError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { parseExpiry } from "./expiry.ts";
import { exitCodes } from "./problem.ts";
import { report } from "./report.ts";
import { chooseAccount } from "./service/chosen-account.ts";
import { type Output, writeText } from "./terminal/output.ts";

/** All commands with their options. */
export const program = new Command("dropleaf")
  .description(
    "Publishes HTML pages and folders to a Dropleaf service, at permanent addresses and with all versions.",
  )
  .version(packageJson.version)
  .option("--service <address>", "service to use, if you are signed in to several")
  .option("--as <account>", "account to act as (yours or a team's), if you are signed in to several")
  .option("--json", "write the result as JSON to standard output")
  .option("--quiet", "write only the result")
  .configureOutput({
    writeOut: (text) => writeText(process.stdout, text),
    writeErr: (text) => writeText(process.stderr, text),
    // Commander writes no errors, because `report` writes all errors.
    outputError: () => {},
  })
  .showSuggestionAfterError()
  .addHelpText(
    "after",
    `
With --json, an error is JSON on standard output too: {"error": {"code": "usage", "message": "…"}}. Warnings go to standard error.
Exit codes: 1 the service refused or cannot be reached, 2 wrong usage, 3 sign in first.

Start:
  dropleaf login https://drops.example.com
  dropleaf publish report.html

Environment:
  DROPLEAF_URL, DROPLEAF_TOKEN          service and token, instead of those of login
  DROPLEAF_AS                           account to act as, instead of --as
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY    proxy, such as http://proxy.example.com:3128
  NO_PROXY                              hosts without proxy, such as localhost,.example.com
  NO_COLOR                              no colours

Completion of words in your shell: eval "$(dropleaf complete zsh)", or bash, fish, powershell.`,
  )
  .exitOverride()
  .hook("preAction", (_, command) => {
    chooseAccount(command.optsWithGlobals<{ readonly as?: string }>().as);
  });

/** The program's options, together with the command's options. */
type Options = Record<string, unknown> & { readonly json?: true; readonly quiet?: true };

/** Function that runs a command. The parameters are the declared arguments, then the options and the `Output`. */
type Run = (...given: never[]) => Promise<void>;

/** Adds a command. The command's file is loaded only when the command runs, so that other commands start faster. */
function add(
  declaration: string,
  description: string,
  examples: readonly string[],
  load: () => Promise<Run>,
): Command {
  return program
    .command(declaration)
    .description(description)
    .addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`)
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<Options>();
      const isInteractive =
        options.quiet !== true && process.stderr.isTTY === true && process.env.CI === undefined;
      const output: Output = { isJson: options.json === true, isInteractive };
      const run = await load();
      await run(...([...command.processedArgs, options, output] as never[]));
    });
}

const tag = () => new Option("--tag <key=value...>", "a tag; can be repeated").default([], "none");
const choice = (flags: string, help: string, ...choices: readonly string[]) =>
  new Option(flags, help).choices(choices);

/** Adds the options for a drop's readers, its expiry, and who may answer its forms. */
function addAccessOptions(command: Command): Command {
  const reader = new Option(
    "--reader <who...>",
    "an address, @domain, username:<name> or group:<name>; can be repeated",
  );
  const answersHelp = "who can answer the page's forms that have data-answers";
  const resultsHelp = "show readers how often each choice was selected";
  return command
    .addOption(choice("--visibility <who>", "who can read it", "public", "unlisted", "members", "people"))
    .addOption(reader.default([], "none"))
    .option("--expires <when>", "days from now, a date or time, or never", parseExpiry)
    .addOption(choice("--answers <who>", answersHelp, "readers", "off"))
    .addOption(choice("--answers-results <shown>", resultsHelp, "on", "off"));
}

const scopeHelp = "what the token may do: read; publish, but not delete or share; or all";
add(
  "login <address>",
  "sign in to a service, in the browser",
  ["dropleaf login https://drops.example.com", "dropleaf login localhost:8787 --scope publish"],
  async () => (await import("./commands/login.ts")).login,
)
  .option("--no-browser", "only print the link")
  .addOption(choice("--scope <scope>", scopeHelp, "read", "publish", "all"));

add(
  "logout",
  "revoke the token and remove it from this machine",
  ["dropleaf logout"],
  async () => (await import("./commands/logout.ts")).logout,
);

add(
  "switch [account]",
  "choose the account that commands act as, yours or a team's, or list the accounts",
  ["dropleaf switch growth", "dropleaf switch"],
  async () => (await import("./commands/switch.ts")).switchTo,
);

const publish = add(
  "publish <file>",
  "publish an HTML or Markdown page, or a folder with index.html, as a new drop, and later as a new version of the drop",
  [
    "dropleaf publish report.html",
    "dropleaf publish dist --spa",
    'dropleaf publish report.html --title "May numbers" --visibility members',
    "dropleaf publish plan.md --tag project=apollo --note 'After the review'",
    "make report | dropleaf publish - --tag report=nightly",
  ],
  async () => (await import("./commands/publish.ts")).publish,
)
  .option("--to <drop>", "publish a new version of this drop")
  .option("--new", "publish a new drop, even if this file was published before")
  .option("--title <text>", "title; without it, the page's own")
  .option("--description <text>", "description, shown in lists and link previews")
  .option("--note <text>", "what this version changes, in one line")
  .option("--context <text>", "where the page comes from, such as the prompt")
  .option("--allow-secrets <reason>", "publish what looks like a secret; the audit trail keeps the reason")
  .addOption(tag());
addAccessOptions(publish)
  .option("--spa", "for a folder: show index.html at paths that have no file")
  .option("--open", "open the page in the browser");

add(
  "list",
  "list your drops, most recently changed first",
  ["dropleaf list", "dropleaf list --tag project=apollo --json"],
  async () => (await import("./commands/list.ts")).list,
)
  .addOption(tag())
  .option("--limit <count>", "maximum number of drops", parseCount, 50);

add(
  "search <words...>",
  "search the text of your drops and of those that others share with you",
  ["dropleaf search quarterly numbers", "dropleaf search '\"exact phrase\" -draft begin*' --owner ada"],
  async () => (await import("./commands/search.ts")).search,
)
  .addOption(tag())
  .option("--owner <name>", "only drops of this owner")
  .option("--limit <count>", "maximum number of results", parseCount, 20);

const dropHelp = "specify a drop by its slug, its address, or the file that you published";

add(
  "open <drop>",
  `open a drop in the browser (${dropHelp})`,
  ["dropleaf open report.html", "dropleaf open k3J9xQ2"],
  async () => (await import("./commands/open.ts")).openDrop,
);

add(
  "versions <drop>",
  "list the versions of a drop",
  ["dropleaf versions report.html"],
  async () => (await import("./commands/versions.ts")).versions,
);

add(
  "diff <drop>",
  "show what has changed between two versions",
  ["dropleaf diff report.html", "dropleaf diff k3J9xQ2 --from 2 --to 5"],
  async () => (await import("./commands/versions.ts")).diff,
)
  .option("--from <version>", "the earlier version", parseCount)
  .option("--to <version>", "the later version", parseCount);

add(
  "restore <drop>",
  "publish an earlier version as the newest",
  ["dropleaf restore report.html 3"],
  async () => (await import("./commands/versions.ts")).restore,
)
  .argument("[version]", "", parseCount)
  .option("--note <text>", "note for the new version");

add(
  "lock <drop>",
  "set a passcode, or remove it",
  ["dropleaf lock report.html", "dropleaf lock report.html --off"],
  async () => (await import("./commands/access.ts")).lock,
)
  .option("--passcode <text>", "the passcode; without it you are asked")
  .option("--off", "remove the passcode");

const share = add(
  "share <drop>",
  "show or change who can read a drop, when it expires and who can answer its forms",
  [
    "dropleaf share report.html",
    "dropleaf share report.html --reader ada@example.com @example.org",
    "dropleaf share report.html --visibility members",
    "dropleaf share report.html --expires 30",
    "dropleaf share poll.html --answers readers --answers-results on",
  ],
  async () => (await import("./commands/access.ts")).share,
);
addAccessOptions(share);

add(
  "move <drop>",
  "move a drop to a team, or to your own account",
  ["dropleaf move report.html --to growth"],
  async () => (await import("./commands/access.ts")).move,
).requiredOption("--to <account>", "namespace of a team that you may publish for, or your own");

add(
  "rm <drop>",
  "delete a drop with all its versions",
  ["dropleaf rm report.html", "dropleaf rm k3J9xQ2 --yes"],
  async () => (await import("./commands/access.ts")).remove,
).option("--yes", "do not ask");

add(
  "trash",
  "list deleted and expired drops that you can restore",
  ["dropleaf trash"],
  async () => (await import("./commands/trash.ts")).trash,
);

add(
  "undelete <drop>",
  "restore a drop from the trash",
  ["dropleaf undelete k3J9xQ2", "dropleaf undelete k3J9xQ2 --expires-in 30"],
  async () => (await import("./commands/trash.ts")).undelete,
).option("--expires-in <days>", "days until the drop expires again", parseCount);

add(
  "purge <drop>",
  "delete a drop in the trash for good",
  ["dropleaf purge k3J9xQ2", "dropleaf purge k3J9xQ2 --yes"],
  async () => (await import("./commands/trash.ts")).purge,
).option("--yes", "do not ask");

add(
  "render <drop>",
  "report how a page looks and what is wrong with it",
  ["dropleaf render report.html --save pictures"],
  async () => (await import("./commands/render.ts")).render,
).option("--save <folder>", "save the screenshots in this folder");

add(
  "feedback [drop]",
  "read your readers' comments",
  ["dropleaf feedback --state open", "dropleaf feedback report.html --watch"],
  async () => (await import("./commands/feedback.ts")).feedback,
)
  .addOption(choice("--state <state>", "only threads in this state", "open", "resolved"))
  .option("--watch", "keep running, and print new comments");

add(
  "answers <drop>",
  "read your readers' answers to the forms of a drop",
  ["dropleaf answers poll.html --watch", "dropleaf answers poll.html --form vote --csv > votes.csv"],
  async () => (await import("./commands/answers.ts")).answers,
)
  .option("--form <name>", "only answers to this form")
  .addOption(new Option("--csv", "print the answers as CSV").conflicts("watch"))
  .option("--watch", "keep running, and print new answers");

add(
  "export [folder]",
  "copy your account into a folder: drops, versions, contexts and files. A repeated export copies only new content",
  ["dropleaf export", "dropleaf export backup --json"],
  async () => (await import("./commands/export.ts")).exportDrops,
);

add(
  "import [folder]",
  "publish an export in another account, with its history and with links to the new addresses. A repeated import publishes only missing content",
  [
    "dropleaf import backup --service https://drops.example.com",
    "dropleaf import --from https://htmlbin.dev",
    "DROPLEAF_FROM_TOKEN=hb_… dropleaf import --from https://htmlbin.dev",
  ],
  async () => (await import("./commands/import.ts")).importDrops,
).option("--from <address>", "first export your account on this service into the folder");

add(
  "connect <client>",
  "add the service to the configuration of claude, claude-code, cursor, vscode, codex or gemini",
  ["dropleaf connect cursor", "dropleaf connect codex --dry-run", "dropleaf connect cursor --undo"],
  async () => (await import("./commands/connect.ts")).connect,
)
  .option("--undo", "remove the entry")
  .option("--dry-run", "show the change and write nothing")
  .option("--yes", "do not ask");

add(
  "doctor",
  "find problems with the connection to the service",
  ["dropleaf doctor"],
  async () => (await import("./commands/doctor.ts")).doctor,
);

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return Number(text);
}

/** Runs a command and returns the program's exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    return report(error, args);
  }
}
