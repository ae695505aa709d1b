// The package contains no types. The types on npm are for another version of markdown-it.
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  /** Adds footnotes: `[^name]` refers to a footnote, and `[^name]: text` defines it. */
  export default function footnotes(markdown: MarkdownIt): void;
}
