import { type ComponentChildren, cloneElement, type VNode } from "preact";
import { proofField } from "../http/form-proof.ts";
import { type Change, revisionField } from "./form-revision.ts";
import type { Problem } from "./problem.ts";

/** A form with its session's proof, and with the drop's state when it was shown. */
export function Form({
  action,
  proof,
  seen,
  hasFile,
  class: className,
  children,
}: {
  readonly action: string;
  readonly proof: string;
  /** @default - no drop */
  readonly seen?: string;
  /** @default false */
  readonly hasFile?: boolean;
  /** Class of the form. @default - none */
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class={className}
      method="post"
      action={action}
      enctype={hasFile ? "multipart/form-data" : undefined}
    >
      <input type="hidden" name={proofField} value={proof} />
      {seen !== undefined && <input type="hidden" name={revisionField} value={seen} />}
      {children}
    </form>
  );
}

/** Attributes of a text field for names and addresses, which browsers must neither complete nor correct. */
export const asTyped = { autocomplete: "off", autocapitalize: "off", spellcheck: false } as const;

/** A label and its control, with a note and a problem. */
export function Field({
  label,
  id,
  note,
  problem,
  children,
}: {
  readonly label: string;
  readonly id: string;
  /** @default - no note */
  readonly note?: string | undefined;
  /** The reason why the form was refused. @default - no problem with this field */
  readonly problem?: string | undefined;
  /** The control. It gets its id, class and descriptions here, and the focus after a problem. */
  readonly children: VNode<Record<string, unknown>>;
}) {
  const noteId = `${id}-note`;
  const isWrong = problem !== undefined;
  const described = [...(isWrong ? [problemId] : []), ...(note === undefined ? [] : [noteId])];
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      <FieldProblem problem={problem} />
      {cloneElement(children, {
        id,
        class: "field",
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": isWrong ? "true" : undefined,
        autofocus: isWrong,
      })}
      {note !== undefined && (
        <p class="quiet small" id={noteId}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Id of the problem: a page shows one at most. */
export const problemId = "problem";

/** The reason why a form was refused, at the field that it concerns. */
export function FieldProblem({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p class="field-problem" role="alert" id={problemId}>
      {problem}
    </p>
  );
}

/** The reason why a form was refused, at its head. It takes the focus, so that the browser shows it. */
export function ProblemNotice({
  problem,
  changes = [],
}: {
  readonly problem: Problem;
  /** @default - no changes */
  readonly changes?: readonly Change[];
}) {
  return (
    <div class="notice problem" role="alert" id={problemId} tabIndex={-1} autofocus>
      <p>{problem.message}</p>
      {changes.length > 0 && (
        <>
          <p>Current values</p>
          <dl>
            {changes.map(({ what, now }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd dir="auto">{now}</dd>
              </div>
            ))}
          </dl>
          <p>Your changes are still here. Save again to replace the current values.</p>
        </>
      )}
    </div>
  );
}
