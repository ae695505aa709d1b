/**
 * A watch on the host: a framed page can send messages to every window above it, and no window can stop that but by
 * removing the page. A host that has so many to read that it no longer answers the app is relieved in this way.
 */
import type { App } from "@modelcontextprotocol/ext-apps";

const askAgainMs = 1_000;
/** Times that the host may owe an answer when it would be asked again. */
const silencesMax = 3;

/** A host that does not know the request and says nothing cannot be watched. */
let hasAnswered = false;

/** Asks the host for an answer: the request `ping` of the Model Context Protocol. An error is an answer too. */
export function pingHost(app: App): Promise<void> {
  const answer = () => {
    hasAnswered = true;
  };
  return app.request({ method: "ping" }).then(answer, answer);
}

/** Calls back once when the host has stopped answering. Returns a function that ends the watch. */
export function watchHost(app: App, handleSilence: () => void): () => void {
  let isAsked = false;
  // Counted rather than timed: a computer that wakes up has not answered for hours.
  let silences = 0;
  const timer = setInterval(() => {
    if (document.hidden) return;
    if (isAsked) {
      silences += 1;
      if (hasAnswered && silences === silencesMax) handleSilence();
      return;
    }
    isAsked = true;
    silences = 0;
    void pingHost(app).then(() => {
      isAsked = false;
    });
  }, askAgainMs);
  return () => clearInterval(timer);
}
