/** Site generators and bundlers, their marks in pages, and their settings for relative addresses. The most reliable marks come first. */
const generators: readonly (readonly [name: string, mark: RegExp, setting: string])[] = [
  ["VitePress", /content="VitePress/i, 'base: "./" in .vitepress/config'],
  ["Hugo", /content="?Hugo/i, "relativeURLs = true and canonifyURLs = true in hugo.toml"],
  ["Docusaurus", /content="Docusaurus|__docusaurus/i, 'baseUrl: "/" in docusaurus.config'],
  ["Jekyll", /content="Jekyll/i, 'baseurl: "" in _config.yml, and the filter relative_url for links'],
  ["Pelican", /content="Pelican|\/theme\/css\/main\.css/i, "RELATIVE_URLS = True in pelicanconf.py"],
  ["Next.js", /\/_next\//, 'output: "export", assetPrefix: "./" and no basePath in next.config'],
  ["Nuxt", /\/_nuxt\//, 'app: { baseURL: "./" } in nuxt.config'],
  ["Astro", /content="Astro|\/_astro\//i, "no base in astro.config"],
  ["Angular", /<app-root|ng-version=/i, "ng build --base-href ./"],
  ["Create React App", /\/static\/js\/main\.\w+\.js/, '"homepage": "." in package.json'],
  ["Vite", /\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css)|\/vite\.svg/, "vite build --base=./"],
  ["webpack", /webpack/i, 'output.publicPath: "auto"'],
];

const lookedAtCharacters = 65_536;

/** Returns advice on how to make addresses relative. Identifies the tool that built the site by the marks in its entry page. */
export function adviceFor(page: string): string {
  const start = page.slice(0, lookedAtCharacters);
  const [name, , setting] = generators.find(([, mark]) => mark.test(start)) ?? [];
  return name === undefined
    ? "set your tool's base path to ./, or write addresses relative to the page"
    : `build with ${setting} (${name})`;
}
