import { artefactsOf } from "../artefact.ts";

const restructured = {
  "index.rst": "Parcels\n=======\n\nSends parcels.\n\n.. toctree::\n\n   guide\n",
  "guide.rst": "Guide\n=====\n\nA parcel has a weight.\n\n.. code-block:: python\n\n   weight = 20\n",
};

const sphinx = (theme: string) => ({
  programs: ["sphinx-build"],
  files: { ...restructured, "conf.py": `project = "Parcels"\nhtml_theme = "${theme}"\n` },
  run: ["sphinx-build -q -b html . out && rm -rf out/.doctrees"],
  inner: "a[href='guide.html']",
});

const mkdocs = (theme: string) => ({
  programs: ["mkdocs"],
  files: {
    "mkdocs.yml": `site_name: Parcels\ntheme:\n  name: ${theme}\nsite_dir: out\n`,
    "docs/index.md": "# Parcels\n\nSends parcels. Read [the guide](guide.md).\n",
    "docs/guide.md": "# Guide\n\nA parcel has a weight.\n\n## Price\n\nIt is low.\n",
  },
  run: ["mkdocs build -q"],
  inner: "a:has-text('the guide')",
});

const asciidoc =
  "= Parcels\n:toc: left\n:source-highlighter: none\n\n== Shelf\n\nThe first place.\n\nNOTE: It is dry.\n\n== Door\n\n----\nopen()\n----\n";
const deck = "% Parcels\n% Mara\n\n# Shelf\n\n- one\n- two\n\n# Door\n\nThe end\n";
const cSource = `#include <stdio.h>
/** Price of a parcel. @param grams its weight @return cents */
int price(int grams) {
  if (grams > 1000) return 900;
  return 450;
}
/** Prints a price. */
int main(void) {
  printf("%d\\n", price(20));
  return 0;
}
`;
const javaSource =
  "package parcels;\n\n/** A parcel. */\npublic class Parcel {\n  /** Weight in grams.\n   * @return grams */\n  public int weigh() { return 20; }\n}\n";
const rubySource =
  "# A parcel with its weight.\nclass Parcel\n  # Weight in grams.\n  # @return [Integer]\n  def weigh\n    20\n  end\nend\n";
const gnuplot = (terminal: string) =>
  `set terminal ${terminal}\nset output "out/plot"\nset title "Parcels"\nplot sin(x) with lines, cos(x) with points\n`;

