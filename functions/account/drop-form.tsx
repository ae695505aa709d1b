import type { ComponentChildren } from "preact";
import type { Drop } from "../drops/drop.ts";
import { pagePath } from "../identity/destination.ts";
import { Form, ProblemNotice } from "./form.tsx";
import { type Change, presentFormRevision } from "./form-revision.ts";
import type { FormFields, Problem } from "./problem.ts";

/** Path suffixes of the forms on a drop's page. */
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
  /** The submitted values. */
  readonly fields: FormFields;
  readonly problem: Problem;
  /** Changes to the drop since the form was shown. Empty if the form was refused for another reason. */
  readonly changes: readonly Change[];
}

/** Props that every form of a drop's page needs. */
export interface DropFormProps {
  readonly drop: Drop;
  readonly proofOf: (path: string) => string;
  /** The refused form. @default - no form was refused */
  readonly sent?: SentForm | undefined;
}

/** Fields whose problems are shown next to them. All other problems are shown above the form's fields. */
const shownFields: Readonly<Record<DropForm, readonly string[]>> = {
  share: ["visibility", "readers", "passcode", "expires_in_days"],
  access: [],
  move: ["to"],
  about: ["title", "description"],
  restore: [],
  version: ["version"],
  delete: ["confirm"],
};

/** Returns the problem with a field of a form, if the form was refused because of that field. */
export function problemAt(sent: SentForm | undefined, form: DropForm, field: string): string | undefined {
  return sent?.form === form && sent.problem.field === field ? sent.problem.message : undefined;
}

/** Returns the submitted fields of a form, if the form was refused. */
export function sentFields(sent: SentForm | undefined, form: DropForm): FormFields | undefined {
  return sent?.form === form ? sent.fields : undefined;
}

/** Form on a drop's page, with its problem. */
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
