// Search: lines that do not match go, nodes that do are marked, and the first of them is in view:
// the page scrolls to the graph, unless its line of the table is in the window already.
const search = $("search");
const nodeOf = new Map(nodes.map((node) => [lineOf.get(node.id), node]).reverse());
let hits = [], hit = 0;
const say = () => {
  const at = hits.length ? `${hit + 1} of ${hits.length}` : "nothing found";
  $("hit").textContent = search.value.trim() ? at : "";
};
const visit = (to, select) => {
  hit = (to + hits.length) % hits.length;
  const node = nodeOf.get(hits[hit]);
  if (scale < 0.5) zoom(0.7);
  centre(node);
  if (select) show(node.id); else mark(hits[hit]);
  const scroller = table.parentElement; // within the table: the graph would go out of view
  scroller.scrollTop = hits[hit].offsetTop - scroller.clientHeight / 2;
  const seen = (element) => {
    const at = element.getBoundingClientRect();
    return at.top >= search.getBoundingClientRect().bottom && at.bottom <= innerHeight;
  };
  if (select || (!seen(node) && !seen(hits[hit]))) view.scrollIntoView({ block: "nearest" });
  say();
};
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const old of view.querySelectorAll(".hit")) old.classList.remove("hit");
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const own = rows.filter((row) => has(`${row.textContent} ${row.dataset.makes}`));
  const found = new Set(own);
  // What only reads a blob of such a name comes last.
  for (const row of rows)
    if (has(`${row.textContent} ${row.dataset.reads} ${row.dataset.makes}`)) found.add(row);
  for (const row of rows) row.hidden = !found.has(row);
  hits = [...found];
  const all = `${rows.length} layers`;
  $("shown").textContent = hits.length === rows.length ? all : `${hits.length} of ${all}`;
  hide();
  unmark();
  hits = words.length ? hits.filter((row) => nodeOf.has(row)) : []; // Splits are not drawn
  for (const row of hits)
    for (const id of row.dataset.nodes.split(" ")) $(id)?.classList.add("hit");
  if (hits.length) visit(0, false);
  say();
  document.dispatchEvent(new Event("marked"));
});
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !hits.length) return;
  event.preventDefault();
  visit(hit + (event.shiftKey ? -1 : 1), true);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});
