import { dropPath, findNamedDrop } from "../drop.ts";
import { type Answer, answersOf } from "../service/feeds.ts";
import type { ServiceOption } from "../service/select-service.ts";
import { formatUtc, type Line, type Output, styled, writeNote, writeText } from "../terminal/output.ts";
import { writeFeed } from "./feedback.ts";

interface AnswersOptions extends ServiceOption {
  readonly form?: string;
  readonly csv?: true;
  readonly watch?: true;
}

/** Prints readers' answers to the forms of a drop. With `--watch`, continues with new answers. */
export async function answers(name: string, options: AnswersOptions, output: Output): Promise<void> {
  const { client, slug } = await findNamedDrop(name, options.service);
  const query = new URLSearchParams(options.form === undefined ? {} : { form: options.form });
  if (options.csv) {
    const { bytes, response } = await client.send(dropPath(slug, "/answers.csv"), { query });
    writeText(process.stdout, new TextDecoder().decode(bytes).replaceAll("\r\n", "\n"));
    if (response.headers.has("link"))
      writeNote("Only the first answers are included. To get all answers, use --json instead of --csv.");
    return;
  }
  await writeFeed(output, answersOf(client, slug, query), options.watch, describeAnswer);
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
