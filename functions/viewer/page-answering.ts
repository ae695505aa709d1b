import { answersPath, directAnswerForms, hasAnswerForms } from "../drops/answer-forms.ts";
import type { Drop } from "../drops/drop.ts";
import { answersOf } from "../drops/drop-access.ts";
import type { Site } from "../http/site.ts";
import { answersScript } from "./raw-response.ts";

/** Changes to a served page, so that its forms with `data-answers` send answers. */
interface Answering {
  /** Script tags to insert before the page's own scripts. */
  readonly script: string;
  /** Returns the page with the action URL set in its forms. */
  readonly direct: (page: Buffer) => Buffer;
}

/** Additional origin to which the drop's pages may send forms. @default - the drop accepts no answers */
export function formUrlOf(drop: Drop, site: Site): string | undefined {
  return answersOf(drop) === "off" ? undefined : site.baseUrl;
}

/** Prepares a page's answer forms. Forms stay unchanged if the drop accepts no answers. */
export function findAnswering(
  stored: readonly Buffer[],
  {
    drop,
    version,
    path,
    site,
  }: { readonly drop: Drop; readonly version: number; readonly path?: string; readonly site: Site },
): Answering {
  if (answersOf(drop) === "off" || !hasAnswerForms(Buffer.concat(stored)))
    return { script: "", direct: (page) => page };
  return {
    script: answersScript,
    direct: (page) =>
      directAnswerForms(
        page,
        ({ name }) => site.baseUrl + answersPath(drop.slug, { form: name, v: version, path }),
      ),
  };
}
