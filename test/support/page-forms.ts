import { DomUtils, parseDocument } from "htmlparser2";

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A page as it was received. */
interface ShownPage {
  readonly url: URL;
  readonly response: { readonly status: number; readonly text: string };
}

/** Reads the fields of the page's only form with this action. */
export function fieldsOf(page: ShownPage, action: string): Record<string, string> {
  const form = formOf(page, action);
  const named = (name: string) => DomUtils.getElementsByTagName(name, form, true);
  const inputs = named("input")
    .filter(
      ({ attribs: { type = "text", checked } }) =>
        type !== "file" && (!/checkbox|radio/.test(type) || checked !== undefined),
    )
    .map(({ attribs }) => [attribs.name, attribs.value ?? ""] as const);
  const areas = named("textarea").map(
    (area) => [area.attribs.name, DomUtils.textContent(area).replace(/^\n/, "")] as const,
  );
  const selects = named("select").map((select) => [select.attribs.name, chosenIn(select)] as const);
  const all = [...inputs, ...areas, ...selects].flatMap(([name, value]) => (name ? [[name, value]] : []));
  return Object.fromEntries(all);
}

function formOf(page: ShownPage, action: string): Element {
  const forms = DomUtils.getElementsByTagName("form", parseDocument(page.response.text), true).filter(
    ({ attribs }) => attribs.action === action,
  );
  const [form, ...others] = forms;
  if (form !== undefined && others.length === 0) return form;
  throw new Error(
    `Expected one form to ${action} at ${page.url} (${page.response.status}), but there are ${forms.length}.`,
  );
}

function chosenIn(select: Element): string {
  const options = DomUtils.getElementsByTagName("option", select, true);
  const chosen = options.find(({ attribs }) => attribs.selected !== undefined) ?? options[0];
  return chosen === undefined ? "" : (chosen.attribs.value ?? DomUtils.textContent(chosen));
}
