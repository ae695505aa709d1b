/** Commands by their names in other programs. */
const commands: Readonly<Record<string, readonly string[]>> = {
  "dropleaf publish <file>": [
    "add",
    "create",
    "deploy",
    "new",
    "post",
    "push",
    "put",
    "send",
    "update",
    "upload",
  ],
  "dropleaf rm <drop>": ["del", "delete", "destroy", "remove", "unpublish"],
  "dropleaf move <drop> --to <account>": ["give", "mv", "transfer"],
  "dropleaf lock <drop> --off": ["unlock", "unprotect"],
  "dropleaf lock <drop>": ["passcode", "password", "protect"],
  "dropleaf doctor": ["account", "check", "me", "status", "user", "whoami"],
  "dropleaf complete <shell>, which prints the script for zsh, bash, fish or powershell": [
    "autocomplete",
    "completion",
    "completions",
  ],
  "dropleaf list": ["drops", "ls", "mine"],
  "dropleaf login <address>": ["auth", "init", "sign-in", "signin"],
  "dropleaf logout": ["sign-out", "signout"],
  "dropleaf search <words>": ["find", "grep", "query"],
  "dropleaf open <drop>": ["browse", "get", "preview", "show", "url", "view"],
  "dropleaf versions <drop>": ["history", "log", "revisions"],
  "dropleaf restore <drop> <version>": ["revert", "rollback"],
  "dropleaf undelete <drop>": ["recover"],
  "dropleaf share <drop>": ["access", "expire", "permissions", "readers", "visibility"],
  "dropleaf render <drop>": ["lint", "screenshot", "validate"],
  "dropleaf feedback <drop>": ["comments"],
  "dropleaf answers <drop>": ["forms", "poll", "responses", "submissions", "votes"],
  "dropleaf connect <client>": ["install", "mcp"],
  "dropleaf export": ["backup", "download", "pull"],
  "dropleaf --version": ["version"],
};

/** Command for a word of other programs; undefined for an unknown word. */
export function commandFor(word: string | undefined): string | undefined {
  const found = Object.entries(commands).find(([, words]) => words.includes(word?.toLowerCase() ?? ""));
  return found?.[0];
}
