import { renderDocument } from "./document.tsx";
import { homeStyle } from "./home-style.ts";
import { LeafMark } from "./icons.tsx";
import { SprigDrawing } from "./sprig-drawing.tsx";
import { text } from "./text.ts";

/** What the start page shows. */
export interface HomePageProps {
  /** The service's base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly nonce: string;
}

/** `GET /` of the base host: what this is, for the human and for the agent. */
export function renderHomePage({ baseUrl, nonce }: HomePageProps): string {
  const words = text.home;
  return renderDocument({
    title: words.title,
    description: words.description,
    nonce,
    style: homeStyle,
    indexed: true,
    layout: "home-page",
    children: (
      <>
        <header>
          <p class="brand">
            <LeafMark />
            {text.product}
          </p>
          <div class="hero">
            <div>
              <h1>{words.heading}</h1>
              <p class="lead">{words.lead}</p>
              <p class="ask">
                {words.askLead}
                <q>
                  {words.ask} {baseUrl}
                </q>
              </p>
              <p class="ways">
                <a class="button" href="/login">
                  {words.signIn}
                </a>
                <a href="/login/token">{words.ownToken}</a>
              </p>
            </div>
            <SprigDrawing />
          </div>
        </header>
        <main>
          <ForHuman />
          <ForAgent baseUrl={baseUrl} />
        </main>
      </>
    ),
  });
}

function ForHuman() {
  const words = text.home;
  return (
    <section>
      <h2>{words.humanHeading}</h2>
      <ul class="human">
        {words.human.map(({ heading, body }) => (
          <li key={heading}>
            <h3>{heading}</h3>
            <p>{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ForAgent({ baseUrl }: { baseUrl: string }) {
  const words = text.home;
  const calls = firstCalls(baseUrl);
  return (
    <section>
      <div>
        <h2>{words.agentHeading}</h2>
        <p>{words.agentLead}</p>
      </div>
      <ol class="agent sprig">
        {words.steps.map(({ heading, body }, index) => (
          <li key={heading}>
            <div>
              <h3>{heading}</h3>
              <p>{body}</p>
            </div>
            <pre>
              <code>{calls[index]}</code>
            </pre>
          </li>
        ))}
      </ol>
      <div class="after">
        <p>{words.authoring}</p>
        <p class="ways">
          <a href="/docs">{words.reference}</a>
          <a href="/openapi.json">{words.openApi}</a>
        </p>
      </div>
    </section>
  );
}

/** The calls as a shell runs them, in the order of `text.home.steps`. */
function firstCalls(baseUrl: string): readonly string[] {
  const label = JSON.stringify({ label: text.home.agentLabel });
  const title = JSON.stringify(text.home.exampleTitle);
  return [
    `curl ${baseUrl}/api/auth/start \\
  -H 'Content-Type: application/json' \\
  -d '${label}'`,
    `curl '${baseUrl}/api/auth/poll?token=POLL_TOKEN'`,
    `curl ${baseUrl}/api/drops \\
  -H 'Authorization: Bearer API_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"title":${title},
       "html":"<!doctype html><h1>Hello</h1>"}'`,
  ];
}
