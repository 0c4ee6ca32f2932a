// SPDX-License-Identifier: MIT
#include "report/page/gnuplot.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "os/command.hpp"
#include "os/files.hpp"
#include "report/page/html.hpp"

namespace report::page {

namespace {

constexpr int width = 600;

// gnuplot's script and what it draws.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lab-report-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::system_error(errno, std::generic_category(), "cannot make the folder " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// What stands for a colour, or nothing for one that is only a colour.
std::optional<std::string> property_of(int red, int green, int blue) {
  const std::string colour = fmt::format("#{:02X}{:02X}{:02X}", red, green, blue);
  if (colour == ink) return "var(--ink)";
  if (colour == faint) return "var(--faint)";
  if (colour == roof) return "var(--roof)";
  if (colour == muted) return "var(--muted)";
  for (int series = 0; series < series_count; ++series) {
    if (colour == series_colour(series)) return fmt::format("var(--series-{})", series + 1);
  }
  return std::nullopt;
}

// gnuplot writes rgb(  1,   2,   3) and rgb(1,2,3).
void replace_colours(std::string& svg) {
  constexpr std::string_view start = "rgb(";
  for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    int red = 0, green = 0, blue = 0, length = 0;
    if (std::sscanf(svg.c_str() + at, "rgb(%d,%d,%d)%n", &red, &green, &blue, &length) != 3 || length == 0)
      continue;
    if (const auto property = property_of(red, green, blue))
      svg.replace(at, static_cast<std::size_t>(length), *property);
  }
}

// Text in a box is drawn on white by a filter, whatever the colour of the box.
void replace_ground(std::string& svg) {
  replace_all(svg, "flood-color='white'", "flood-color='var(--paper)'");
}

// gnuplot writes what a point says for a script of its own, and names curves that have none.
void replace_hover(std::string& svg) {
  constexpr std::string_view start = " onmousemove=\"gnuplot_svg.showHypertext(evt,'",
                             rest = "')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>";
  for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at)) {
    const std::size_t words = at + start.size(), end = svg.find(rest, words);
    if (end == std::string::npos) break;
    const std::string title = "><title>" + svg.substr(words, end - words) + "</title>";
    svg.replace(at, end + rest.size() - at, title);
  }
  constexpr std::string_view name = "<title>gnuplot_plot_";
  for (std::size_t at = svg.find(name); at != std::string::npos; at = svg.find(name, at))
    svg.erase(at, svg.find("</title>", at) + 8 - at);
}

// Every plot of a page has names of its own.
void rename_ids(std::string& svg, int number) {
  for (const char* const start : {"id='", "id=\"", "href='#", "url(#"})
    replace_all(svg, start, fmt::format("{}plot{}-", start, number));
}

// gnuplot's drawing without its own header and title.
std::string embedded(const std::string& drawing, const Plot& plot, int number) {
  const std::size_t begin = drawing.find("<g id=\"gnuplot_canvas\">"), end = drawing.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || begin > end) return {};
  std::string inner = drawing.substr(begin, end - begin);
  replace_colours(inner);
  replace_ground(inner);
  replace_hover(inner);
  rename_ids(inner, number);
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", width,
                     plot.height, escaped(plot.description), inner);
}

}  // namespace

std::string series_colour(int series) { return fmt::format("#03030{}", series % series_count + 1); }

std::string plot_string(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-+./,:%()^";
  std::string result = "'";
  for (const char c : text) {
    if (plain.find(c) != std::string_view::npos) result += c;
  }
  return result + "'";
}

std::string Plotter::svg(const Plot& plot) {
  if (!is_there() || !fault_.empty()) return {};
  const ScratchFolder folder;
  const std::string script = folder.path() + "/plot.gnuplot", drawing = folder.path() + "/plot.svg";
  std::string quoted = drawing;
  replace_all(quoted, "'", "''");
  std::ofstream(script) << fmt::format(
      "set terminal svg size {},{} dynamic font 'sans-serif,18' noenhanced linewidth 1.4\nset output '{}'\n"
      "set border 3 linecolor rgb '{ink}'\nset tics nomirror textcolor rgb '{ink}'\nset grid linecolor rgb "
      "'{faint}' linetype 1 linewidth "
      "0.4\n"
      "set key textcolor rgb '{ink}'\nset style textbox opaque margins 0.2, 0.2 noborder\n{}",
      width, plot.height, quoted, plot.commands, fmt::arg("ink", ink), fmt::arg("faint", faint));
  // Without what the user's own settings say.
  const os::CommandResult result = os::run_command({gnuplot_, "-d", script});
  const std::string svg =
      result.code == 0 ? embedded(os::read_file(drawing).value_or(""), plot, ++drawn_) : std::string();
  if (svg.empty()) {
    const std::size_t end = result.output.find_last_not_of(" \n");
    fault_ = end == std::string::npos ? fmt::format("it ended with code {}", result.code)
                                      : result.output.substr(0, end + 1);
  }
  return svg;
}

std::string figure(Plotter& plotter, const Plot& plot, const std::string& caption) {
  const std::string svg = plotter.svg(plot);
  return svg.empty()
             ? std::string()
             : fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg, escaped(caption));
}

}  // namespace report::page
