// SPDX-License-Identifier: MIT
#include "demo/slides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "demo/player.hpp"
#include "demo/stage.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/page/html.hpp"

namespace demo {

namespace {

using Json = nlohmann::ordered_json;
using report::escaped;

// Paragraphs and items of lists, each as one line; drawings and tables are left out.
std::vector<std::string> paragraphs_of(std::string_view text) {
  std::vector<std::string> paragraphs;
  bool in_drawing = false, continues = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with("```")) in_drawing = !in_drawing;
    if (in_drawing || line.empty() || line.starts_with("```") || line.starts_with('|')) {
      continues = false;
      continue;
    }
    const bool begins = !continues || line.starts_with("- ") || line.starts_with('#');
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (begins)
      paragraphs.emplace_back(line);
    else
      paragraphs.back() += " " + std::string(line);
    continues = !line.starts_with('#');
  }
  return paragraphs;
}

// A sentence ends at a full stop, question mark or exclamation mark, if a blank follows and then anything but
// a small letter. Between backticks no sentence ends.
std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;
  bool in_code = false;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    const bool ends = !in_code && (text[i] == '.' || text[i] == '?' || text[i] == '!') &&
                      text[i + 1] == ' ' && std::islower(static_cast<unsigned char>(text[i + 2])) == 0;
    if (!ends) continue;
    sentences.emplace_back(text.substr(begin, i + 1 - begin));
    begin = i + 2;
  }
  if (begin < text.size()) sentences.emplace_back(text.substr(begin));
  return sentences;
}

// Markdown's code, emphasis and links as HTML; of a link only its words.
std::string html_of(std::string_view text) {
  std::string html;
  bool in_code = false, is_bold = false, is_emphasised = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto toggle = [&](bool& state, std::string_view tag) {
      html += fmt::format("<{}{}>", state ? "/" : "", tag);
      state = !state;
    };
    if (text[i] == '`') {
      toggle(in_code, "code");
    } else if (in_code) {
      html += escaped(text.substr(i, 1));
    } else if (text.substr(i).starts_with("**")) {
      toggle(is_bold, "strong");
      ++i;
    } else if (text[i] == '*') {
      toggle(is_emphasised, "em");
    } else if (text[i] == ']' && text.substr(i).starts_with("](")) {
      i = std::min(text.find(')', i), text.size() - 1);
    } else if (text[i] != '[') {
      std::size_t length = 1;
      while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xc0) == 0x80)
        ++length;
      html += escaped(text.substr(i, length));
      i += length - 1;
    }
  }
  for (const auto& [open, tag] : {std::pair(in_code, "code"), {is_bold, "strong"}, {is_emphasised, "em"}}) {
    if (open) html += fmt::format("</{}>", tag);
  }
  return html;
}

// A screen has room for about so many letters; what does not fit is left to the notes.
constexpr std::size_t most_letters = 520;

Json text_slide(const std::string& title, const std::vector<std::string>& sentences, bool is_title) {
  Json points = Json::array();
  std::string notes;
  std::size_t letters = 0;
  for (const std::string& sentence : sentences) {
    letters += sentence.size();
    if (points.empty() || letters <= most_letters)
      points.push_back(html_of(sentence));
    else
      notes += (notes.empty() ? "" : " ") + sentence;
  }
  return {{"title", html_of(title)}, {"points", points}, {"notes", notes}, {"opens", is_title}};
}

void add_demonstration(Json& data, const Demonstration& demonstration, std::string_view guide) {
  const std::string notes = notes_for(guide, demonstration.name);
  Json json = json_of(demonstration);
  std::string made;
  for (const std::string& note : demonstration.notes) made += (made.empty() ? "" : " ") + note + ".";
  for (std::size_t scene = 0; scene < json.at("scenes").size(); ++scene) {
    data["slides"].push_back({{"title", escaped(report::page::capitalised(demonstration.name))},
                              {"demo", data["demos"].size()},
                              {"scene", scene},
                              {"notes", scene == 0 ? notes + "\n\n" + made : std::string()}});
  }
  data["demos"].push_back(std::move(json));
}

