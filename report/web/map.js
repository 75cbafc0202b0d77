// A small picture of the graphs beside them, with a frame around what is in view of each.
const map = $("map"), picture = map.querySelector("canvas");
const starts = boxes.map((_, i) => boxes.slice(0, i).reduce((sum, box) => sum + box.width, 0));
const total = boxes.reduce((sum, box) => sum + box.width, 0);
const places = svgs.flatMap((svg, i) => [...svg.querySelectorAll(".n, .unfold")].map((node) => {
  const { e, f } = node.transform.baseVal.consolidate().matrix, rect = node.querySelector(".box");
  return [node, starts[i] + e, f, rect.width.baseVal.value, rect.height.baseVal.value];
}));
const frames = panes.map(() => map.appendChild(make("div", "", "frame")));
const mapScale = () => [
  map.clientWidth / total, Math.min(map.clientHeight / boxes[0].height, map.clientWidth / total),
];
const drawFrame = () => {
  const [x, y] = mapScale();
  frames.forEach((frame, i) => {
    frame.style.left = `${(starts[i] + panes[i].scrollLeft / scale) * x}px`;
    frame.style.top = `${(panes[i].scrollTop / scale) * y}px`;
    frame.style.width = `${Math.min(panes[i].clientWidth / scale, boxes[i].width) * x}px`;
    frame.style.height = `${Math.min(panes[i].clientHeight / scale, boxes[i].height) * y}px`;
  });
};
const drawMap = () => {
  map.hidden = svgs.every((svg, i) =>
    svg.clientHeight <= panes[i].clientHeight && svg.clientWidth <= panes[i].clientWidth);
  if (map.hidden || !map.clientWidth) return;
  const [x, y] = mapScale(), colours = new Map();
  picture.width = map.clientWidth * devicePixelRatio;
  picture.height = map.clientHeight * devicePixelRatio;
  const pen = picture.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  for (const [node, left, top, width, height] of places) {
    const part = node.closest(".part"), again = node.matches(".unfold");
    if (part.classList.contains("folded") !== again) continue;
    const marked = node.matches(".on, .hit"), up = part.transform.baseVal[0].matrix.f;
    const heat = node.style.getPropertyValue("--v"), family = heat || node.classList[1];
    const colour = again ? ".under" : heat ? ".box" : view.matches(".heated") ? ".wire" : ".side";
    if (colour === ".wire") colours.set(family, getComputedStyle(node.querySelector(".box")).stroke);
    if (!colours.has(family)) colours.set(family, getComputedStyle(node.querySelector(colour)).fill);
    pen.fillStyle = marked ? getComputedStyle(node.querySelector(".box")).stroke : colours.get(family);
    pen.fillRect(left * x, (top + up) * y, width * x, Math.max(height * y, marked ? 3 : 1));
  }
  drawFrame();
};
view.addEventListener("moved", drawFrame);
for (const [what, when] of [[view, "zoomed"], [document, "themed"], [document, "marked"], [window, "resize"]])
  what.addEventListener(when, drawMap);
const point = (event) => {
  const edge = map.getBoundingClientRect(), [x, y] = mapScale();
  const across = (event.clientX - edge.left) / x;
  const i = starts.findLastIndex((start) => start <= across), pane = panes[Math.max(i, 0)];
  pane.scrollLeft = (across - starts[Math.max(i, 0)]) * scale - pane.clientWidth / 2;
  level(((event.clientY - edge.top) / y) * scale - pane.clientHeight / 2);
};
map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); point(event); });
map.addEventListener("pointermove", (event) => { if (event.buttons) point(event); });
drawMap();
