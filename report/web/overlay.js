// One figure of the layers as the colour of their nodes, with the figure in the corner.
const overlays = JSON.parse($("overlays").textContent), overlay = $("overlay");
const labels = nodes.map((node) => [node.querySelector(".t"), node.querySelector(".fate")]);
const texts = labels.map((pair) => pair.map((text) => text.textContent));
const shortened = (text, room) => (text.length > room ? `${text.slice(0, Math.max(room - 1, 3))}…` : text);
overlay.addEventListener("change", () => {
  const chosen = overlays[overlay.value];
  view.classList.toggle("heated", Boolean(chosen));
  nodes.forEach((node, i) => {
    const [strength, figure = ""] = chosen?.nodes[node.id] ?? [];
    const [[type, corner], [typeText, cornerText]] = [labels[i], texts[i]];
    node.classList.toggle("heat", strength !== undefined);
    if (strength === undefined) node.style.removeProperty("--v");
    else node.style.setProperty("--v", strength);
    corner.textContent = chosen ? figure : cornerText;
    // The type and the figure share a line of 194 pixels.
    type.textContent = chosen ? shortened(typeText, Math.floor((194 - 7.2 * figure.length) / 7.4)) : typeText;
  });
  $("heat").hidden = !chosen;
  $("low").textContent = chosen?.low ?? "";
  $("high").textContent = chosen?.high ?? "";
  document.dispatchEvent(new Event("marked"));
});
