import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { clientConfigurations } from "./connect/client-configurations.ts";

/** Adds `dropleaf complete <shell>`, which prints the shell's completion script (zsh, bash, fish or powershell). */
export async function addCompletion(program: Command): Promise<void> {
  const completion = tab(program);
  const connect = completion.commands.get("connect");
  connect?.argument("client", (complete) => {
    for (const [name, { title }] of Object.entries(clientConfigurations)) complete(name, title);
  });
}
