// SPDX-License-Identifier: MIT
#include "demo/player.hpp"

#include <nlohmann/json.hpp>

namespace demo {

namespace {

using Json = nlohmann::ordered_json;

// The frames as the page's script reads them. What is at the end of a list and says nothing is left out.
Json cell_json(const Cell& cell) {
  Json json = Json::array({cell.text, cell.label, cell.series, static_cast<int>(cell.look), cell.share,
                           cell.mark ? cell.mark->word : ""});
  const auto says_nothing = [](const Json& value) { return value == Json("") || value == 0 || value == 0.0; };
  while (json.size() > 1 && says_nothing(json.back())) json.erase(json.size() - 1);
  return json;
}

Json panel_json(const Panel& panel) {
  Json json{{"kind", static_cast<int>(panel.kind)}, {"title", panel.title}, {"row", panel.per_row}};
  if (!panel.headings.empty()) json["headings"] = panel.headings;
  json["cells"] = Json::array();
  for (const Cell& cell : panel.cells) json["cells"].push_back(cell_json(cell));
  return json;
}

Json frame_json(const Frame& frame) {
  Json json{{"caption", frame.caption}, {"line", frame.line}, {"panels", Json::array()}};
  if (!frame.finding.empty()) json["finding"] = frame.finding;
  for (const Panel& panel : frame.panels) json["panels"].push_back(panel_json(panel));
  if (frame.next.empty()) return json;
  json["next"] = Json::array();
  for (const Choice& choice : frame.next) json["next"].push_back({choice.label, choice.frame, choice.key});
  return json;
}

}  // namespace

nlohmann::ordered_json json_of(const Demonstration& demonstration) {
  Json json{{"question", demonstration.question},
            {"sources", Json::array()},
            {"scenes", Json::array()},
            {"frames", Json::array()}};
  for (const Source& source : demonstration.sources)
    json["sources"].push_back({{"file", source.file}, {"lines", source.lines}, {"numbers", source.numbers}});
  for (const Scene& scene : demonstration.scenes) {
    if (scene.follow) continue;
    json["scenes"].push_back(
        {{"title", scene.title}, {"source", scene.source}, {"frames", scene.frames}, {"open", scene.open}});
  }
  for (const Frame& frame : demonstration.frames) json["frames"].push_back(frame_json(frame));
  return json;
}

std::string embedded(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos; at += 6) text.replace(at, 1, "\\u003c");
  return text;
}

