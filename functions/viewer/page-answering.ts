import { answersPath, directAnswerForms, hasAnswerForms } from "../drops/answer-forms.ts";
import type { Drop } from "../drops/drop.ts";
import { answersOf } from "../drops/drop-access.ts";
import type { Site } from "../http/site.ts";
import { answersScript } from "./raw-response.ts";

/** Additions to a served page for its forms with `data-answers`. */
interface Answering {
  /** Scripts before the page's own. */
  readonly script: string;
  /** Gives the forms of the page their address. */
  readonly direct: (page: Buffer) => Buffer;
}

/** Origin to which the pages of a drop may send forms, besides their own. @default - the drop takes no answers */
export function formUrlOf(drop: Drop, site: Site): string | undefined {
  return answersOf(drop) === "off" ? undefined : site.baseUrl;
}

/** Forms of a page stay as they were written, unless the drop takes answers. */
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
