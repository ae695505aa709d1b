import { blobUrl, dropUrl } from "../../../functions/http/site.ts";
import {
  mostOpenVisibility,
  type VisibilityKind,
  visibilityKinds,
} from "../../../functions/identity/visibility.ts";
import { type Command, type CommandInput, textOption, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { quote } from "../terminal.ts";
import { findUser } from "../users.ts";
import { findTooOpen, restrict, type TooOpen } from "./openness.ts";

/** `visibility` */
export const visibilityCommand: Command = {
  usage: `[<user id or namespace>] [--more-open-than <visibility>] [--fix] ${serviceUsage}`,
  summary: "lists drops and files that are more open than you allow now, and closes them",
  help: `
The setting mostOpenVisibility bounds what is published or edited from then on; what was more open before stays so. This lists it, of
one account or of all: its address, what it is, and what it would be. Ends with 1 as long as there is any. For all it reads the whole
table.

With --fix each is made what is said, and no less: unlisted, for members, or for people, where nobody but the owner reads it until
they name readers. The edge forgets it within seconds. May be run again: what is no more open is
left alone.

  --more-open-than <visibility>
                   ${visibilityKinds.slice(1).join(", ")}; where it is left out, what the setting mostOpenVisibility says
  --fix            closes what it lists${serviceHelp}`,
  options: { ...serviceOptions, "more-open-than": { type: "string" }, fix: { type: "boolean" } },
  async run(input, terminal) {
    const [name, ...others] = input.words;
    if (others.length > 0) throw new UsageError(`One account at a time, not ${input.words.join(" ")}.`);
    const chosen = kindOption(input);
    const service = await openService(input);
    const userId = name === undefined ? undefined : (await findUser(name)).userId;
    const most = chosen ?? mostOpenVisibility();
    const act = input.options.fix === true ? await operatorAct(service, "restrict-visibility") : undefined;
    let count = 0;
    for await (const found of findTooOpen(most, userId)) {
      // Its owner may have been faster.
      if (act !== undefined && !(await restrict(found, act))) continue;
      count += 1;
      terminal.print(describe(service, found, act !== undefined));
    }
    terminal.print(`${act === undefined ? `More open than ${most}` : "Closed"}: ${count}.`);
    return act !== undefined || count === 0;
  },
};

/** @throws UsageError for what is no visibility, and for the most open one, which nothing is more open than */
function kindOption(input: CommandInput): VisibilityKind | undefined {
  const text = textOption(input, "more-open-than");
  if (text === undefined && input.options["more-open-than"] !== "") return undefined;
  const kind = visibilityKinds.slice(1).find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `--more-open-than is ${quote(text ?? "")}: write one of ${visibilityKinds.slice(1).join(", ")}.`,
  );
}

function describe(service: Service, found: TooOpen, isClosed: boolean): string {
  const isFile = found.kind === "file";
  const address = isFile
    ? blobUrl(service, found.file.namespace, found.file.id)
    : dropUrl(service, found.drop.namespace, found.drop.slug);
  const is = (isFile ? found.file : found.drop).visibility.kind;
  return `${address}  ${is}  ${isClosed ? "is now" : "would be"} ${found.to}`;
}
