import { formatCounted } from "../html/format.tsx";
import { type ComparisonRow, type DisplayedSpan, invisibleCharacters } from "./text-comparison.ts";

/** Table of lines of two versions, with line numbers, signs for removed and added lines, and marks on changed words. */
export function ComparisonLines({
  rows,
  from,
  to,
}: {
  readonly rows: readonly ComparisonRow[];
  readonly from: number;
  readonly to: number;
}) {
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col" title={`Line in version ${from}`}>
            v{from}
          </th>
          <th scope="col" title={`Line in version ${to}`}>
            v{to}
          </th>
          <th scope="col">
            <span class="unseen">Change</span>
          </th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { readonly row: ComparisonRow }) {
  switch (row.kind) {
    case "folded":
      return <Note text={formatCounted(row.count, "unchanged line")} />;
    case "no-line-end":
      return <Note text="The last line has no line ending" />;
    case "same":
      return (
        <tr>
          <td>{row.before}</td>
          <td>{row.after}</td>
          <td />
          <td dir="ltr">
            <Pieces pieces={row.pieces} />
          </td>
        </tr>
      );
    case "removed":
      return (
        <tr class="removed">
          <td>{row.before}</td>
          <td />
          <td>−</td>
          <td dir="ltr">
            <del>
              <Pieces pieces={row.pieces} />
            </del>
          </td>
        </tr>
      );
    case "added":
      return (
        <tr class="added">
          <td />
          <td>{row.after}</td>
          <td>+</td>
          <td dir="ltr">
            <ins>
              <Pieces pieces={row.pieces} />
            </ins>
          </td>
        </tr>
      );
  }
}

function Note({ text }: { readonly text: string }) {
  return (
    <tr class="between">
      <td colSpan={4}>{text}</td>
    </tr>
  );
}

function Pieces({ pieces }: { readonly pieces: readonly DisplayedSpan[] }) {
  return (
    <>
      {pieces.map((piece) => {
        if ("omitted" in piece) return <i>… {formatCounted(piece.omitted, "more character")} …</i>;
        const shown = <Shown text={piece.text} />;
        return piece.isChanged ? <mark>{shown}</mark> : shown;
      })}
    </>
  );
}

const eachInvisible = new RegExp(`(${invisibleCharacters.source})`, "u");

/** Renders untrusted text. Shows characters that could reverse or hide text as code points. */
function Shown({ text }: { readonly text: string }) {
  const parts = text.split(eachInvisible);
  if (parts.length === 1) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <b>{codePointOf(part)}</b>))}</>;
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
