// Sends keys that are pressed outside of fields. Enter and space on a focused button or link only activate it. A switch
// takes the space bar only, so that Enter goes on with the game after a switch was clicked.
export default {
  mounted() {
    const elementOf = (event) => (event.target instanceof Element ? event.target : document.body);
    const isEnterOnSwitch = (event) => event.key === "Enter" && elementOf(event).closest("[role=switch]");
    this.listener = (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      const target = elementOf(event);
      if (target.closest("input, textarea, select, [contenteditable=true], [role=menu], [role=dialog]")) return;
      if (isEnterOnSwitch(event)) event.stopPropagation();
      const presses = event.key === "Enter" || event.key === " ";
      const takesBoth = target.closest("button, a, summary, [role=button], [role=combobox]");
      if (presses && (takesBoth || (event.key === " " && target.closest("[role=switch]")))) return;
      if (event.key === " " || event.key.startsWith("Arrow")) event.preventDefault();
      this.$emit("press", event.key.length === 1 ? event.key.toLowerCase() : event.key);
    };
    // Quasar's switches act on the release of a key.
    this.release = (event) => {
      if (isEnterOnSwitch(event)) event.stopPropagation();
    };
    // A click on a button of a table does not take the focus, and takes it from a field, so that the keys keep working.
    this.hold = (event) => {
      if (!elementOf(event).closest(".table-page button, .table-page [role=switch]")) return;
      event.preventDefault();
      if (document.activeElement?.matches("input, textarea, select, [role=combobox]")) document.activeElement.blur();
    };
    document.addEventListener("mousedown", this.hold, true);
    document.addEventListener("keydown", this.listener, true);
    document.addEventListener("keyup", this.release, true);
  },
  unmounted() {
    document.removeEventListener("mousedown", this.hold, true);
    document.removeEventListener("keydown", this.listener, true);
    document.removeEventListener("keyup", this.release, true);
  },
  template: "<span hidden></span>",
};