namespace {

// On 1280 x 720 nothing is smaller than 24 px, and all is on one screen.
constexpr std::string_view style = R"css(
html { font-size: 24px; height: 100%; }
body { max-width: none; min-height: 100%; padding: 0.4rem 1rem 0; display: flex; flex-direction: column; line-height: 1.3; }
header { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: baseline; }
h1 { font-size: 1rem; margin: 0; }
header select { flex: 1 1 17em; min-width: 10em; max-width: 28em; }
select, button { font: inherit; color: var(--ink); background: var(--shade); border: 2px solid var(--faint); border-radius: 0.3rem; padding: 0.1rem 0.6rem; min-height: 2rem; cursor: pointer; max-width: 100%; }
button:disabled { opacity: 0.4; cursor: default; }
button:focus-visible, select:focus-visible { outline: 3px solid var(--series-1); }
.choice { border-color: var(--series-1); font-weight: 700; }
main { flex: 1; min-width: 0; touch-action: pan-y; }
.source { margin: 0.3rem 0; padding: 0.1rem 0; height: calc(3lh + 0.2rem); overflow: hidden; background: var(--shade); font-family: ui-monospace, monospace; }
.source div { white-space: pre; overflow: hidden; text-overflow: ellipsis; padding: 0 0.4rem; color: var(--muted); height: 1lh; }
.source .here { white-space: pre-wrap; height: auto; color: var(--ink); font-weight: 700; background: color-mix(in srgb, var(--series-1) 22%, var(--paper)); }
.caption { margin: 0.2rem 0; max-width: none; min-height: 2lh; font-weight: 600; }
.panels { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; align-items: flex-start; }
.panel { min-width: 0; flex: 0 1 auto; }
.panel.bars, .panel.strip { flex: 1 1 100%; }
.panel h2 { font-size: 1rem; font-weight: 400; color: var(--muted); margin: 0; padding: 0; border: 0; }
.grid { display: grid; gap: 2px; }
.cell { --colour: var(--faint); border: 2px solid var(--colour); padding: 0 0.25rem; text-align: center; min-width: 1.1em; min-height: 1.3em; white-space: nowrap; font-variant-numeric: tabular-nums; }
.label { color: var(--muted); white-space: nowrap; padding-right: 0.5rem; }
.grid.table { position: relative; overflow-y: auto; }
.grid.table .cell { padding: 0 0.7rem; }
.strip .cell { padding: 0; min-width: 0; }
.pairs { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; }
.pairs > div { display: flex; align-items: center; }
.pairs .cell { min-width: 2.5em; }
.head { border-color: transparent; color: var(--muted); }
.grid.table .head { position: sticky; top: 0; z-index: 1; background: var(--paper); }
.quiet { color: var(--muted); }
.now { background: color-mix(in srgb, var(--colour) 30%, var(--paper)); font-weight: 700; border-color: var(--ink); }
.bad { --colour: var(--roof); background: color-mix(in srgb, var(--roof) 25%, var(--paper)); font-weight: 700; border-width: 4px; border-color: var(--roof); padding-block: 0; }
.mark, .finding { color: var(--paper); background: var(--roof); border-radius: 0.2rem; padding: 0 0.3rem; margin-left: 0.4rem; font-weight: 700; }
.marked { --colour: var(--roof); outline: 4px dashed var(--roof); outline-offset: -2px; }
.strip .mark { display: none; }
.strip .marked::after { content: '!'; color: var(--roof); }
.bar { display: grid; grid-template-columns: minmax(3em, max-content) 1fr minmax(3em, max-content); gap: 2px 0.6rem; align-items: center; }
.bar .track { height: 1em; background: var(--shade); }
.bar .fill { --colour: var(--muted); height: 100%; background: var(--colour); }
.bar .value { text-align: right; font-variant-numeric: tabular-nums; }
.bar .strong { font-weight: 700; }
footer { position: sticky; bottom: 0; background: var(--paper); display: flex; flex-wrap: wrap; gap: 0.3rem; padding: 0.3rem 0; align-items: center; border-top: 2px solid var(--faint); }
.place { color: var(--muted); margin-left: auto; }
aside { color: var(--muted); }
aside p { max-width: none; margin: 0.3rem 0; }
@media (min-width: 1600px) { html { font-size: 32px; } .source { height: calc(5lh + 0.2rem); } }
@media (max-width: 900px) {
  html { font-size: 15px; }
  .source div { white-space: pre-wrap; height: auto; }
  .source { height: auto; }
  .source div:not(.here) { display: none; }
  .cell { padding: 0; min-width: 0; overflow: hidden; }
  .bar { grid-template-columns: fit-content(10em) minmax(5em, 1fr) max-content; }
  .bar .label { white-space: normal; }
  .panel.table { flex: 1 1 100%; }
  .grid.table { font-size: 0.85em; }
  .grid.table .cell { padding: 0 0.1rem; white-space: normal; overflow-wrap: normal; }
  .grid.table .mark { display: block; margin: 0; padding: 0; }
  .grid.table .marked { font-size: 0.85em; outline-width: 2px; }
  button { min-height: 2.8rem; min-width: 2.8rem; }
}
@media (prefers-reduced-motion: no-preference) { .fill { transition: width 0.2s; } }
)css";

constexpr std::string_view script = R"js(
'use strict';
let demo = JSON.parse(document.getElementById('frames').textContent);
const by = id => document.getElementById(id);
const speeds = [4000, 2500, 1500, 800, 300];
let follow = null;  // what is to be seen of a panel that does not fit
let scene = 0, way = [], at = 0, speed = 2, timer = 0;

function make(kind, classes, text) {
  const element = document.createElement(kind);
  if (classes) element.className = classes;
  if (text !== undefined) element.textContent = text;
  return element;
}
const looks = ['', 'quiet', 'now', 'bad'];
const narrow = () => matchMedia('(max-width: 900px)').matches;
function styled(element, series) {
  if (series) element.style.setProperty('--colour', `var(--series-${(series - 1) % 6 + 1})`);
  return element;
}
function with_mark(element, mark) {
  if (!mark) return element;
  element.classList.add('marked');
  element.append(make('span', 'mark', mark));
  return element;
}
function box([text, , series = 0, look = 0, , mark]) { return with_mark(styled(make('div', 'cell ' + looks[look], text), series), mark); }

