import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { baseUrl } from "./http.ts";
import { type CommandResult, runCommand } from "./run-command.ts";

const program = fileURLToPath(new URL("../../node_modules/.bin/htmlbin", import.meta.url));

/** The unmodified npm client `@htmlbin/cli`, in its own folder, configured for the service. */
export class PublishedClient {
  readonly directory: string;
  readonly #environment: Readonly<Record<string, string>>;

  /** Creates the client. Without a token it has only a token stored in its folder, if any. */
  static async inNewFolder(token?: string, address = baseUrl()): Promise<PublishedClient> {
    const directory = await mkdtemp(join(tmpdir(), "dropleaf-published-client-"));
    await mkdir(join(directory, ".htmlbin"));
    await writeFile(join(directory, ".htmlbin/config"), `api_url = "${address}"\n`);
    return new PublishedClient(directory, token === undefined ? {} : { HTMLBIN_TOKEN: token });
  }

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.directory = directory;
    this.#environment = environment;
  }

  /** Writes a file into the folder. */
  write(name: string, content: string): Promise<void> {
    return writeFile(join(this.directory, name), content);
  }

  /** Runs `htmlbin <args>` and accepts any result. */
  run(...args: readonly string[]): Promise<CommandResult> {
    return runCommand([program, ...args], { directory: this.directory, environment: this.#environment });
  }

  /** Runs a command that must succeed and returns its JSON output. */
  async succeed(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { exitCode, stdout, stderr } = await this.run(...args, "--output", "json");
    if (exitCode !== 0 || stderr !== "") throw new Error(`htmlbin ${args.join(" ")}: ${exitCode} ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Removes the folder. */
  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}
