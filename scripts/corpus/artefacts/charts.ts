import { artefactsOf } from "../artefact.ts";

const inputs = `const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"], counts = [12, 19, 3, 5, 2, 30];`;

/** Pages with charts, graphs, maps and tables, drawn by libraries' browser builds. */
export const charts = artefactsOf("chart", {
  "chart-js": {
    beside: { "chart.js@4.6.1": { "lib/chart.js": "dist/chart.umd.min.js" } },
    body: `<div style="max-width:800px"><canvas id="c"></canvas></div><script src="lib/chart.js"></script><script>${inputs}
new Chart(c, { type: "bar", data: { labels: months, datasets: [{ label: "Builds", data: counts }, { label: "Failures", data: [1, 2, 3, 2, 1, 0], type: "line" }] } });</script>`,
    click: "canvas",
    isLight: true,
  },
  echarts: {
    beside: { "echarts@6.1.0": { "lib/echarts.js": "dist/echarts.min.js" } },
    body: `<div id="main" style="width:100%;height:400px"></div><script src="lib/echarts.js"></script><script>${inputs}
const chart = echarts.init(main); chart.setOption({ animation: false, title: { text: "Builds" }, tooltip: {}, legend: {}, toolbox: { feature: { dataView: {}, saveAsImage: {} } }, xAxis: { data: months }, yAxis: {}, series: [{ name: "Builds", type: "bar", data: counts }] });
addEventListener("resize", () => chart.resize());</script>`,
    click: "canvas",
  },
  plotly: {
    beside: { "plotly.js-dist-min@4.1.2": ["plotly.min.js"] },
    body: `<div id="plot"></div><script src="plotly.min.js"></script><script>${inputs}
Plotly.newPlot("plot", [{ x: months, y: counts, type: "scatter" }, { z: [[1, 20, 30], [20, 1, 60], [30, 60, 1]], type: "heatmap", xaxis: "x2", yaxis: "y2" }], { grid: { rows: 2, columns: 1, pattern: "independent" } }, { responsive: true });</script>`,
    click: "#plot .legendtoggle, #plot .nsewdrag",
  },
  "vega-lite": {
    beside: {
      "vega-embed@7.3.0": { "lib/vega-embed.js": "build/vega-embed.min.js" },
      "vega@6.4.0": { "lib/vega.js": "build/vega.min.js" },
      "vega-lite@6.5.0": { "lib/vega-lite.js": "build/vega-lite.min.js" },
    },
    body: `<div id="vis"></div><script src="lib/vega.js"></script><script src="lib/vega-lite.js"></script><script src="lib/vega-embed.js"></script><script>${inputs}
vegaEmbed("#vis", { $schema: "https://vega.github.io/schema/vega-lite/v6.json", data: { values: months.map((month, at) => ({ month, count: counts[at] })) }, mark: "bar", width: 300, encoding: { x: { field: "month", type: "nominal" }, y: { field: "count", type: "quantitative" }, tooltip: { field: "count" } } });</script>`,
    click: ".vega-embed summary",
  },
  "vega-remote-data": {
    beside: {
      "vega@6.4.0": { "vega.js": "build/vega.min.js" },
      "vega-embed@7.3.0": { "vega-embed.js": "build/vega-embed.min.js" },
      "vega-lite@6.5.0": { "vega-lite.js": "build/vega-lite.min.js" },
    },
    samples: ["chart-data"],
    body: `<div id="vis" style="width:100%"></div><script src="vega.js"></script><script src="vega-lite.js"></script><script src="vega-embed.js"></script><script>
vegaEmbed("#vis", { data: { url: "data/builds.csv" }, mark: "line", width: "container", encoding: { x: { field: "day", type: "temporal" }, y: { field: "seconds", type: "quantitative" }, color: { field: "branch" } } }, { actions: false });</script>`,
    run: ["mkdir -p out/data && cp builds.csv out/data/"],
  },
  "d3-csv": {
    beside: { "d3@7.9.2": { "d3.min.js": "dist/d3.min.js" } },
    samples: ["chart-data"],
    body: `<h1>Seconds of a build</h1><svg id="chart" viewBox="0 0 600 300"></svg><p id="note"></p><script src="d3.min.js"></script><script>
d3.csv("builds.csv", d3.autoType).then((rows) => {
  const x = d3.scaleUtc(d3.extent(rows, (row) => row.day), [40, 590]), y = d3.scaleLinear([0, d3.max(rows, (row) => row.seconds)], [280, 10]);
  const svg = d3.select("#chart");
  svg.append("g").attr("transform", "translate(0,280)").call(d3.axisBottom(x).ticks(5));
  svg.append("g").attr("transform", "translate(40,0)").call(d3.axisLeft(y));
  svg.selectAll("circle").data(rows).join("circle").attr("cx", (row) => x(row.day)).attr("cy", (row) => y(row.seconds)).attr("r", 5).on("click", (event, row) => { note.textContent = row.branch + ": " + row.seconds; });
});</script>`,
    run: ["cp builds.csv out/"],
    click: "circle",
    isLight: true,
  },
  "observable-plot": {
    beside: {
      "@observablehq/plot@0.6.17": { "plot.js": "dist/plot.umd.min.js" },
      "d3@7.9.2": { "d3.js": "dist/d3.min.js" },
    },
    body: `<div id="plot"></div><script src="d3.js"></script><script src="plot.js"></script><script type="module">${inputs}
plot.append(Plot.plot({ marks: [Plot.barY(months.map((month, at) => ({ month, count: counts[at] })), { x: "month", y: "count", tip: true }), Plot.ruleY([0])] }));</script>`,
  },
  highcharts: {
    beside: { "highcharts@13.1.1": { "highcharts.js": "highcharts.js" } },
    body: `<div id="container"></div><script src="highcharts.js"></script><script>${inputs}
Highcharts.chart("container", { chart: { type: "column", animation: false }, plotOptions: { series: { animation: false } }, title: { text: "Builds" }, xAxis: { categories: months }, series: [{ name: "Builds", data: counts }, { name: "Failures", data: [1, 2, 1, 0, 3, 1] }] });</script>`,
    click: ".highcharts-legend-item",
  },
  apexcharts: {
    beside: { "apexcharts@8.7.0": { "apexcharts.js": "dist/apexcharts.min.js" } },
    body: `<div id="chart"></div><script src="apexcharts.js"></script><script>${inputs}
new ApexCharts(chart, { chart: { type: "area", height: 350, animations: { enabled: false } }, series: [{ name: "Builds", data: counts }], xaxis: { categories: months } }).render();</script>`,
    click: ".apexcharts-menu-icon",
  },
  uplot: {
    beside: { "uplot@1.6.32": { "uPlot.js": "dist/uPlot.iife.min.js", "uPlot.css": "dist/uPlot.min.css" } },
    head: '<link rel="stylesheet" href="uPlot.css">',
    body: `<script src="uPlot.js"></script><script>
const times = Array.from({ length: 100 }, (_, at) => 1.7e9 + at * 3600);
new uPlot({ title: "Load", width: 360, height: 300, series: [{}, { label: "CPU", stroke: "red" }, { label: "RAM", stroke: "blue" }] }, [times, times.map((_, at) => Math.sin(at / 9)), times.map((_, at) => Math.cos(at / 7))], document.body);</script>`,
    click: ".u-over",
  },
  dygraphs: {
    beside: {
      "dygraphs@2.2.2": { "dygraph.js": "dist/dygraph.min.js", "dygraph.css": "dist/dygraph.min.css" },
    },
    samples: ["chart-data"],
    head: '<link rel="stylesheet" href="dygraph.css">',
    body: `<div id="graph" style="width:100%"></div><script src="dygraph.js"></script><script>new Dygraph(graph, "temperatures.csv", { rollPeriod: 2, showRoller: true });</script>`,
    run: ["cp temperatures.csv out/"],
  },
  "lightweight-charts": {
    beside: {
      "lightweight-charts@5.2.1": { "charts.js": "dist/lightweight-charts.standalone.production.js" },
    },
    body: `<div id="box" style="height:300px"></div><script src="charts.js"></script><script>
const chart = LightweightCharts.createChart(box, { autoSize: true }); const line = chart.addSeries(LightweightCharts.LineSeries);
line.setData(Array.from({ length: 28 }, (_, at) => ({ time: "2026-02-" + String(at + 1).padStart(2, "0"), value: 20 + Math.sin(at) * 5 }))); chart.timeScale().fitContent();</script>`,
  },
  mermaid: {
    beside: { "mermaid@12.3.0": { "mermaid.min.js": "dist/mermaid.min.js" } },
    body: `<pre class="mermaid">flowchart LR
  A[Commit] --> B{Tests pass?}
  B -- yes --> C[Publish]
  B -- no --> D[Mend]
  D --> A</pre><pre class="mermaid">sequenceDiagram
  Reader->>Edge: GET /p/1
  Edge->>Function: GET /p/1
  Function-->>Reader: page</pre><pre class="mermaid">gantt
  title Plan
  dateFormat YYYY-MM-DD
  section One
  Write :a1, 2026-01-01, 30d
  Test :after a1, 20d</pre><script src="mermaid.min.js"></script><script>mermaid.initialize({ startOnLoad: true });</script>`,
  },
  cytoscape: {
    beside: { "cytoscape@3.35.0": { "cytoscape.js": "dist/cytoscape.min.js" } },
    body: `<div id="cy" style="height:400px"></div><script src="cytoscape.js"></script><script>
cytoscape({ container: cy, elements: [..."abcdef"].map((id) => ({ data: { id } })).concat(["ab", "bc", "cd", "de", "ef", "fa"].map(([source, target]) => ({ data: { source, target } }))), style: [{ selector: "node", style: { label: "data(id)" } }], layout: { name: "circle" } });</script>`,
  },
  "vis-network": {
    beside: { "vis-network@10.1.5": { "vis-network.js": "standalone/umd/vis-network.min.js" } },
    body: `<div id="net" style="height:400px;border:1px solid"></div><script src="vis-network.js"></script><script>
const nodes = new vis.DataSet([1, 2, 3, 4, 5].map((id) => ({ id, label: "Node " + id }))), edges = new vis.DataSet([[1, 3], [1, 2], [2, 4], [2, 5]].map(([from, to]) => ({ from, to })));
new vis.Network(net, { nodes, edges }, { layout: { randomSeed: 2, hierarchical: true }, physics: false });</script>`,
  },
  sigma: {
    beside: {
      "sigma@4.0.4": { "sigma.js": "dist/sigma.min.js" },
      "graphology@0.26.0": { "graphology.js": "dist/graphology.umd.min.js" },
    },
    body: `<div id="box" style="height:400px"></div><script src="graphology.js"></script><script src="sigma.js"></script><script>
const graph = new graphology.Graph(); ["Ada", "Grace", "Mara"].forEach((label, at) => graph.addNode(label, { label, x: at, y: at % 2, size: 12, color: "teal" })); graph.addEdge("Ada", "Grace"); graph.addEdge("Grace", "Mara"); new Sigma(graph, box);</script>`,
  },
  "antv-g6": {
    beside: { "@antv/g6@5.1.1": { "g6.js": "dist/g6.min.js" } },
    body: `<div id="box" style="height:400px"></div><script src="g6.js"></script><script>
new G6.Graph({ container: "box", animation: false, data: { nodes: ["one", "two", "three"].map((id) => ({ id })), edges: [{ source: "one", target: "two" }, { source: "two", target: "three" }] }, layout: { type: "circular" }, node: { style: { labelText: (node) => node.id } } }).render();</script>`,
  },
  leaflet: {
    beside: { "leaflet@1.9.4": { "leaflet/": "dist" } },
    head: '<link rel="stylesheet" href="leaflet/leaflet.css">',
    body: `<div id="map" style="height:400px"></div><script src="leaflet/leaflet.js"></script><script>
const map = L.map("map", { zoomAnimation: false, fadeAnimation: false }).setView([51.5, -0.09], 13); L.marker([51.5, -0.09]).addTo(map).bindPopup("The office"); L.circle([51.508, -0.11], { radius: 500 }).addTo(map);</script>`,
    click: ".leaflet-marker-icon",
    isLight: true,
  },
  "three-module": {
    beside: {
      "three@0.187.0": {
        "lib/three.module.js": "build/three.module.js",
        "lib/three.core.js": "build/three.core.js",
        "lib/OrbitControls.js": "examples/jsm/controls/OrbitControls.js",
      },
    },
    head: `<script type="importmap">{ "imports": { "three": "./lib/three.module.js" } }</script>`,
    body: `<p>A cube</p><script type="module">
import * as THREE from "three"; import { OrbitControls } from "./lib/OrbitControls.js";
const renderer = new THREE.WebGLRenderer(); renderer.setSize(300, 300); document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(60, 1, 0.1, 10); camera.position.set(1, 1, 2); new OrbitControls(camera, renderer.domElement); camera.lookAt(0, 0, 0);
scene.add(new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshNormalMaterial())); renderer.render(scene, camera);</script>`,
  },
  tabulator: {
    beside: {
      "tabulator-tables@6.5.3": {
        "tabulator.js": "dist/js/tabulator.min.js",
        "tabulator.css": "dist/css/tabulator.min.css",
      },
    },
    head: '<link rel="stylesheet" href="tabulator.css">',
    body: `<div id="table"></div><script src="tabulator.js"></script><script>${inputs}
new Tabulator("#table", { data: months.map((month, id) => ({ id, month, count: counts[id] })), persistence: true, persistenceID: "months", layout: "fitColumns", columns: [{ title: "Month", field: "month" }, { title: "Builds", field: "count", sorter: "number" }] });</script>`,
    click: ".tabulator-col[tabulator-field=count]",
    isLight: true,
  },
  "ag-grid": {
    beside: { "ag-grid-community@36.2.0": { "ag-grid.js": "dist/ag-grid-community.min.js" } },
    body: `<div id="grid" style="height:300px"></div><script src="ag-grid.js"></script><script>${inputs}
agGrid.createGrid(grid, { animateRows: false, rowData: months.map((month, at) => ({ month, count: counts[at] })), columnDefs: [{ field: "month", filter: true }, { field: "count" }] });</script>`,
    click: ".ag-header-cell-text",
  },
  gridjs: {
    beside: {
      "gridjs@6.2.0": { "gridjs.js": "dist/gridjs.umd.js", "mermaid.css": "dist/theme/mermaid.min.css" },
    },
    head: '<link rel="stylesheet" href="mermaid.css">',
    body: `<div id="box"></div><script src="gridjs.js"></script><script>${inputs}
new gridjs.Grid({ columns: ["Month", "Builds"], data: months.map((month, at) => [month, counts[at]]), sort: true, search: true, pagination: { limit: 4 } }).render(box);</script>`,
    click: ".gridjs-pages button:has-text('2')",
  },
  "frappe-gantt": {
    beside: {
      "frappe-gantt@1.2.2": { "gantt.js": "dist/frappe-gantt.umd.js", "gantt.css": "dist/frappe-gantt.css" },
    },
    head: '<link rel="stylesheet" href="gantt.css">',
    body: `<svg id="gantt"></svg><script src="gantt.js"></script><script>
new Gantt("#gantt", [{ id: "a", name: "Write", start: "2026-01-01", end: "2026-01-08", progress: 60 }, { id: "b", name: "Test", start: "2026-01-09", end: "2026-01-20", progress: 0, dependencies: "a" }], { scroll_to: "start" });</script>`,
  },
});
