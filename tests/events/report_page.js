// BOXES
for (const each of document.querySelectorAll("details")) each.open = true;
[...document.querySelectorAll("body *")].flatMap(each => {
  const box = each.getBoundingClientRect(), words = each.textContent.slice(0, 40);
  if (!box.width || each.closest("svg svg") || each.closest(".stack thead")) return [];
  const cut = each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow != "visible";
  const out = box.left < -0.5 || box.right > innerWidth + 0.5;
  return out || cut ? [`${each.tagName} ${box.left} ${box.right} ${words}`] : [];
})

// LABELS
[...document.querySelectorAll("svg")].flatMap(chart => {
  const boxes = [...chart.querySelectorAll(":scope > text")].map(
    each => [each.getBoundingClientRect(), each.textContent]);
  return boxes.flatMap(([a, one], place) => boxes.slice(place + 1).flatMap(([b, other]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom ? [`${one} / ${other}`] : []));
})

// AXE
for (const each of [...document.querySelectorAll("details")].slice(0, 2)) each.open = true;
axe.run().then(done => ({
  wrong: done.violations.map(each => [each.id, each.nodes[0].html]), right: done.passes.length,
}))

// COLOURS
[...new Set([...document.querySelectorAll("body *:not(title, desc)")].flatMap(each => {
  const style = getComputedStyle(each), shape = ["rect", "path"].includes(each.tagName);
  let ground = each;
  while (ground && getComputedStyle(ground).backgroundColor == "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const letters = [...each.childNodes].some(part => part.nodeType == 3 && part.data.trim());
  const color = each.closest("svg") ? style.fill : style.color;
  return letters || shape ? [[shape, color, getComputedStyle(ground).backgroundColor].join("|")] : [];
}))]
