// The graph: zoom changes its size, the browser scrolls it.
const view = $("view"), svg = $("graph"), box = svg.viewBox.baseVal;
const nodes = [...svg.querySelectorAll(".n")];
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
  view.dispatchEvent(new Event("zoomed"));
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

// What comes again may be folded: what stands below it moves up.
const parts = [...svg.querySelectorAll(".part")], repeats = parts.filter((part) => part.dataset.by);
const height = box.height, folding = $("fold");
const fold = (which, folded) => {
  for (const part of which) part.classList.toggle("folded", folded);
  let up = 0;
  for (const part of parts) {
    part.setAttribute("transform", `translate(0 ${-up})`);
    if (part.classList.contains("folded")) up += Number(part.dataset.by);
  }
  box.height = height - up;
  folding.textContent = up ? "Unfold" : "Fold";
  zoom(scale, 0, 0);
};
folding.hidden = !repeats.length;
folding.addEventListener("click", () => fold(repeats, folding.textContent === "Fold"));
const unfold = (again) => {
  const part = again.closest(".part");
  fold([part], false);
  part.querySelector(".n").focus({ preventScroll: true });
};
fold(repeats, nodes.length > 100);

view.classList.add("live");
zoom(Math.max(fit(), 0.68), 0, 0);
view.scrollTop = 0;
if (nodes.length && box.width * scale > view.clientWidth) {
  const first = nodes[0].getBoundingClientRect();
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
  const again = event.target.closest(".unfold");
  if (again && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); unfold(again); return; }
  const action = { "+": zooms.in, "=": zooms.in, "-": zooms.out, 0: zooms.one, f: zooms.fit }[event.key];
  if (action) { event.preventDefault(); action(); return; }
  const next = { ArrowDown: 1, ArrowUp: -1 }[event.key], here = event.target.closest(".n");
  if (!next || !here) return;
  event.preventDefault();
  const seen = nodes.filter((node) => !node.closest(".folded"));
  const node = seen[seen.indexOf(here) + next];
  if (node) { go(node); node.focus({ preventScroll: true }); }
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

// Brings a node into the middle, out of what is folded if need be.
const centre = (node) => {
  const folded = node.closest(".folded");
  if (folded) fold([folded], false);
  const edge = view.getBoundingClientRect(), at = node.getBoundingClientRect();
  view.scrollLeft += at.left + at.width / 2 - edge.left - view.clientWidth / 2;
  view.scrollTop += at.top + Math.min(at.height, 60) / 2 - edge.top - view.clientHeight / 2;
};
