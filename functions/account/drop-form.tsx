import type { ComponentChildren } from "preact";
import type { Drop } from "../drops/drop.ts";
import { pagePath } from "../identity/destination.ts";
import { Form, ProblemNotice } from "./form.tsx";
import { type Change, presentFormRevision } from "./form-revision.ts";
import type { FormFields, Problem } from "./problem.ts";

/** Where each form of a drop's page is sent, after the page's own path: what is about it, its passcode, its versions, and its end. */
const paths = {
  about: "",
  passcode: "/passcode",
  restore: "/restore",
  version: "/versions",
  delete: "/delete",
} as const;

/** One of these. */
export type DropForm = keyof typeof paths;

/** A form that was sent and refused. */
export interface SentForm {
  readonly form: DropForm;
  /** As it was filled in. */
  readonly fields: FormFields;
  readonly problem: Problem;
  /** What has changed in the drop since the form was shown, where that is why. */
  readonly changes: readonly Change[];
}

/** What a form of a drop's page needs of it. */
export interface DropFormProps {
  readonly drop: Drop;
  readonly proofOf: (path: string) => string;
  /** @default - none was sent */
  readonly sent?: SentForm | undefined;
}

/** A form of a drop's page, which says what was wrong with it. */
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
      {sent?.form === form && <ProblemNotice problem={sent.problem} changes={sent.changes} />}
      {children}
    </Form>
  );
}
