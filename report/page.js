"use strict";
// Without this script the page is complete; it adds zoom, search, sorting and a panel of details.
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;

  const theme = $("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const name = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  theme.hidden = false;
  name();
  dark.addEventListener("change", name);
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });

  // The graph: zoom changes its size, the browser scrolls it.
  const view = $("view"), svg = $("graph"), box = svg.viewBox.baseVal;
  let scale = 1;
  const zoom = (to, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    to = Math.min(Math.max(to, 0.02), 4);
    const left = (view.scrollLeft + x) / scale, top = (view.scrollTop + y) / scale;
    scale = to;
    svg.setAttribute("width", box.width * scale);
    svg.setAttribute("height", box.height * scale);
    view.classList.toggle("fits", box.width * scale <= view.clientWidth);
    view.scrollLeft = left * scale - x;
    view.scrollTop = top * scale - y;
  };
  const fit = () => Math.min((view.clientWidth - 4) / box.width, 1);
  const zooms = {
    in: () => zoom(scale * 1.25),
    out: () => zoom(scale / 1.25),
    one: () => zoom(1),
    fit: () => zoom(fit()),
    all: () => zoom(Math.min(fit(), (view.clientHeight - 4) / box.height)),
  };
  for (const button of document.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", zooms[button.dataset.zoom]);
  view.classList.add("live");
  zoom(Math.max(fit(), 0.68), 0, 0);
  view.scrollTop = 0;
  if (box.width * scale > view.clientWidth) {
    const first = svg.querySelector(".n").getBoundingClientRect();
    const edge = view.getBoundingClientRect();
    view.scrollLeft += first.left + first.width / 2 - edge.left - view.clientWidth / 2;
  }
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const edge = view.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 400), event.clientX - edge.left, event.clientY - edge.top);
  }, { passive: false });
  view.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { "+": zooms.in, "=": zooms.in, "-": zooms.out, 0: zooms.one, f: zooms.fit }[event.key];
    if (action) { event.preventDefault(); action(); return; }
    const next = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!next || !event.target.closest(".n")) return;
    event.preventDefault();
    const nodes = [...svg.querySelectorAll(".n")];
    const node = nodes[nodes.indexOf(event.target.closest(".n")) + next];
    if (node) { node.focus({ preventScroll: true }); centre(node); show(node.id); }
  });
  let grip = null, moved = false;
  view.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    moved = false;
    grip = [event.clientX, event.clientY, view.scrollLeft, view.scrollTop];
  });
  addEventListener("pointermove", (event) => {
    if (!grip) return;
    const dx = event.clientX - grip[0], dy = event.clientY - grip[1];
    if (!moved && Math.abs(dx) + Math.abs(dy) < 5) return;
    moved = true;
    view.classList.add("drag");
    view.scrollLeft = grip[2] - dx;
    view.scrollTop = grip[3] - dy;
  });
  addEventListener("pointerup", () => { grip = null; view.classList.remove("drag"); });
  svg.addEventListener("dragstart", (event) => event.preventDefault());

  // Nodes and lines of the table belong together.
  const table = $("layers"), body = table.tBodies[0], rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const lineOf = new Map();
  for (const row of rows) for (const id of row.dataset.nodes.split(" ")) if (!lineOf.has(id)) lineOf.set(id, row);
  for (const node of svg.querySelectorAll(".n")) {
    const own = node.getAttribute("href").slice(1);
    lineOf.set(node.id, document.getElementById(own));
    node.tabIndex = -1;
  }
  const firstNode = svg.querySelector(".n");
  if (firstNode) firstNode.tabIndex = 0;
  const centre = (node) => {
    const edge = view.getBoundingClientRect(), at = node.getBoundingClientRect();
    view.scrollLeft += at.left + at.width / 2 - edge.left - view.clientWidth / 2;
    view.scrollTop += at.top + Math.min(at.height, 60) / 2 - edge.top - view.clientHeight / 2;
  };
  const hide = () => {
    $("detail").hidden = true;
    for (const old of document.querySelectorAll(".on")) old.classList.remove("on");
  };
  const show = (id) => {
    const row = lineOf.get(id);
    hide();
    row.classList.add("on");
    for (const each of row.dataset.nodes.split(" ")) $(each)?.classList.add("on");
    const detail = $("detail"), list = document.createElement("dl");
    const add = (term, text) => {
      if (!text) return;
      const dt = document.createElement("dt"), dd = document.createElement("dd");
      dt.textContent = term;
      dd.textContent = text;
      list.append(dt, dd);
    };
    heads.forEach((head, i) => {
      const cell = row.cells[i];
      if (head === "#" || head === "name" || head === "share") return;
      const value = cell.dataset.v, text = cell.textContent;
      const digits = value > 999 && !text.includes("→") ? ` (${Number(value).toLocaleString("en")})` : "";
      add(head, text + (text ? digits : ""));
    });
    add("parameters set", row.dataset.set);
    add("reads", row.dataset.reads);
    add("makes", row.dataset.makes);
    const title = document.createElement("h3"), link = document.createElement("a");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", "close");
    close.addEventListener("click", hide);
    title.textContent = row.querySelector("th").textContent;
    link.href = `#${row.id}`;
    link.textContent = "in the table";
    detail.replaceChildren(title, close, list, link);
    detail.hidden = false;
    // At the right, the left or in the middle: where it covers least of the nodes it is about.
    const edge = view.getBoundingClientRect(), width = detail.offsetWidth;
    const boxes = [...svg.querySelectorAll(".on")].map((node) => node.getBoundingClientRect());
    const covered = (x) => boxes.reduce((sum, { left, right }) =>
      sum + Math.max(Math.min(right, edge.left + x + width) - Math.max(left, edge.left + x), 0), 0);
    const last = edge.width - width - 26;
    const best = [last, 12, last / 2].reduce((a, b) => (covered(b) < covered(a) ? b : a));
    detail.style.left = `${Math.max(best, 12)}px`;
  };
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  svg.addEventListener("click", (event) => {
    const node = event.target.closest("a");
    if (!node) return;
    event.preventDefault();
    if (moved) return;
    if (node.classList.contains("n")) { show(node.id); return; }
    const other = $(node.getAttribute("href").slice(1));
    if (other) { centre(other); show(other.id); }
  });
  const jump = (event) => {
    const link = event.target.closest('a[href^="#"]');
    const node = link && $(link.getAttribute("href").slice(1));
    if (!node || !node.classList.contains("n")) return;
    event.preventDefault();
    view.scrollIntoView({ block: "nearest" });
    if (scale < 0.5) zoom(0.7);
    centre(node);
    show(node.id);
    node.focus({ preventScroll: true });
  };
  table.addEventListener("click", jump);
  for (const strip of document.querySelectorAll(".strip")) strip.addEventListener("click", jump);

  // The table: sorting and searching.
  const order = new Map(rows.map((row, i) => [row, i]));
  const cells = [...table.tHead.rows[0].cells];
  cells.forEach((cell, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const figures = rows.some((row) => row.cells[i].dataset.v !== undefined);
      const was = cell.getAttribute("aria-sort");
      const up = was ? was === "descending" : !figures || i === 0;
      for (const each of cells) each.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => (figures ? Number(row.cells[i].dataset.v) : row.cells[i].textContent);
      const compare = (a, b) => (figures ? a - b : a.localeCompare(b, "en", { numeric: true }));
      const sorted = [...rows].sort((a, b) => (up ? 1 : -1) * compare(key(a), key(b)) || order.get(a) - order.get(b));
      body.append(...sorted);
    });
  });
  const search = $("search");
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const old of svg.querySelectorAll(".hit")) old.classList.remove("hit");
    for (const row of rows) {
      const text = `${row.textContent} ${row.dataset.reads} ${row.dataset.makes}`.toLowerCase();
      const match = words.every((word) => text.includes(word));
      row.hidden = !match;
      shown += match;
      if (match && words.length)
        for (const id of row.dataset.nodes.split(" ")) $(id)?.classList.add("hit");
    }
    $("shown").textContent = shown === rows.length ? `${shown} layers` : `${shown} of ${rows.length} layers`;
  });

  // A link into the page from outside.
  const target = location.hash && $(location.hash.slice(1));
  if (target && target.classList.contains("n")) { centre(target); show(target.id); }
})();
