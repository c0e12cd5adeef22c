
"use strict";
(function () {
  var form = document.querySelector(".tools");
  var output = form.querySelector("output");
  var texts = new Map();
  var items = null;

  function textOf(item) {
    if (!texts.has(item)) { texts.set(item, item.textContent.toLowerCase()); }
    return texts.get(item);
  }

  function filter() {
    items = items || Array.from(document.querySelectorAll(".item"));
    var keys = new Set(Array.from(form.querySelectorAll("input:checked"), function (box) { return box.value; }));
    var words = form.elements.words.value.trim().toLowerCase();
    var shown = 0;
    var all = 0;
    items.forEach(function (item) {
      var weight = Number(item.dataset.weight);
      item.hidden = !keys.has(item.dataset.key) || (words !== "" && !textOf(item).includes(words));
      all += weight;
      shown += item.hidden ? 0 : weight;
    });
    document.querySelectorAll(".unit, .folded").forEach(function (unit) {
      if (unit.matches(".folded") && words !== "") { unit.open = true; }
      unit.hidden = unit.querySelector(".item:not([hidden])") === null && unit.querySelector(".item") !== null;
    });
    output.textContent = shown + " of " + all + " shown";
  }

  function unfold(isOpen) {
    document.querySelectorAll(".unit, .folded, details.item").forEach(function (part) { part.open = isOpen || part.matches(".unit"); });
  }

  function copied(button) {
    button.textContent = "Copied";
    setTimeout(function () { button.textContent = "Copy"; }, 2000);
  }

  function copy(button) {
    var lines = button.closest(".fix").querySelector("pre");
    navigator.clipboard.writeText(lines.textContent.trimEnd()).then(function () { copied(button); }, function () {
      getSelection().selectAllChildren(lines);
      button.textContent = "Selected";
    });
  }

  form.hidden = document.querySelector(".item") === null;
  form.addEventListener("input", filter);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (button === null) { return; }
    if (button.matches(".copy")) { copy(button); } else { unfold(button.dataset.open === "true"); }
  });
})();
