import { type ComponentChildren, cloneElement, type VNode } from "preact";
import { proofField } from "../http/form-proof.ts";
import { type Change, revisionField } from "./form-revision.ts";
import type { Problem } from "./problem.ts";

/** Form with a CSRF token. A form about a drop also submits the state that the drop had when the form was displayed. */
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
  /** The drop's state, from `presentFormRevision`. @default - the form is not about a drop */
  readonly seen?: string;
  /** True if the form has a file field. @default false */
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

/** Attributes that stop browsers from completing or correcting a name or address. */
export const asTyped = { autocomplete: "off", autocapitalize: "off", spellcheck: false } as const;

/** Label and input element of a field, with an optional note and problem. */
export function Field({
  label,
  id,
  note,
  problem,
  children,
}: {
  readonly label: string;
  readonly id: string;
  /** Note below the input element. @default - no note */
  readonly note?: string | undefined;
  /** Problem with the field's value. @default - none */
  readonly problem?: string | undefined;
  /** The input element. `Field` sets the element's id, class and `aria` attributes, and focuses the element if it has a problem. */
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

/** Element id of the problem. All problems share one id, because a page shows at most one. */
export const problemId = "problem";

/** Problem with a field, shown next to the field. */
export function FieldProblem({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p class="field-problem" role="alert" id={problemId}>
      {problem}
    </p>
  );
}

/** Problem with a form, shown above its fields. The notice receives the focus, so that the browser scrolls to it. */
export function ProblemNotice({
  problem,
  changes = [],
}: {
  readonly problem: Problem;
  /** Fields that changed since the form was shown. @default - no changes */
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
