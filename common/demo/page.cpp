// SPDX-License-Identifier: MIT
#include "demo/page.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "demo/player.hpp"
#include "report/page/html.hpp"

namespace demo {

namespace {

using report::escaped;

// The keys, buttons and swipes of a page with one demonstration.
constexpr std::string_view page_controls = R"js(
demo.scenes.forEach((one, i) => by('scene').append(new Option(`${i + 1}. ${one.title}`, i)));
by('scene').addEventListener('change', event => { stop(); enter(Number(event.target.value)); event.target.blur(); });
by('back').addEventListener('click', () => { stop(); back(); });
by('next').addEventListener('click', () => { stop(); on(); });
by('play').addEventListener('click', play);
by('slower').addEventListener('click', () => faster(-1));
by('faster').addEventListener('click', () => faster(1));
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
  const key = event.key;
  if (key === 'ArrowRight' || key === 'PageDown') { stop(); on(); }
  else if (key === 'ArrowLeft' || key === 'PageUp') { stop(); back(); }
  else if (key === ' ') { if (event.target.tagName === 'BUTTON') return; play(); }
  else if (key === '+') faster(1);
  else if (key === '-') faster(-1);
  else if (key === 'Home') { stop(); enter(scene); }
  else if (key === 'n') { stop(); enter((scene + 1) % demo.scenes.length); }
  else if (key >= '1' && key <= '9') { stop(); choose(Number(key)); }
  else return;
  event.preventDefault();
});
when_swiped(() => { stop(); on(); }, () => { stop(); back(); });
addEventListener('resize', show);
enter(0);
)js";

}  // namespace

std::string page(const Demonstration& demonstration) {
  std::string notes;
  for (const std::string& note : demonstration.notes) notes += report::page::paragraph(escaped(note) + ".");
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}: {1}</title>\n<style>{2}{3}</style>\n</head>\n<body>\n"
      "<header><h1>{4}</h1><select id=\"scene\" aria-label=\"Scene\"></select></header>\n"
      "<main>\n<div id=\"source\" class=\"source\" aria-label=\"Source\"></div>\n"
      "<p id=\"caption\" class=\"caption\" aria-live=\"polite\"></p>\n<div id=\"panels\" "
      "class=\"panels\"></div>\n</main>\n"
      "<footer>\n<button id=\"back\">Back</button>\n<button id=\"play\">Play</button>\n<button "
      "id=\"next\">Step</button>\n"
      "<button id=\"slower\" aria-label=\"Slower\">\u2212</button>\n<button id=\"faster\" "
      "aria-label=\"Faster\">+</button>\n"
      "<span id=\"choices\"></span>\n<span id=\"place\" class=\"place\"></span>\n</footer>\n"
      "<aside>\n{5}<p>Keys: left and right for a step, space plays, + and \u2212 change the speed, digits "
      "choose, n is the next "
      "scene.</p>\n</aside>\n<script type=\"application/json\" "
      "id=\"frames\">{6}</script>\n<script>{7}{8}</script>\n</body>\n</html>\n",
      escaped(demonstration.name), escaped(demonstration.title), report::page::style_sheet(), player_style(),
      escaped(report::page::capitalised(demonstration.title)), notes, embedded(json_of(demonstration)),
      player_script(), page_controls);
}

}  // namespace demo
