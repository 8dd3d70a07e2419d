// Shows HTML from the server. A new version is merged into the old one, so that focus, images and live regions stay.

function isSame(old, fresh) {
  return old.nodeName === fresh.nodeName && old.dataset?.testid === fresh.dataset?.testid;
}

function patch(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  patchInside(old, fresh);
}

function patchInside(old, fresh) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  for (const extra of before.slice(after.length)) extra.remove();
  after.forEach((node, place) => {
    const there = before[place];
    if (!there) old.append(node);
    else if (!isSame(there, node)) {
      // A card that was face down turns over; any other new card is dealt.
      if (there.dataset?.testid === "card-back" && node.matches?.(".playing-card")) node.classList.add("turned");
      there.replaceWith(node);
    }
    else if (node.nodeType === Node.ELEMENT_NODE) patch(there, node);
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  });
}

export default {
  props: { html: String, version: Number },
  template: '<div class="drawing" @pointerdown="press" @mousedown="keepFocus" @keydown="ignoreRepeats" @click="choose"></div>',
  mounted() {
    this.$el.innerHTML = this.html;
  },
  watch: {
    html(text) {
      const sheet = document.createElement("template");
      sheet.innerHTML = text;
      patchInside(this.$el, sheet.content);
    },
  },
  methods: {
    press() {
      this.pressed = this.version;
    },
    ignoreRepeats(event) {
      // Holding a key down on a button is one choice.
      if (event.repeat && event.target.closest("[data-click]")) event.preventDefault();
    },
    keepFocus(event) {
      // A click leaves the focus where it is, so that the page's keys keep working.
      if (event.target.closest("[data-click]")) event.preventDefault();
    },
    choose(event) {
      const target = event.target.closest("[data-click]");
      if (!target) return;
      // The drawing may have changed between press and release; this cannot happen with a keyboard.
      if (event.detail && this.pressed !== this.version) return;
      this.$emit("choose", { place: Number(target.dataset.click), version: this.version });
    },
  },
};
