// The graph, or both graphs side by side: zoom changes their size, the browser scrolls them.
const view = $("view"), panes = [...view.querySelectorAll(".pane")];
const svgs = panes.map((pane) => pane.querySelector("svg"));
const boxes = svgs.map((svg) => svg.viewBox.baseVal);
const nodes = [...view.querySelectorAll(".n")];
const paneOf = (node) => node.closest(".pane");
let scale = 1;
// All panes have one scale, and scroll together downwards.
let wanted = 0;
const level = (top) => { wanted = top; for (const pane of panes) pane.scrollTop = top; };
// The point (x, y) of a pane stays where it is; in other panes, and by default, the middle.
const zoom = (to, { pane = panes[0], x = null, y = pane.clientHeight / 2 } = {}) => {
  to = Math.min(Math.max(to, 0.02), 4);
  const ratio = to / scale, top = (pane.scrollTop + y) * ratio - y;
  scale = to;
  panes.forEach((each, i) => {
    const at = each === pane && x !== null ? x : each.clientWidth / 2;
    const left = (each.scrollLeft + at) * ratio - at;
    svgs[i].setAttribute("width", boxes[i].width * scale);
    svgs[i].setAttribute("height", boxes[i].height * scale);
    each.classList.toggle("fits", boxes[i].width * scale <= each.clientWidth);
    each.scrollLeft = left;
  });
  level(top);
  view.dispatchEvent(new Event("zoomed"));
};
const fit = () => Math.min(1, ...panes.map((pane, i) => (pane.clientWidth - 4) / boxes[i].width));
const zooms = {
  in: () => zoom(scale * 1.25),
  out: () => zoom(scale / 1.25),
  one: () => zoom(1),
  fit: () => zoom(fit()),
  all: () => zoom(Math.min(fit(), (panes[0].clientHeight - 4) / boxes[0].height)),
};
for (const button of document.querySelectorAll("[data-zoom]"))
  button.addEventListener("click", () => zooms[button.dataset.zoom]());

// What comes again may be folded: what stands below it moves up.
// The graphs have the same parts, which fold together.
const parts = svgs.map((svg) => [...svg.querySelectorAll(".part")]);
const repeats = parts[0].flatMap((part, i) => (part.dataset.by ? [i] : []));
const height = boxes[0].height, folding = $("fold");
const fold = (which, folded) => {
  let up = 0;
  parts.forEach((own, side) => {
    for (const i of which) own[i].classList.toggle("folded", folded);
    up = 0;
    for (const part of own) {
      part.setAttribute("transform", `translate(0 ${-up})`);
      if (part.classList.contains("folded")) up += Number(part.dataset.by);
    }
    boxes[side].height = height - up;
  });
  folding.textContent = up ? "Unfold" : "Fold";
  zoom(scale, { x: 0, y: 0 });
};
const unfoldPart = (part) => fold([[...part.parentElement.children].indexOf(part)], false);
folding.hidden = !repeats.length;
folding.addEventListener("click", () => fold(repeats, folding.textContent === "Fold"));
const unfold = (again) => {
  const part = again.closest(".part");
  unfoldPart(part);
  part.querySelector(".n").focus({ preventScroll: true });
};
fold(repeats, nodes.length > 100);

view.classList.add("live");
// Scrolls a pane sideways, so that a node is in the middle.
const sideways = (node) => {
  const pane = paneOf(node), edge = pane.getBoundingClientRect(), at = node.getBoundingClientRect();
  pane.scrollLeft += at.left + at.width / 2 - edge.left - pane.clientWidth / 2;
};
// All graphs begin in view, each with its first node in the middle of its pane.
zoom(Math.max(fit(), 0.68), { x: 0, y: 0 });
level(0);
for (const svg of svgs) {
  const first = svg.querySelector(".n");
  if (first) sideways(first);
}
for (const pane of panes) {
  pane.addEventListener("scroll", () => {
    // A pane with a scrollbar below the graph goes further than one without.
    const end = Math.min(Math.max(wanted, 0), pane.scrollHeight - pane.clientHeight);
    if (Math.abs(pane.scrollTop - end) > 1.5) level(pane.scrollTop);
    view.dispatchEvent(new Event("moved"));
  });
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const edge = pane.getBoundingClientRect(), x = event.clientX - edge.left, y = event.clientY - edge.top;
    zoom(scale * Math.exp(-event.deltaY / 400), { pane, x, y });
  }, { passive: false });
}
view.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const again = event.target.closest(".unfold");
  if (again && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); unfold(again); return; }
  const action = { "+": zooms.in, "=": zooms.in, "-": zooms.out, 0: zooms.one, f: zooms.fit }[event.key];
  if (action) { event.preventDefault(); action(); return; }
  const next = { ArrowDown: 1, ArrowUp: -1 }[event.key], here = event.target.closest(".n");
  if (!next || !here) return;
  event.preventDefault();
  const seen = nodes.filter((node) => paneOf(node) === paneOf(here) && !node.closest(".folded"));
  const node = seen[seen.indexOf(here) + next];
  if (node) { go(node); node.focus({ preventScroll: true }); }
});
let grip = null, moved = false;
view.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || event.pointerType === "touch") return;
  const pane = event.target.closest(".pane");
  moved = false;
  grip = pane && [event.clientX, event.clientY, pane.scrollLeft, pane.scrollTop, pane];
});
addEventListener("pointermove", (event) => {
  if (!grip) return;
  const dx = event.clientX - grip[0], dy = event.clientY - grip[1];
  if (!moved && Math.abs(dx) + Math.abs(dy) < 5) return;
  moved = true;
  view.classList.add("drag");
  grip[4].scrollLeft = grip[2] - dx;
  grip[4].scrollTop = grip[3] - dy;
});
addEventListener("pointerup", () => { grip = null; view.classList.remove("drag"); });
view.addEventListener("dragstart", (event) => event.preventDefault());

// Brings a node into the middle, out of what is folded if need be, and its partner beside it.
const centre = (node) => {
  const folded = node.closest(".folded");
  if (folded) unfoldPart(folded);
  const pane = paneOf(node), edge = pane.getBoundingClientRect(), at = node.getBoundingClientRect();
  level(pane.scrollTop + at.top + Math.min(at.height, 60) / 2 - edge.top - pane.clientHeight / 2);
  for (const id of lineOf.get(node.id).dataset.nodes.split(" "))
    if ($(id) && id !== node.id) sideways($(id));
  sideways(node);
};