function cells(panel) {
  const labelled = panel.cells.some(cell => cell[1]);
  const grid = make('div', labelled && panel.row > 1 ? 'pairs' : 'grid');
  if (labelled && panel.row > 1) {
    for (const cell of panel.cells) {
      const pair = make('div');
      pair.append(make('div', 'label', cell[1]), box(cell));
      grid.append(pair);
    }
  } else if (labelled) {
    grid.style.gridTemplateColumns = 'max-content minmax(2.5em, max-content)';
    for (const cell of panel.cells) grid.append(make('div', 'label', cell[1]), box(cell));
  } else {
    const columns = Math.min(panel.row, panel.cells.length, narrow() ? 16 : 64);
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, ${narrow() ? '1fr' : '1.9em'}))`;
    for (const cell of panel.cells) grid.append(box(cell));
  }
  return grid;
}
function table(panel) {
  const grid = make('div', 'grid table');
  const last = panel.cells.findLastIndex(cell => cell[3] >= 2);
  grid.style.gridTemplateColumns = narrow()
    ? `minmax(min-content, 6em) repeat(${panel.headings.length - 1}, minmax(min-content, 1fr))`
    : `max-content repeat(${panel.headings.length - 1}, minmax(5em, max-content))`;
  for (const heading of panel.headings) grid.append(make('div', 'cell head', heading));
  for (const cell of panel.cells) grid.append(box(cell));
  if (last >= 0) follow = grid.children[panel.headings.length + last];
  return grid;
}
function bars(panel) {
  const grid = make('div', 'bar');
  for (const [text, label = '', series = 0, look = 0, share = 0, mark] of panel.cells) {
    const strong = look >= 2 ? ' strong' : '';
    const track = make('div', 'track'), fill = styled(make('div', 'fill'), series);
    fill.style.width = `${100 * share}%`;
    track.append(fill);
    grid.append(make('div', 'label' + strong, label), track, with_mark(make('div', 'value' + strong, text), mark));
  }
  return grid;
}
const drawn = [cells, bars, table];

function source(frame) {
  const { lines, numbers } = demo.sources[demo.scenes[scene].source];
  const here = numbers.indexOf(frame.line), shown = innerWidth >= 1600 ? 5 : 3;
  const first = Math.max(0, Math.min(here - (shown >> 1), lines.length - shown));
  by('source').hidden = lines.length === 0;
  const rows = lines.slice(first, first + shown);
  const indent = Math.min(...rows.map(line => line.search(/\S|$/)));
  by('source').replaceChildren(...rows.map((line, i) => make('div', first + i === here ? 'here' : '', line.slice(indent))));
}

function show() {
  const frame = demo.frames[way[at]], open = demo.scenes[scene].open;
  source(frame);
  by('caption').textContent = at === 0 ? demo.question : frame.caption + '.';
  if (frame.finding) by('caption').append(make('span', 'finding', frame.finding));
  by('panels').replaceChildren(...frame.panels.map(panel => {
    const one = make('div', 'panel' + [' cells', ' bars', ' table'][panel.kind] + (panel.kind === 0 && !panel.cells.some(cell => cell[1]) ? ' strip' : ''));
    one.append(make('h2', '', panel.title), drawn[panel.kind](panel));
    return one;
  }));
  const next = open ? frame.next || [] : [];
  by('choices').replaceChildren(...next.map(([label, , key]) => {
    const button = make('button', 'choice', `${key}: ${label}`);
    button.addEventListener('click', () => { stop(); choose(key); });
    return button;
  }));
  by('back').disabled = at === 0;
  by('next').disabled = !further();
  by('place').textContent = open ? `step ${at}` : `step ${at} of ${way.length - 1}`;
  by('play').textContent = timer ? 'Pause' : 'Play';
  fit();
}
// A table that is too high is scrolled, above the buttons, to the row of what happens now.
function fit() {
  const least = 150, room = innerHeight - document.querySelector('footer').offsetHeight;
  for (const grid of document.querySelectorAll('.grid.table')) {
    const { top, bottom } = grid.getBoundingClientRect(), below = by('panels').getBoundingClientRect().bottom - bottom;
    grid.style.maxHeight = Math.max(least, room - top - scrollY - below) + 'px';
  }
  if (follow) follow.parentElement.scrollTop = follow.offsetTop - follow.parentElement.clientHeight + follow.offsetHeight;
  follow = null;
}
function further() { return at + 1 < way.length || (demo.scenes[scene].open && (demo.frames[way[at]].next || []).length > 0); }
function choose(key) {
  const next = (demo.scenes[scene].open && demo.frames[way[at]].next || []).find(one => one[2] === key);
  if (!next) return;
  way = way.slice(0, at + 1).concat(next[1]);
  ++at;
  show();
}
function on() { if (at + 1 < way.length) { ++at; show(); } else if (further()) choose(demo.frames[way[at]].next[0][2]); else { stop(); show(); } }
function back() { if (at > 0) { --at; show(); } }
function enter(number) {
  scene = number;
  const { frames, open } = demo.scenes[scene];
  way = open ? frames.slice(0, 1) : frames;
  at = 0;
  if (by('scene')) by('scene').value = number;
  show();
}
function stop() { clearInterval(timer); timer = 0; }
function play() {
  if (timer) stop(); else { if (!further()) at = 0; timer = setInterval(on, speeds[speed]); }
  show();
}
function faster(change) {
  speed = Math.max(0, Math.min(speeds.length - 1, speed + change));
  if (timer) { stop(); timer = setInterval(on, speeds[speed]); }
}

function when_swiped(left, right) {
  let touched = null;
  addEventListener('touchstart', event => { touched = event.touches[0]; }, { passive: true });
  addEventListener('touchend', event => {
    if (!touched) return;
    const x = event.changedTouches[0].clientX - touched.clientX, y = event.changedTouches[0].clientY - touched.clientY;
    touched = null;
    if (Math.abs(x) < 50 || Math.abs(x) < 2 * Math.abs(y)) return;
    if (x < 0) left(); else right();
  }, { passive: true });
}
)js";

}  // namespace

std::string_view player_style() { return style; }
std::string_view player_script() { return script; }

}  // namespace demo
