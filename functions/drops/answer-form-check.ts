import { limits } from "../core/limits.ts";
import { type PageVisitor, type StartTag, visitPage } from "../folders/page-addresses.ts";
import { type CheckedPage, type Finding, placesOf } from "../folders/page-check.ts";
import { attributeOf, formAttribute, formNamePattern, hasAnswerForms } from "./answer-forms.ts";
import type { Drop } from "./drop.ts";
import { answersOf, areAnswersOn } from "./drop-access.ts";

const shownCharactersMax = 100;

/** Kinds of findings. A plain form has no `data-answers`. */
type Kind = "form" | "name" | "file" | "plain";

/** Collects a publication's forms, and the reasons why readers cannot answer them. */
export class AnswerFormCheck {
  readonly #found = new Map<Kind, Finding>();

  /** Creates a visitor that checks one page's forms during another parse. */
  visitorOf(page: CheckedPage): PageVisitor {
    const ids = new Set<string>();
    let open: "answers" | "other" | undefined;
    return {
      onTag: (tag) => {
        if (tag.name === "form" && open === undefined) {
          open = tag.attributes.has(formAttribute) ? "answers" : "other";
          if (open === "answers") this.#addForm(page, tag, ids);
          // A folder's other pages may have the forms that readers answer.
          else if (page.path === undefined) this.#add("plain", page, tag, "<form>");
        }
        if (tag.name !== "input" || attributeOf(tag, "type")?.toLowerCase() !== "file") return;
        const form = attributeOf(tag, "form");
        if (form === undefined ? open === "answers" : ids.has(form))
          this.#add("file", page, tag, attributeOf(tag, "name") ?? "");
      },
      onEndTag: (name) => {
        if (name === "form") open = undefined;
      },
    };
  }

  /** Returns one warning for each kind of problem. The warning about disabled answers names the API call that enables them. */
  warnings(drop: Pick<Drop, "slug" | "answers">): readonly string[] {
    const isOff = answersOf(drop) === "off";
    const hasForms = this.#found.has("form") || this.#found.has("name");
    return (["form", "name", "file", "plain"] as const).flatMap((kind) => {
      const found = this.#found.get(kind);
      if (found === undefined || (kind === "form" && !isOff) || (kind === "plain" && (isOff || hasForms)))
        return [];
      return [sentences[kind](placesOf(found), drop.slug)];
    });
  }

  #addForm(page: CheckedPage, tag: StartTag, ids: Set<string>): void {
    const name = attributeOf(tag, formAttribute)?.trim() ?? "";
    this.#add(formNamePattern.test(name) ? "form" : "name", page, tag, name);
    const id = attributeOf(tag, "id");
    if (id !== undefined) ids.add(id);
  }

  #add(kind: Kind, { text, path, source }: CheckedPage, { nameEnd }: StartTag, shown: string): void {
    const before = this.#found.get(kind);
    if (before !== undefined) {
      this.#found.set(kind, { ...before, count: before.count + 1 });
      return;
    }
    const line = source === undefined ? text.slice(0, nameEnd).split("\n").length : undefined;
    this.#found.set(kind, { count: 1, path, line, shown: shown.slice(0, shownCharactersMax) });
  }
}

/** Returns warnings about a page's forms with `data-answers`. */
export function answerFormWarnings(page: Buffer, drop: Pick<Drop, "slug" | "answers">): readonly string[] {
  if (!hasAnswerForms(page)) return [];
  const check = new AnswerFormCheck();
  const text = page.toString("latin1");
  visitPage(text, check.visitorOf({ text }));
  return check.warnings(drop);
}

const sentences: Readonly<Record<Kind, (places: string, slug: string) => string>> = {
  form: (places, slug) =>
    areAnswersOn()
      ? `Readers can't answer the form ${places} yet. To let them, use PATCH /api/drops/${slug}, or the tool edit_drop, with {"answers": "readers"}.`
      : `Readers can't answer the form ${places}: this service doesn't accept answers. The form stays as you wrote it.`,
  name: (places) =>
    `Readers can't answer the form ${places}: name it in data-answers with 1 to ${limits.formNameCharactersMax} letters, digits, - and _.`,
  plain: (places) =>
    `Readers can't answer the form ${places}: answers are on, but no form has data-answers. Write <form data-answers="vote">, with a name of your choice.`,
  file: (places) => `Answers can't contain files: the field ${places}. Ask for a link or a text instead.`,
};
