/** Draws the reference with Swagger UI, in the theme that the browser asks for; nothing is sent to a validator. */

/** What the page's other script puts there: Swagger UI's documentation, "Configuration". */
declare const SwaggerUIBundle: (configuration: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly docExpansion: "list" | "full" | "none";
  readonly defaultModelsExpandDepth: number;
  readonly validatorUrl: string | null;
}) => unknown;

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
