// The header of every page: its menus close by themselves, and it saves the visitor's language and theme.
const save = (wishes) =>
  fetch("/preferences", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wishes) });

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll(".top details[open]")) if (menu !== except) menu.open = false;
};

document.addEventListener("click", async (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  closeMenus(target.closest(".top details"));
  const language = target.closest("[data-language]");
  if (language) {
    await save({ language: language.dataset.language });
    location.reload();
  } else if (target.closest("[data-theme]")) {
    Quasar.Dark.toggle();
    await save({ dark: Quasar.Dark.isActive });
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector(".top details[open]");
  closeMenus();
  menu?.querySelector("summary").focus();
});

// NiceGUI's notices of a lost connection, in the visitor's language.
document.querySelectorAll(".nicegui-error-popup span").forEach((line, place) => (line.textContent = popupTexts[place] ?? line.textContent));

// An installed app says in its own words when the server cannot be reached.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js");
