// Sounds of a table, made here and off until somebody switches them on: cards rustle, chips click, a win rings.
const wish = "croupier-sound";
const isOn = () => localStorage.getItem(wish) === "on";
let audio = null;

const tone = (frequency, start, seconds, volume) => {
  const source = audio.createOscillator();
  const gain = audio.createGain();
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, audio.currentTime + start);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + start + seconds);
  source.connect(gain).connect(audio.destination);
  source.start(audio.currentTime + start);
  source.stop(audio.currentTime + start + seconds);
};

const rustle = (start) => {
  const size = Math.floor(audio.sampleRate * 0.07);
  const buffer = audio.createBuffer(1, size, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < size; place++) samples[place] = (Math.random() * 2 - 1) * (1 - place / size) ** 3 * 0.25;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.destination);
  source.start(audio.currentTime + start);
};

const play = ({ cards, chips, wins }) => {
  audio ??= new AudioContext();
  for (let card = 0; card < Math.min(cards, 6); card++) rustle(card * 0.09);
  if (chips) tone(1900, 0, 0.05, 0.12);
  if (wins) [660, 880].forEach((frequency, place) => tone(frequency, 0.15 + place * 0.12, 0.25, 0.1));
};

const count = (nodes, selector) =>
  nodes.reduce((sum, node) => sum + (node.matches(selector) ? 1 : 0) + node.querySelectorAll(selector).length, 0);

const show = () => {
  for (const button of document.querySelectorAll("[data-sound]")) button.setAttribute("aria-pressed", String(isOn()));
};

new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node instanceof Element);
  if (added.some((node) => node.matches("[data-sound]") || node.querySelector("[data-sound]"))) show();
  if (!isOn()) return;
  const onTable = added.filter((node) => node.closest(".table-felt, .durak-hand"));
  const heard = { cards: count(onTable, ".playing-card"), chips: count(onTable, ".chip"), wins: count(onTable, ".chip.won") };
  if (heard.cards || heard.chips) play(heard);
}).observe(document.documentElement, { childList: true, subtree: true });

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("[data-sound]")) return;
  localStorage.setItem(wish, isOn() ? "off" : "on");
  show();
  if (isOn()) play({ cards: 1, chips: 1, wins: 0 });
});
show();