/** Artefacts made by Debian's programs. If a program is missing on a machine, its artefacts are skipped. */
export const debian = artefactsOf("docs", {
  "sphinx-alabaster": sphinx("alabaster"),
  "sphinx-sphinx-rtd-theme": sphinx("sphinx_rtd_theme"),
  "mkdocs-mkdocs": mkdocs("mkdocs"),
  "mkdocs-readthedocs": mkdocs("readthedocs"),
  "mkdocs-material": mkdocs("material"),
  "coverage-py": {
    kind: "report",
    programs: ["python3-coverage"],
    files: {
      "parcel.py":
        "def price(grams):\n    if grams > 1000:\n        return 900\n    return 450\n\nprint(price(20))\n",
    },
    run: ["python3-coverage run parcel.py && python3-coverage html -d out"],
    inner: "a:has-text('parcel.py')",
    click: "th.name",
  },
  "lcov-genhtml": {
    kind: "report",
    programs: ["gcc", "lcov", "genhtml"],
    files: { "parcel.c": cSource },
    run: [
      "gcc --coverage -o parcel parcel.c && ./parcel && lcov -q -c -d . -o parcel.info && genhtml -q -o out parcel.info",
    ],
    inner: "a[href*='index.html']:not([href='index.html'])",
  },
  gcovr: {
    kind: "report",
    programs: ["gcc", "gcovr"],
    files: { "parcel.c": cSource },
    run: [
      "gcc --coverage -o parcel parcel.c && ./parcel && mkdir out && gcovr --html-details out/index.html",
    ],
    inner: "a:has-text('parcel.c')",
  },
  doxygen: {
    programs: ["doxygen"],
    files: {
      "parcel.c": cSource,
      Doxyfile:
        "PROJECT_NAME=Parcels\nINPUT=parcel.c\nOUTPUT_DIRECTORY=.\nHTML_OUTPUT=out\nGENERATE_LATEX=NO\nQUIET=YES\nEXTRACT_ALL=YES\nGENERATE_TREEVIEW=YES\n",
    },
    run: ["doxygen -q Doxyfile"],
    inner: "#nav-tree a:has-text('Files'), a[href='files.html']",
  },
  pelican: {
    kind: "site",
    programs: ["pelican"],
    files: {
      "content/first.md": "Title: The first parcel\nDate: 2026-01-02\nCategory: Parcels\n\nIt was light.\n",
      "pelicanconf.py": "SITENAME = 'Parcels'\nSITEURL = ''\nPATH = 'content'\nTIMEZONE = 'UTC'\n",
    },
    run: ["pelican content -o out -s pelicanconf.py -q"],
    inner: "h1 a:has-text('The first parcel'), .entry-title a",
  },
  hugo: {
    kind: "site",
    programs: ["hugo"],
    files: {
      "config.toml": 'baseURL = "/"\ntitle = "Parcels"\npublishDir = "out"\n',
      "content/guide.md": "---\ntitle: Guide\n---\nA parcel has a weight.\n",
      "layouts/_default/single.html":
        '<!doctype html><html><head><link rel="stylesheet" href="{{ "style.css" | relURL }}"><title>{{ .Title }}</title></head><body><h1>{{ .Title }}</h1>{{ .Content }}<a href="{{ "/" | relURL }}">Home</a></body></html>',
      "layouts/index.html":
        '<!doctype html><html><head><link rel="stylesheet" href="{{ "style.css" | relURL }}"><title>{{ .Site.Title }}</title></head><body><h1>{{ .Site.Title }}</h1>{{ range .Site.RegularPages }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</body></html>',
      "static/style.css": "h1 { color: teal; }",
    },
    run: ["hugo --quiet"],
    inner: "a",
  },
  jekyll: {
    kind: "site",
    programs: ["jekyll"],
    files: {
      "_config.yml": "title: Parcels\nexclude: []\n",
      "_layouts/default.html":
        '<!doctype html><html><head><link rel="stylesheet" href="{{ "/style.css" | relative_url }}"><title>{{ page.title }}</title></head><body><h1>{{ page.title }}</h1>{{ content }}</body></html>',
      "style.css": "h1 { color: teal; }",
      "index.md": '---\nlayout: default\ntitle: Parcels\n---\n[Guide]({{ "/guide.html" | relative_url }})\n',
      "guide.md": "---\nlayout: default\ntitle: Guide\n---\nA parcel has a weight.\n",
    },
    run: ["jekyll build -q -d out"],
    inner: "a",
  },
  asciidoctor: {
    programs: ["asciidoctor"],
    files: { "page.adoc": asciidoc },
    run: ["mkdir out && asciidoctor -a webfonts! -o out/index.html page.adoc"],
    inner: "#toc a",
  },
  "pandoc-standalone": {
    programs: ["pandoc"],
    files: {
      "page.md":
        "---\ntitle: Parcels\n---\n\n# Shelf\n\nThe first place.[^1]\n\n[^1]: It is dry.\n\n# Door\n\n$$x^2$$\n",
    },
    run: ["mkdir out && pandoc -s --toc --mathml -o out/index.html page.md"],
    inner: "#TOC a",
  },
  "pandoc-slidy": {
    kind: "slides",
    programs: ["pandoc"],
    files: { "deck.md": deck },
    run: ["mkdir out && pandoc -s -t slidy -o out/index.html deck.md"],
  },
  "pandoc-reveal": {
    kind: "slides",
    programs: ["pandoc"],
    files: { "deck.md": deck },
    beside: { "reveal.js@4.6.1": { "reveal/dist": "dist", "reveal/plugin": "plugin" } },
    run: ["pandoc -s -t revealjs -V revealjs-url=reveal -o out/index.html deck.md"],
  },
  "docbook-chunks": {
    programs: ["xsltproc"],
    files: {
      "book.xml":
        '<book><title>Parcels</title><chapter id="shelf"><title>Shelf</title><para>The first place.</para></chapter><chapter id="door"><title>Door</title><para>The end.</para></chapter></book>',
    },
    run: [
      "mkdir out && xsltproc --stringparam base.dir out/ /usr/share/xml/docbook/stylesheet/docbook-xsl/xhtml/chunk.xsl book.xml",
    ],
    inner: "a[accesskey=n]",
  },
  "graphviz-svg": {
    kind: "chart",
    programs: ["dot"],
    files: {
      "graph.dot":
        'digraph { rankdir=LR; shelf -> road -> door; shelf [URL="shelf.html"]; road [tooltip="long"] }',
    },
    run: [
      `mkdir out && dot -Tsvg graph.dot > out/graph.svg && echo '<!doctype html><title>Graph</title><h1>Graph</h1><object data="graph.svg" type="image/svg+xml"></object>' > out/index.html`,
    ],
  },
  "gnuplot-svg": {
    kind: "chart",
    programs: ["gnuplot"],
    files: { "plot.gp": gnuplot("svg mouse standalone") },
    run: [
      `mkdir out && gnuplot plot.gp && mv out/plot out/plot.svg && echo '<!doctype html><title>Plot</title><h1>Plot</h1><img src="plot.svg" alt="Plot">' > out/index.html`,
    ],
  },
  "gnuplot-canvas": {
    kind: "chart",
    programs: ["gnuplot"],
    files: { "plot.gp": gnuplot("canvas standalone jsdir '.'") },
    run: [
      "mkdir out && gnuplot plot.gp && mv out/plot out/index.html && cp /usr/share/gnuplot/gnuplot/*/js/* out/",
    ],
  },
  javadoc: {
    programs: ["javadoc"],
    files: { "parcels/Parcel.java": javaSource },
    run: ["javadoc -quiet -notimestamp -d out parcels/Parcel.java"],
    inner: "a:has-text('Parcel')",
  },
  pod2html: {
    programs: ["pod2html"],
    files: {
      "parcel.pod": "=head1 NAME\n\nparcel - sends parcels\n\n=head1 SYNOPSIS\n\n  parcel send\n\n=cut\n",
    },
    run: ["mkdir out && pod2html --infile=parcel.pod --outfile=out/index.html"],
    inner: "#index a",
  },
  yard: {
    programs: ["yard"],
    files: { "lib/parcel.rb": rubySource },
    run: ["yard doc -q -o out lib/parcel.rb"],
    inner: "a:has-text('Parcel')",
  },
  rdoc: {
    programs: ["rdoc"],
    files: { "lib/parcel.rb": rubySource },
    run: ["rdoc -q -o out lib/parcel.rb"],
    inner: "a:has-text('Parcel')",
  },
  "jupyter-nbconvert": {
    kind: "report",
    programs: ["jupyter-nbconvert"],
    files: {
      "book.ipynb": JSON.stringify({
        cells: [
          { cell_type: "markdown", metadata: {}, source: "# Parcels\n\n$x^2$" },
          {
            cell_type: "code",
            execution_count: 1,
            metadata: {},
            source: "print(20)",
            outputs: [{ output_type: "stream", name: "stdout", text: "20\n" }],
          },
        ],
        metadata: { language_info: { name: "python" } },
        nbformat: 4,
        nbformat_minor: 4,
      }),
    },
    run: ["jupyter-nbconvert --to html --output-dir out --output index book.ipynb"],
  },
});
