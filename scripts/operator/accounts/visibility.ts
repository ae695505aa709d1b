import { mostOpenVisibility } from "../../../functions/drops/drop-access.ts";
import { blobUrl, dropUrl } from "../../../functions/http/site.ts";
import { type VisibilityKind, visibilityKinds } from "../../../functions/policies/access.ts";
import { defineCommand, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { quote } from "../terminal.ts";
import { findUser } from "../users.ts";
import { findTooOpen, type OverexposedItem, restrict } from "./openness.ts";

/** `visibility` */
export const visibilityCommand = defineCommand({
  name: "visibility",
  words: "[<account>]",
  summary: "lists drops and files that are more visible than the settings allow",
  details: `
The setting mostOpenVisibility limits new and edited drops and files only. This lists the older ones that exceed it, of one account (a
user id or a namespace) or of all, with their address, visibility and the visibility that they would get. Ends with 1 if there are any.
Without <account> it reads the whole table.

--fix gives each the allowed visibility: unlisted, members, or people. With people, only the owner can read it until they name readers.
CloudFront's cache is invalidated within seconds.`,
  options: {
    ...serviceOptions,
    "more-open-than": {
      type: "string",
      value: "<visibility>",
      help: `${visibilityKinds.slice(1).join(", ")} (the setting mostOpenVisibility)`,
    },
    fix: { type: "boolean", help: "restricts what it lists" },
  },
  async run(input, terminal) {
    const [name] = input.words;
    const { "more-open-than": text, fix: isFixed } = input.options;
    const chosen = text === undefined ? undefined : parseKind(text);
    const service = await openService(input.options);
    const userId = name === undefined ? undefined : (await findUser(name)).userId;
    const most = chosen ?? mostOpenVisibility();
    const act = isFixed ? await operatorAct(service, "restrict-visibility") : undefined;
    let count = 0;
    for await (const found of findTooOpen(most, userId)) {
      // The owner may have restricted it already.
      if (act !== undefined && !(await restrict(found, most, act))) continue;
      count += 1;
      terminal.print(`${describe(service, found)}  ${act === undefined ? "would be" : "is now"} ${most}`);
    }
    terminal.print(`${act === undefined ? `More open than ${most}` : "Restricted"}: ${count}.`);
    return act !== undefined || count === 0;
  },
});

/** @throws UsageError for an unknown visibility, and for the most open one, which nothing exceeds */
function parseKind(text: string): VisibilityKind {
  const kind = visibilityKinds.slice(1).find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `--more-open-than is ${quote(text)}. Choose from ${visibilityKinds.slice(1).join(", ")}.`,
  );
}

function describe(service: Service, found: OverexposedItem): string {
  if (found.kind === "file") {
    const { namespace, id, visibility } = found.file;
    return `${blobUrl(service, namespace, id)}  ${visibility.kind}`;
  }
  const { namespace, slug, visibility } = found.drop;
  return `${dropUrl(service, namespace, slug)}  ${visibility.kind}`;
}
