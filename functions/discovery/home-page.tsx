import copyScript from "../html/copy-buttons.client.ts?text";
import { renderDocument } from "../html/document.tsx";
import { LeafMark } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { discoveryText } from "./discovery-text.ts";
import homeStyle from "./home.css";

const words = discoveryText.home;

/** Renders `GET /` of the base host, which introduces the service to people and agents. */
export function renderHomePage({ baseUrl, nonce }: { baseUrl: string; nonce: string }): string {
  return renderDocument({
    title: words.title,
    description: words.description,
    nonce,
    style: homeStyle,
    script: copyScript,
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
              <Connect baseUrl={baseUrl} />
              <p class="ways">
                <a class="button" href="/account">
                  {words.signIn}
                </a>
                <a href="/login">{words.haveCode}</a>
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

/** Section with the URL for MCP clients, and instructions for other agents. */
function Connect({ baseUrl }: { baseUrl: string }) {
  return (
    <div class="connect">
      <h2>{words.connectHeading}</h2>
      <p class="address">
        <code id="mcp">{`${baseUrl}/mcp`}</code>
        <button
          class="button second scripted"
          type="button"
          data-copies="mcp"
          data-done={words.copied}
          aria-label={words.copyAddress}
        >
          <span aria-live="polite">{words.copy}</span>
        </button>
      </p>
      <p class="quiet">{words.connect}</p>
      <p class="ask">
        {words.askLead}
        <q>
          {words.ask} {baseUrl}
        </q>
      </p>
      <p class="quiet">
        {words.readsGuide} <a href="/llms.txt">/llms.txt</a>
      </p>
    </div>
  );
}

function ForHuman() {
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
        <p>{words.more}</p>
        <ul class="documents">
          {words.documents.map(({ path, name }) => (
            <li key={path}>
              <a href={path}>{path}</a> {name}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns the first calls as shell commands, in the order of `discoveryText.home.steps`. */
function firstCalls(baseUrl: string): readonly string[] {
  const label = JSON.stringify({ label: words.agentLabel });
  return [
    `curl ${baseUrl}/api/auth/start \\
  -H 'Content-Type: application/json' \\
  -d '${label}'`,
    `curl '${baseUrl}/api/auth/poll?token=POLL_TOKEN'`,
    `curl -X PUT \\
  '${baseUrl}/api/drops?metadata.project=PROJECT' \\
  -H 'Authorization: Bearer API_TOKEN' \\
  -H 'Content-Type: text/html' \\
  --data-binary @page.html`,
  ];
}

/** Position, tilt in degrees and scale of each sheet in the drawing, oldest sheet first. */
const sheets = [
  [166, 366, 8, 0.58],
  [162, 316, -6, 0.68],
  [159, 262, 4, 0.78],
  [158, 204, -9, 0.86],
] as const;

// SVG paths of a sheet of 100 × 100. The origin is the sharp corner, where the sheet touches the stem.
const rightSheet = "M0 0v-50a50 50 0 0 1 50-50h50v50a50 50 0 0 1-50 50z";
const leftSheet = "M0 0v-50a50 50 0 0 0-50-50h-50v50a50 50 0 0 0 50 50z";

/** Drawing of a stem with sheets as leaves, the newest in full colour. The stem stands for a permanent URL, the sheets for its versions. */
function SprigDrawing() {
  return (
    <svg class="drawing" viewBox="0 0 320 400" width="320" height="400" aria-hidden="true">
      <path class="stem" d="M172 398C160 330 156 250 160 146" />
      {sheets.map(([x, y, tilt, size], index) => (
        <g key={y} transform={`translate(${x} ${y}) rotate(${tilt}) scale(${size})`}>
          <path class="old-sheet" d={index % 2 === 0 ? rightSheet : leftSheet} />
          <path
            class="lines"
            d={index % 2 === 0 ? "M34-64h38M28-48h44M28-32h28" : "M-72-64h38M-72-48h44M-56-32h28"}
          />
        </g>
      ))}
      <g transform="translate(160 148) rotate(-43)">
        <path class="new-sheet" d={rightSheet} />
        <path class="new-rib" d="m0 0 70-70" />
      </g>
    </svg>
  );
}
