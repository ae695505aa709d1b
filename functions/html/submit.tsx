import type { ComponentProps } from "preact";

/** Props of a button that sends a form, such as `name` and `value`. */
interface SubmitProps extends ComponentProps<"button"> {
  /** The page has a more important button, or the change cannot be undone. @default false */
  readonly second?: boolean;
}

/** The button that sends a form. */
export function Submit({ second = false, ...attributes }: SubmitProps) {
  return <button class={second ? "button second" : "button"} type="submit" {...attributes} />;
}
