// Draws a dashboard as its file says: rows and panels where they are, each with what Prometheus answers to its queries
// between two moments. Knows what our dashboards use of Grafana's format, and throws at anything else.
import uPlot from "/uPlot.esm.js";

const COLOURS = ["#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#705da0", "#37872d", "#fade2a"];
const NAMED = { green: "#73bf69", orange: "#ff9830", red: "#f2495c" };
const CELL_HEIGHT = 38;
const COLUMNS = 24;

const asked = new URLSearchParams(location.search);
const [start, end] = [Number(asked.get("start")), Number(asked.get("end"))];
const main = document.querySelector("main");

const expanded = (query) => query
  .replaceAll("$__rate_interval", "20s")
  .replaceAll("$__range", `${end - start}s`)
  .replaceAll(/\$\{?[a-z]+\}?/g, ".*");

async function answer(path, parameters) {
  const response = await fetch(`/api/v1/${path}?${new URLSearchParams(parameters)}`);
  const body = await response.json();
  if (body.status !== "success") {
    throw new Error(`${parameters.query}: ${body.error}`);
  }
  return body.data.result;
}

const overTime = (target) => answer("query_range", { query: expanded(target.expr), start, end, step: 1 });
const atTheEnd = (target) => answer("query", { query: expanded(target.expr), time: end });

const rounded = (value) => String(Number(value.toPrecision(3)));

function scaled(value, factor, names) {
  let at = 0;
  while (Math.abs(value) >= factor && at < names.length - 1) {
    value /= factor;
    at++;
  }
  return `${rounded(value)}${names[at]}`;
}

const UNITS = {
  short: (value) => scaled(value, 1000, ["", " K", " Mil", " Bil"]),
  s: (value) => Math.abs(value) >= 60 ? `${rounded(value / 60)} min` : Math.abs(value) < 1 ? `${rounded(value * 1000)} ms` : `${rounded(value)} s`,
  percentunit: (value) => `${rounded(value * 100)}%`,
  bytes: (value) => scaled(value, 1024, [" B", " KiB", " MiB", " GiB"]),
  dB: (value) => `${rounded(value)} dB`,
  dBm: (value) => `${rounded(value)} dBm`,
  celsius: (value) => `${rounded(value)} °C`,
  watt: (value) => `${rounded(value)} W`,
  sci: (value) => value.toExponential(1),
};

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function formatOf(panel) {
  const unit = panel.fieldConfig.defaults.unit;
  const format = UNITS[unit];
  if (!format) {
    throw new Error(`${panel.title} has the unit ${unit}`);
  }
  return format;
}

const nameOf = (target, labels) => target.legendFormat
  ? target.legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? "")
  : JSON.stringify(labels);

async function timeseries(panel, box) {
  const format = formatOf(panel);
  const times = Array.from({ length: end - start + 1 }, (_, at) => start + at);
  const lines = [];
  for (const target of panel.targets) {
    for (const row of await overTime(target)) {
      const values = new Map(row.values.map(([at, value]) => [at, Number(value)]));
      const drawn = times.map((at) => Number.isFinite(values.get(at)) ? values.get(at) : null);
      if (drawn.some((value) => value !== null)) {
        lines.push({ name: nameOf(target, row.metric), drawn });
      }
    }
  }
  if (lines.length === 0) {
    element("p", "No data", box).className = "empty";
    return;
  }
  const limits = panel.fieldConfig.defaults.custom?.thresholdsStyle?.mode === "line"
    ? panel.fieldConfig.defaults.thresholds.steps.filter((step) => step.value !== null) : [];
  const axis = { stroke: "#8e8e99", grid: { stroke: "#2a2d33", width: 1 }, font: "10px sans-serif" };
  const colours = lines.map((_, at) => COLOURS[at % COLOURS.length]);
  new uPlot({
    width: box.clientWidth - 16,
    height: box.clientHeight - 70,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, low, high) => uPlot.rangeNum(Math.min(0, low), high > Math.min(0, low) ? high : 1, 0.1, true) } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((at) => new Date(at * 1000).toISOString().slice(11, 19)) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(format) },
    ],
    hooks: {
      draw: [(plot) => limits.forEach((limit) => {
        const y = plot.valToPos(limit.value, "y", true);
        if (y >= plot.bbox.top) {
          plot.ctx.fillStyle = NAMED[limit.color];
          plot.ctx.fillRect(plot.bbox.left, y, plot.bbox.width, 1);
        }
      })],
    },
    series: [{}, ...lines.map((line, at) => ({ label: line.name, stroke: colours[at], width: 2, points: { show: false } }))],
  }, [times, ...lines.map((line) => line.drawn)], box);
  const legend = element("ul", "", box);
  lines.forEach((line, at) => element("li", line.name, legend).style.setProperty("--colour", colours[at]));
}