constexpr std::string_view deck_style = R"css(
#words { flex: 1; padding: 1rem 1.5rem; }
#words h2 { font-size: 2rem; line-height: 1.2; border: 0; margin: 0 0 0.8rem; padding: 0; }
#words.opens h2 { font-size: 2.6rem; margin-top: 15vh; }
#words ul { padding-left: 1em; margin: 0; }
#words li { font-size: 1.3rem; line-height: 1.35; margin-bottom: 0.5rem; }
#words code { font-size: 0.95em; }
#slide { max-width: 20em; }
#notes { white-space: pre-line; background: var(--shade); padding: 0.5rem 1rem; max-height: 40vh; overflow-y: auto; }
[hidden] { display: none !important; }
@media (max-width: 900px) { #words { padding: 0.5rem 0; } #words h2, #words.opens h2 { font-size: 1.5rem; margin-top: 0; } }
@media print { footer, #notes { display: none; } }
)css";

// Right and left go through the steps of a scene before they go to another slide.
constexpr std::string_view deck_controls = R"js(
const deck = demo;
let slide = 0, presenter = null, begun = 0, clock = 0;
const is_scene = () => deck.slides[slide].demo !== undefined;
function disable_ends() {
  by('back').disabled = slide === 0 && (!is_scene() || at === 0);
  by('next').disabled = slide + 1 === deck.slides.length && !(is_scene() && further());
}
show = (draw => () => { draw(); disable_ends(); })(show);  // beyond a scene's ends there are other slides
// As HTML, with the scene where it is one.
function title_of({ title, demo, scene }) {
  return title + (demo === undefined ? '' : ': ' + make('span', '', deck.demos[demo].scenes[scene].title).innerHTML);
}
function notes_text() { return deck.slides[slide].notes || ''; }
function tell_presenter() {
  by('notes').textContent = notes_text() || 'There are no notes for this slide.';
  if (!presenter || presenter.closed) return;
  const minutes = Math.floor((Date.now() - begun) / 60000), next = deck.slides[slide + 1];
  const page = presenter.document;
  page.getElementById('place').textContent = `Slide ${slide + 1} of ${deck.slides.length}, ${minutes} min`;
  page.getElementById('now').innerHTML = title_of(deck.slides[slide]);
  page.getElementById('text').textContent = notes_text();
  page.getElementById('then').innerHTML = next ? 'Next: ' + title_of(next) : 'This is the last slide';
}
function go(number, at_end) {
  stop();
  slide = Math.max(0, Math.min(deck.slides.length - 1, number));
  const now = deck.slides[slide];
  by('words').hidden = is_scene();
  by('stage').hidden = by('play').hidden = by('slower').hidden = by('faster').hidden = !is_scene();
  by('title').hidden = !is_scene();
  by('choices').replaceChildren();
  by('place').textContent = '';
  if (is_scene()) {
    demo = deck.demos[now.demo];
    by('title').innerHTML = title_of(now);
    enter(now.scene);
    if (at_end && !demo.scenes[scene].open) { at = way.length - 1; show(); }
  } else {
    by('words').className = now.opens ? 'opens' : '';
    const list = make('ul');
    for (const point of now.points) { const item = make('li'); item.innerHTML = point; list.append(item); }
    const title = make('h2');
    title.innerHTML = now.title;
    by('words').replaceChildren(title, list);
  }
  by('slide').value = slide;
  disable_ends();
  location.replace('#' + (slide + 1));
  tell_presenter();
}
function forward() { stop(); if (is_scene() && further()) on(); else if (slide + 1 < deck.slides.length) go(slide + 1); }
function backward() { stop(); if (is_scene() && at > 0) back(); else if (slide > 0) go(slide - 1, true); }
function present() {
  presenter = open('', 'presenter', 'width=760,height=560');
  if (!presenter) { by('notes').hidden = false; return; }
  begun = begun || Date.now();
  presenter.document.title = 'Notes';
  presenter.document.body.style.font = '20px/1.4 system-ui, sans-serif';
  presenter.document.body.innerHTML = '<p id="place"></p><h2 id="now"></h2><p id="text" style="white-space:pre-line"></p><p id="then"></p>';
  presenter.onkeydown = on_key;
  tell_presenter();
  clearInterval(clock);
  clock = setInterval(tell_presenter, 10000);
}
function on_key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
  const key = event.key;
  if (key === 'ArrowRight' || key === 'PageDown' || key === ' ' && event.target.tagName !== 'BUTTON') forward();
  else if (key === 'ArrowLeft' || key === 'PageUp') backward();
  else if (key === 'ArrowDown' || key === 'n') go(slide + 1);
  else if (key === 'ArrowUp' || key === 'b') go(slide - 1);
  else if (key === 'Home') go(0);
  else if (key === 'End') go(deck.slides.length - 1);
  else if (key === 'p' && is_scene()) play();
  else if (key === '+') faster(1);
  else if (key === '-') faster(-1);
  else if (key === 's') by('notes').hidden = !by('notes').hidden;
  else if (key === 'v') present();
  else if (key >= '1' && key <= '9' && is_scene()) { stop(); choose(Number(key)); }
  else return;
  event.preventDefault();
}
deck.slides.forEach((one, i) => {
  const words = make('span');
  words.innerHTML = title_of(one);
  by('slide').append(new Option(`${i + 1}. ${words.textContent}`, i));
});
by('slide').addEventListener('change', event => { go(Number(event.target.value)); event.target.blur(); });
by('back').addEventListener('click', backward);
by('next').addEventListener('click', forward);
by('play').addEventListener('click', play);
by('slower').addEventListener('click', () => faster(-1));
by('faster').addEventListener('click', () => faster(1));
addEventListener('keydown', on_key);
when_swiped(forward, backward);
addEventListener('resize', () => { if (is_scene()) show(); });
go(Number(location.hash.slice(1) || 1) - 1);
)js";

}  // namespace

