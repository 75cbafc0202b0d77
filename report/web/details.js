// Nodes and lines of the table belong together; one layer at a time is selected.
const table = $("layers"), body = table.tBodies[0], rows = [...body.rows], detail = $("detail");
const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
const weights = JSON.parse($("weights").textContent);
const lineOf = new Map();
for (const row of rows)
  for (const id of row.dataset.nodes.split(" ")) if (!lineOf.has(id)) lineOf.set(id, row);
for (const node of nodes) {
  lineOf.set(node.id, $(node.getAttribute("href").slice(1)));
  node.tabIndex = -1;
}
if (nodes.length) nodes[0].tabIndex = 0;

const digits = (number) => String(Number(number.toPrecision(4)));
const bars = (counts) => {
  const name = "http://www.w3.org/2000/svg", drawn = document.createElementNS(name, "svg");
  drawn.setAttribute("viewBox", `0 0 ${counts.length} 1`);
  drawn.setAttribute("preserveAspectRatio", "none");
  const most = Math.max(...counts);
  counts.forEach((count, i) => {
    const bar = document.createElementNS(name, "rect"), tall = count / most;
    const place = { x: i, y: 1 - tall, width: counts.length > 1 ? 0.9 : 1, height: tall };
    for (const [key, value] of Object.entries(place)) bar.setAttribute(key, value);
    drawn.append(bar);
  });
  return drawn;
};
const describe = ({ of, name, storage, shape, count, values }) => {
  const figure = make("figure", "", "weight"), caption = make("figcaption");
  caption.append(make("b", of ? `${name}, ${of}` : name), make("span", `${shape} ${storage}`, "muted"));
  figure.append(caption);
  if (!values) { figure.append(make("p", "no values were read", "muted")); return figure; }
  if (values.bins.length) {
    const ends = make("p", "", "ends");
    ends.append(make("span", digits(values.lowest)), make("span", digits(values.highest)));
    figure.append(bars(values.bins), ends);
  }
  const of_all = values.looked_at < count ? ` of ${values.looked_at.toLocaleString("en")} looked at` : "";
  const said = [`mean ${digits(values.mean)}`, `deviation ${digits(values.deviation)}`];
  said.push(`${values.zeros.toLocaleString("en")} zeros${of_all}`);
  if (values.not_finite) said.push(`${values.not_finite.toLocaleString("en")} not finite`);
  const more = count > values.first.length ? " …" : "";
  figure.append(make("p", said.join(", ")), make("code", values.first.join(" ") + more));
  return figure;
};

const address = (id) => {
  if (location.protocol === "about:") return; // a page within a page has no address
  history.replaceState(null, "", id ? `#${id}` : location.pathname + location.search);
};
const unmark = () => { for (const old of document.querySelectorAll(".on")) old.classList.remove("on"); };
const mark = (row) => {
  unmark();
  row.classList.add("on");
  for (const id of row.dataset.nodes.split(" ")) $(id)?.classList.add("on");
  document.dispatchEvent(new Event("marked"));
};
const hide = () => {
  if (detail.hidden) return;
  detail.hidden = true;
  unmark();
  address("");
  document.dispatchEvent(new Event("marked"));
};
const show = (id) => {
  const row = lineOf.get(id), list = make("dl");
  mark(row);
  address(id);
  const add = (term, text) => { if (text) list.append(make("dt", term), make("dd", text)); };
  heads.forEach((head, i) => {
    const cell = row.cells[i];
    if (head === "#" || head === "name" || head === "share") return;
    const value = cell.dataset.v, text = cell.textContent;
    const exact = head !== "time" && value > 999 && !text.includes("→") ? ` (${Number(value).toLocaleString("en")})` : "";
    add(head, text + (text ? exact : ""));
  });
  add("parameters set", row.dataset.set);
  add("reads", row.dataset.reads);
  add("makes", row.dataset.makes);
  const link = make("a", "in the table"), close = make("button", "×");
  close.type = "button";
  close.setAttribute("aria-label", "close");
  close.addEventListener("click", hide);
  link.href = `#${row.id}`;
  const own = (weights[row.id] ?? []).map(describe);
  detail.replaceChildren(make("h3", row.querySelector("th").textContent), close, list, link, ...own);
  detail.hidden = false;
  // At the right, the left or in the middle: where it covers least of the nodes it is about.
  const edge = view.getBoundingClientRect(), width = detail.offsetWidth;
  const chosen = [...view.querySelectorAll(".on")].map((node) => node.getBoundingClientRect());
  const covered = (x) => chosen.reduce((sum, { left, right }) =>
    sum + Math.max(Math.min(right, edge.left + x + width) - Math.max(left, edge.left + x), 0), 0);
  const last = edge.width - width - 26;
  const best = [last, 12, last / 2].reduce((a, b) => (covered(b) < covered(a) ? b : a));
  detail.style.left = `${Math.max(best, 12)}px`;
};
const go = (node) => { centre(node); show(node.id); };

document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
view.addEventListener("click", (event) => {
  const again = event.target.closest(".unfold"), node = event.target.closest("a");
  if (again && !moved) unfold(again);
  if (!node) return;
  event.preventDefault();
  if (moved) return;
  if (node.classList.contains("n")) { show(node.id); return; }
  const other = $(node.getAttribute("href").slice(1));
  if (other) go(other);
});
const jump = (event) => {
  const link = event.target.closest('a[href^="#"]');
  const node = link && $(link.getAttribute("href").slice(1));
  if (!node?.classList.contains("n")) return;
  event.preventDefault();
  view.scrollIntoView({ block: "nearest" });
  if (scale < 0.5) zoom(0.7);
  go(node);
  node.focus({ preventScroll: true });
};
table.addEventListener("click", jump);
for (const strip of document.querySelectorAll(".strip")) strip.addEventListener("click", jump);

// The address names the layer that is selected.
const follow = () => {
  const node = $(decodeURIComponent(location.hash.slice(1)));
  if (!node?.classList.contains("n")) return;
  view.scrollIntoView({ block: "nearest" });
  go(node);
};
addEventListener("hashchange", follow);
addEventListener("load", () => setTimeout(follow)); // the browser goes there first, in its own way