async function stat(panel, box) {
  const format = formatOf(panel);
  const rows = await overTime(panel.targets[0]);
  const values = rows.flatMap((row) => row.values.slice(-1)).map(([, value]) => Number(value)).filter(Number.isFinite);
  if (values.length === 0) {
    element("p", "No data", box).className = "empty";
    return;
  }
  const value = values.at(-1);
  const shown = element("p", format(value), box);
  shown.className = "value";
  shown.dataset.value = value;
  const step = panel.fieldConfig.defaults.thresholds?.steps.findLast((each) => each.value === null || value >= each.value);
  shown.style.color = NAMED[step?.color ?? "green"];
}

/** Rows with the same labels are one; the last column of each query is its value. */
async function table(panel, box) {
  const [merge, organize, ...more] = panel.transformations;
  if (merge.id !== "merge" || organize.id !== "organize" || more.length > 0) {
    throw new Error(`${panel.title} is transformed in another way`);
  }
  const format = formatOf(panel);
  const rows = new Map();
  const fields = new Set();
  for (const target of panel.targets) {
    for (const row of await atTheEnd(target)) {
      const key = JSON.stringify(Object.entries(row.metric).sort());
      const merged = rows.get(key) ?? { ...row.metric };
      const value = Number(row.value[1]);
      merged[panel.targets.length > 1 ? `Value #${target.refId}` : "Value"] = Number.isFinite(value) ? format(value) : "";
      rows.set(key, merged);
      Object.keys(merged).forEach((field) => fields.add(field));
    }
  }
  if (rows.size === 0) {
    element("p", "No data", box).className = "empty";
    return;
  }
  const { excludeByName, indexByName, renameByName } = organize.options;
  const shown = [...fields].filter((field) => !excludeByName[field])
    .sort((one, other) => (indexByName[one] ?? 99) - (indexByName[other] ?? 99));
  const made = element("table", "", box);
  const head = element("tr", "", made);
  shown.forEach((field) => element("th", renameByName[field] ?? field, head));
  for (const row of rows.values()) {
    const line = element("tr", "", made);
    shown.forEach((field) => element("td", row[field] ?? "", line));
  }
}

const KINDS = { timeseries, stat, table, row: async () => {} };

const dashboard = await (await fetch(`/dashboards/${asked.get("dashboard")}`)).json();
document.title = dashboard.title;
for (const panel of dashboard.panels) {
  const box = element("section", "", main);
  box.className = panel.type;
  box.dataset.panel = panel.title;
  const { x, y, w, h } = panel.gridPos;
  Object.assign(box.style, {
    left: `${x * 100 / COLUMNS}%`, width: `calc(${w * 100 / COLUMNS}% - 6px)`,
    top: `${y * CELL_HEIGHT}px`, height: `${h * CELL_HEIGHT - 6}px`,
  });
  element("h2", panel.title, box);
  await KINDS[panel.type](panel, box);
}
main.style.height = `${CELL_HEIGHT * Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.y + gridPos.h))}px`;
document.body.dataset.drawn = "yes";
