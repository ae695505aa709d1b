import { limits } from "../core/limits.ts";
import { decodeAttribute } from "../folders/attribute-text.ts";
import { type StartTag, visitPage } from "../folders/page-addresses.ts";

/** Attribute that marks a form whose answers are stored. Its value is the form's name. */
export const formAttribute = "data-answers";

/** Pattern of a form's name. */
export const formNamePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.formNameCharactersMax}}$`);

/** Kind of a form field. Radio buttons, checkboxes and selects are a `choice`, the only kind whose counts readers can see. */
type FieldKind = "choice" | "text" | "file";

/** A form of a published page whose answers are stored. */
export interface AnswerForm {
  readonly name: string;
  readonly isMany: boolean;
  readonly fields: ReadonlyMap<string, FieldKind>;
}

/** Identifies a form by its name, and by the version and the page in which the reader saw it. */
export interface FormAddress {
  readonly form: string;
  readonly v?: number | undefined;
  /** Path of the form's page in a folder. @default - a single page */
  readonly path?: string | undefined;
}

/** Returns the path and query that a form sends its answers to. */
export function answersPath(slug: string, { form, v, path }: FormAddress): string {
  const query = new URLSearchParams({
    form,
    ...(v === undefined ? {} : { v: String(v) }),
    ...(path === undefined ? {} : { path }),
  });
  return `/p/${slug}/answers?${query}`;
}

/** A form in a page that was decoded as Latin-1, so that offsets are byte offsets. */
interface FoundForm extends AnswerForm {
  readonly fields: Map<string, FieldKind>;
  readonly nameEnd: number;
}

/** Checks if a page may contain forms whose answers are stored. Also true for a page with only `data-answers-results`. */
export function hasAnswerForms(page: Buffer): boolean {
  return page.includes(formAttribute);
}

/** Finds a page's forms whose answers are stored. Forms with the same name are merged. */
export function findAnswerForms(page: Buffer): readonly AnswerForm[] {
  if (!hasAnswerForms(page)) return [];
  const byName = new Map<string, AnswerForm>();
  for (const form of formsOf(page.toString("latin1"))) {
    const fields = [...(byName.get(form.name)?.fields ?? []), ...form.fields];
    byName.set(form.name, { ...form, fields: new Map(fields) });
  }
  return [...byName.values()];
}

/**
 * Makes the forms of a page submit to the URL from `addressOf`. Browsers ignore the author's own attributes, because the inserted ones come
 * first (HTML Standard, "Attribute name state"). All other bytes stay unchanged.
 */
export function directAnswerForms(page: Buffer, addressOf: (form: AnswerForm) => string): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const form of formsOf(page.toString("latin1"))) {
    const address = addressOf(form).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const inserted = ` method="post" enctype="application/x-www-form-urlencoded" action="${address}"`;
    parts.push(page.subarray(at, form.nameEnd), Buffer.from(inserted));
    at = form.nameEnd;
  }
  return Buffer.concat([...parts, page.subarray(at)]);
}

function formsOf(page: string): FoundForm[] {
  const found: FoundForm[] = [];
  const byId = new Map<string, FoundForm>();
  /** The form whose end tag has not been parsed yet. `other` stands for a form whose answers are not stored. */
  let open: FoundForm | "other" | undefined;
  /** Fields that refer to a form by its id. The form may be later in the page. */
  const apart: { readonly form: string; readonly tag: StartTag }[] = [];
  visitPage(page, {
    onTag(tag) {
      if (tag.name === "form" && open === undefined) {
        const form = toForm(tag);
        open = form ?? "other";
        if (form === undefined) return;
        found.push(form);
        const id = attributeOf(tag, "id");
        if (id !== undefined) byId.set(id, form);
      }
      const form = attributeOf(tag, "form");
      if (form !== undefined) apart.push({ form, tag });
      else if (typeof open === "object") addField(open, tag);
    },
    onEndTag(name) {
      if (name === "form") open = undefined;
    },
  });
  for (const { form, tag } of apart) {
    const named = byId.get(form);
    if (named) addField(named, tag);
  }
  return found;
}

function toForm(tag: StartTag): FoundForm | undefined {
  const name = attributeOf(tag, formAttribute)?.trim() ?? "";
  if (!formNamePattern.test(name)) return undefined;
  return { name, isMany: tag.attributes.has("data-answers-many"), fields: new Map(), nameEnd: tag.nameEnd };
}

const choices = new Set(["radio", "checkbox"]);

function addField({ fields }: FoundForm, tag: StartTag): void {
  const name = attributeOf(tag, "name");
  if (!name || !/^(input|select|textarea|button)$/.test(tag.name)) return;
  const type = attributeOf(tag, "type")?.toLowerCase() ?? "";
  const isChoice = tag.name === "select" || (tag.name === "input" && choices.has(type));
  const kind = isChoice ? "choice" : tag.name === "input" && type === "file" ? "file" : "text";
  fields.set(name, kind);
}

/** Returns the value of an attribute, decoded as UTF-8. */
export function attributeOf(tag: StartTag, attribute: string): string | undefined {
  const written = tag.attributes.get(attribute)?.value;
  return written === undefined ? undefined : Buffer.from(decodeAttribute(written).text, "latin1").toString();
}
