import { Minute } from "../html/format.tsx";
import { Icon, LeafMark } from "../html/icons.tsx";
import type { ViewerPageProps } from "./viewer-props.ts";
import { viewerText } from "./viewer-text.ts";

/** Title, owner and date of the page. The bar shortens a long title; the panel shows all details. */
export function About({ title, description, namespace, ownerUrl, ...props }: ViewerPageProps) {
  const words = viewerText;
  const shown = props.versions.find(({ number }) => number === props.version);
  return (
    <>
      <LeafMark />
      <div class="about">
        <details name="bar">
          <summary>
            <h1 dir="auto">{title}</h1>
            <Icon name="down" />
          </summary>
          <div class="panel">
            <h2 dir="auto">{title}</h2>
            {description && <p dir="auto">{description}</p>}
            {props.lockUrl && <p>{words.lockedNote}</p>}
            <p class="quiet">
              {words.version(props.version)}
              {shown && (
                <>
                  , <Minute atMs={shown.createdAtMs} />
                </>
              )}
            </p>
            {shown?.originalDateMs !== undefined && (
              <p class="quiet">
                {words.dated} <Minute atMs={shown.originalDateMs} />
              </p>
            )}
            {shown?.note && <p dir="auto">{shown.note}</p>}
            <p>
              <a href={props.manageUrl}>{words.manage}</a>
            </p>
          </div>
        </details>
        <p class="by">
          {props.lockUrl && `${words.isLocked}, `}
          <a href={ownerUrl}>
            {words.by} {namespace}
          </a>{" "}
          {shown && <Minute atMs={shown.createdAtMs} />}
        </p>
      </div>
    </>
  );
}
