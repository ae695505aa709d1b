// The package has no types of its own, and the types on the registry are for another version of its parser.
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  /** Adds footnotes: `[^name]` refers to a footnote, and `[^name]: text` defines it. */
  export default function footnotes(markdown: MarkdownIt): void;
}