Chapter read_chapter(std::string_view text) {
  Chapter chapter;
  std::string section;
  for (const std::string& paragraph : paragraphs_of(text)) {
    if (paragraph.starts_with("# ")) chapter.title = paragraph.substr(2);
    if (paragraph.starts_with("## ")) section = paragraph.substr(3);
    constexpr std::string_view command = "lab demo ";
    for (std::size_t at = 0; (at = paragraph.find(command, at)) != paragraph.npos;) {
      at += command.size();
      const std::string name = paragraph.substr(at, paragraph.find_first_of("` ", at) - at);
      if (std::ranges::find(chapter.demonstrations, name) == chapter.demonstrations.end())
        chapter.demonstrations.push_back(name);
    }
    if (paragraph.starts_with('#')) continue;
    if (section == "Goal") chapter.goal += (chapter.goal.empty() ? "" : " ") + paragraph;
    if (section != "The idea") continue;
    const std::string_view words = std::string_view(paragraph).substr(paragraph.starts_with("- ") ? 2 : 0);
    const std::size_t end = words.find("**", 2);
    if (!words.starts_with("**") || end == words.npos) continue;
    std::string title(words.substr(2, end - 2));
    std::string_view rest = words.substr(end + 2);
    // Bold words that are the beginning of a sentence stay in it.
    const bool is_sentence = title.ends_with('.') || title.ends_with('?') || title.ends_with(':');
    rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
    const std::string whole = is_sentence || words.substr(end + 2).starts_with(':')
                                  ? std::string(rest)
                                  : title + " " + std::string(rest);
    if (title.ends_with('.')) title.pop_back();
    chapter.points.push_back({std::move(title), sentences_of(whole)});
  }
  return chapter;
}

