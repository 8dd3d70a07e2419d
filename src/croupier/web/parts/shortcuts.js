// Sends keys that are pressed outside of fields. Enter and space on a focused button or link only activate it.
export default {
  mounted() {
    this.listener = (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest("input, textarea, select, [contenteditable=true], [role=menu], [role=dialog]")) return;
      const presses = event.key === "Enter" || event.key === " ";
      if (presses && target.closest("button, a, summary")) return;
      if (event.key === " " || event.key.startsWith("Arrow")) event.preventDefault();
      this.$emit("press", event.key.length === 1 ? event.key.toLowerCase() : event.key);
    };
    document.addEventListener("keydown", this.listener);
  },
  unmounted() {
    document.removeEventListener("keydown", this.listener);
  },
  template: "<span hidden></span>",
};
