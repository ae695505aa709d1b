import type { ReadPart } from "../drops/read-trail.ts";
import { Day } from "../html/format.tsx";
import { accountText } from "./account-text.ts";

const words = accountText.drop;

/** The newest reads of a drop, for its owner. */
export function Reads({ reads: { reads, next } }: { readonly reads: ReadPart }) {
  return (
    <section>
      <h2>{words.readsHeading}</h2>
      {reads.length === 0 ? (
        <p>{words.noReads}</p>
      ) : (
        <ul class="read-list">
          {reads.map(({ reader, day, firstAtMs }) => (
            <li key={`${day} ${reader}`}>
              <span dir="auto">{reader}</span> <Day atMs={firstAtMs} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        {words.readsNote}
        {next && ` ${words.moreReads}`}
      </p>
    </section>
  );
}
