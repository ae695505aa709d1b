import { dropPath, findNamedDrop } from "../drop.ts";
import { type Answer, readAnswers } from "../service/answers.ts";
import { addItems } from "../service/bounded-list.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { pauseBeforeNext } from "../service/watch.ts";
import {
  formatUtc,
  type Line,
  type Output,
  styled,
  writeItem,
  writeNote,
  writeResult,
  writeText,
} from "../terminal/output.ts";

interface AnswersOptions extends ServiceOption {
  readonly form?: string;
  readonly csv?: true;
  readonly watch?: true;
}

/** Prints readers' answers to the forms of a drop; `--watch` continues with new ones. */
export async function answers(name: string, options: AnswersOptions, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, options.service);
  const query = new URLSearchParams(options.form === undefined ? {} : { form: options.form });
  if (options.csv) {
    const { bytes, response } = await client.send(dropPath(slug, "/answers.csv"), { query });
    writeText(process.stdout, new TextDecoder().decode(bytes).replaceAll("\r\n", "\n"));
    if (response.headers.has("link"))
      writeNote("These are the first answers. dropleaf answers --json has all of them.");
    return;
  }
  const all: Answer[] = [];
  for (let isCaughtUp = false; ; ) {
    if (isCaughtUp) query.set("wait", "20");
    const result = await readAnswers(client, slug, query);
    query.set("since", String(result.next_since));
    if (options.watch) for (const answer of result.answers) writeItem(output, answer, describeAnswer(answer));
    else addItems(all, result.answers, client.address);
    if (result.has_more) continue;
    if (!options.watch) break;
    if (!isCaughtUp && output.isInteractive) writeNote("Waiting for answers. Ctrl-C ends it.");
    isCaughtUp = true;
    await pauseBeforeNext(result.ask_again_in_seconds);
  }
  const lines = all.length === 0 ? ["There are no answers."] : all.flatMap(describeAnswer);
  writeResult(output, { answers: all }, lines);
}

function describeAnswer({ number, form, fields, version, path, created_at, author }: Answer): Line[] {
  const place = path === undefined ? "" : ` on ${path}`;
  const name = author.signed_in ? (author.name ?? "") : "no name";
  return [
    [styled("bold", `${form} #${number}`), `${place} ${name}, ${formatUtc(created_at)}, v${version}`],
    ...Object.entries(fields).flatMap(([field, value]) =>
      `${field}: ${[value].flat().join("; ")}`.split("\n").map((line) => `  ${line}`),
    ),
  ];
}
