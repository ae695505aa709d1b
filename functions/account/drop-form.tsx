import type { ComponentChildren } from "preact";
import type { Drop } from "../drops/drop.ts";
import { pagePath } from "../identity/destination.ts";
import { Form, ProblemNotice } from "./form.tsx";
import { type Change, presentFormRevision } from "./form-revision.ts";
import type { FormFields, Problem } from "./problem.ts";

/** Action paths of the forms on a drop's page, relative to the page's path. */
const paths = {
  share: "/share",
  access: "/access",
  move: "/move",
  about: "",
  restore: "/restore",
  version: "/versions",
  delete: "/delete",
} as const;

/** Name of a form on a drop's page. */
export type DropForm = keyof typeof paths;

/** A refused form. */
export interface SentForm {
  readonly form: DropForm;
  readonly fields: FormFields;
  readonly problem: Problem;
  /** Changes made to the drop since the form was shown. Empty unless they are the reason for the refusal. */
  readonly changes: readonly Change[];
}

/** Props that every form of a drop's page needs. */
export interface DropFormProps {
  readonly drop: Drop;
  readonly proofOf: (path: string) => string;
  /** The refused form. @default - no form was refused */
  readonly sent?: SentForm | undefined;
}

/** Fields that show their own problems. Problems with other fields are shown above the form's fields. */
const shownFields: Readonly<Record<DropForm, readonly string[]>> = {
  share: ["visibility", "readers", "passcode", "expires_in_days"],
  access: [],
  move: ["to"],
  about: ["title", "description"],
  restore: [],
  version: ["version"],
  delete: ["confirm"],
};

/** Returns the problem with a form's field. Returns undefined if the form was not refused because of this field. */
export function problemAt(sent: SentForm | undefined, form: DropForm, field: string): string | undefined {
  return sent?.form === form && sent.problem.field === field ? sent.problem.message : undefined;
}

/** Returns the submitted fields of a refused form. Returns undefined if the form was not refused. */
export function sentFields(sent: SentForm | undefined, form: DropForm): FormFields | undefined {
  return sent?.form === form ? sent.fields : undefined;
}

/** Form on a drop's page. Shows the form's problem if the form was refused. */
export function FormOfDrop({
  form,
  drop,
  proofOf,
  sent,
  children,
}: DropFormProps & { readonly form: DropForm; readonly children: ComponentChildren }) {
  const action = `${pagePath({ page: "drop", slug: drop.slug })}${paths[form]}`;
  return (
    <Form action={action} proof={proofOf(action)} seen={presentFormRevision(drop)}>
      {sent?.form === form && !shownFields[form].includes(sent.problem.field ?? "") && (
        <ProblemNotice problem={sent.problem} changes={sent.changes} />
      )}
      {children}
    </Form>
  );
}
