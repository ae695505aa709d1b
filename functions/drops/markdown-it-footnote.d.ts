// The package has no types of its own, and those on the registry are for another version of its parser.
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  /** Adds footnotes: `[^name]`, and `[^name]: text` for what it says. */
  export default function footnotes(markdown: MarkdownIt): void;
}
