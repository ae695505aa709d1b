/** A static site generator or bundler, and its setting for relative addresses. */
interface Generator {
  readonly name: string;
  /** Matches text that identifies the tool in a page that it has built. */
  readonly mark: RegExp;
  readonly setting: string;
}

/** Site generators, with the most reliable marks first. Some tools are built on others, so a page can have several marks. */
const generators: readonly Generator[] = [
  { name: "VitePress", mark: /content="VitePress/i, setting: 'base: "./" in .vitepress/config' },
  {
    name: "Hugo",
    mark: /content="?Hugo/i,
    setting: "relativeURLs = true and canonifyURLs = true in hugo.toml",
  },
  {
    name: "Docusaurus",
    mark: /content="Docusaurus|__docusaurus/i,
    setting: 'baseUrl: "/" in docusaurus.config',
  },
  {
    name: "Jekyll",
    mark: /content="Jekyll/i,
    setting: 'baseurl: "" in _config.yml, and the filter relative_url for links',
  },
  {
    name: "Pelican",
    mark: /content="Pelican|\/theme\/css\/main\.css/i,
    setting: "RELATIVE_URLS = True in pelicanconf.py",
  },
  {
    name: "Next.js",
    mark: /\/_next\//,
    setting: 'output: "export", assetPrefix: "./" and no basePath in next.config',
  },
  { name: "Nuxt", mark: /\/_nuxt\//, setting: 'app: { baseURL: "./" } in nuxt.config' },
  { name: "Astro", mark: /content="Astro|\/_astro\//i, setting: "no base in astro.config" },
  { name: "Angular", mark: /<app-root|ng-version=/i, setting: "ng build --base-href ./" },
  {
    name: "Create React App",
    mark: /\/static\/js\/main\.\w+\.js/,
    setting: '"homepage": "." in package.json',
  },
  {
    name: "Vite",
    mark: /\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css)|\/vite\.svg/,
    setting: "vite build --base=./",
  },
  { name: "webpack", mark: /webpack/i, setting: 'output.publicPath: "auto"' },
];

const lookedAtCharacters = 65_536;

/** Returns advice on how to make addresses relative. Identifies the tool that built the site by the marks in its entry page. */
export function adviceFor(page: string): string {
  const start = page.slice(0, lookedAtCharacters);
  const found = generators.find(({ mark }) => mark.test(start));
  return found === undefined
    ? "set your tool's base path to ./, or write addresses relative to the page"
    : `build with ${found.setting} (${found.name})`;
}