std::string notes_for(std::string_view lecturers_guide, std::string_view name) {
  const std::string heading = fmt::format("\n### {}\n", name);
  const std::size_t begin = lecturers_guide.find(heading);
  if (begin == lecturers_guide.npos) return {};
  const std::size_t from = begin + heading.size();
  std::string notes;
  for (const std::string& paragraph :
       paragraphs_of(lecturers_guide.substr(from, lecturers_guide.find("\n##", from) - from)))
    notes += (notes.empty() ? "" : "\n\n") + paragraph;
  return notes;
}

std::string slides(const std::vector<Chapter>& chapters, const std::vector<Demonstration>& demonstrations,
                   std::string_view guide) {
  Json data{{"slides", Json::array()}, {"demos", Json::array()}};
  std::vector<bool> is_shown(demonstrations.size());
  const auto show = [&](std::size_t number) {
    if (!is_shown[number]) add_demonstration(data, demonstrations[number], guide);
    is_shown[number] = true;
  };
  for (const Chapter& chapter : chapters) {
    data["slides"].push_back(text_slide(chapter.title, sentences_of(chapter.goal), true));
    for (const KeyPoint& point : chapter.points)
      data["slides"].push_back(text_slide(point.title, point.sentences, false));
    for (const std::string& name : chapter.demonstrations) {
      const auto found = std::ranges::find(demonstrations, name, &Demonstration::name);
      if (found != demonstrations.end()) show(static_cast<std::size_t>(found - demonstrations.begin()));
    }
  }
  for (std::size_t i = 0; i < demonstrations.size(); ++i) show(i);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Slides</title>\n<style>{}{}{}</style>\n</head>\n<body>\n"
      "<header><h1 id=\"title\"></h1></header>\n<div id=\"words\"></div>\n"
      "<main id=\"stage\">\n<div id=\"source\" class=\"source\" aria-label=\"Source\"></div>\n"
      "<p id=\"caption\" class=\"caption\" aria-live=\"polite\"></p>\n<div id=\"panels\" "
      "class=\"panels\"></div>\n</main>\n<div id=\"notes\" hidden></div>\n"
      "<footer>\n<button id=\"back\">Back</button>\n<button id=\"next\">On</button>\n"
      "<button id=\"play\">Play</button>\n<button id=\"slower\" aria-label=\"Slower\">\u2212</button>\n"
      "<button id=\"faster\" aria-label=\"Faster\">+</button>\n<span id=\"choices\"></span>\n"
      "<span id=\"place\" class=\"place\"></span>\n<select id=\"slide\" aria-label=\"Slide\"></select>\n"
      "</footer>\n<script type=\"application/json\" id=\"frames\">{}</script>\n"
      "<script>{}{}</script>\n</body>\n</html>\n",
      report::page::style_sheet(), player_style(), deck_style, embedded(data), player_script(),
      deck_controls);
}

Deck deck_of(const workbook::Workbook& workbook, const std::function<void(const std::string&)>& progress) {
  const auto text_of = [](const std::string& path) { return os::read_file(path).value_or(std::string()); };
  std::vector<Chapter> chapters;
  std::string before;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    if (std::exchange(before, exercise.lab) != exercise.lab)
      chapters.push_back(read_chapter(text_of(workbook.lab_file(exercise, "README.md"))));
  }
  Deck deck;
  std::vector<Demonstration> shown;
  const Options as_they_are;
  for (const Entry& entry : demonstrations()) {
    Stage stage(workbook, as_they_are, [&](const std::string& step) {
      if (progress) progress(fmt::format("{}: {}", entry.name, step));
    });
    try {
      shown.push_back(make(entry, stage));
    } catch (const facts::UsageError& error) {
      deck.left_out.push_back(fmt::format("{} is left out: {}", entry.name, error.what()));
    }
  }
  deck.page = slides(chapters, shown, text_of(workbook.source_root + "/docs/lecturers.md"));
  return deck;
}

}  // namespace demo
