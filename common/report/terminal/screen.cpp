// SPDX-License-Identifier: MIT
#include "report/terminal/screen.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>

#include "report/terminal/terminal.hpp"

namespace report {

namespace {

constexpr std::chrono::seconds unnoticed{1};
constexpr std::size_t widest_bar = 30, narrowest_bar = 5;
constexpr std::size_t besides_the_bar = 24;  // " [] 100 %, 99999 s left"

// Back to the start of the line, and clear it.
constexpr std::string_view cleared = "\r\x1b[K";

constexpr std::array<int, 2> ending_signals{SIGINT, SIGTERM};

void clear_and_end(int signal) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, cleared.data(), cleared.size());
  ::signal(signal, SIG_DFL);
  raise(signal);
}

// While a bar is shown, Ctrl-C clears it before the program ends: the prompt is to stand on a line of its
// own.
void clear_at_end(bool wanted) {
  for (const int signal : ending_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != (wanted ? SIG_DFL : clear_and_end))
      continue;  // ignored by whoever started the program
    ::signal(signal, wanted ? clear_and_end : SIG_DFL);
  }
}

std::string with_bar(std::string title, double fraction, std::size_t columns) {
  const std::size_t room =
      columns > title.size() + besides_the_bar ? columns - title.size() - besides_the_bar : 0;
  const std::size_t cells = std::min(room, widest_bar);
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(cells));
  if (cells >= narrowest_bar)
    title += fmt::format(" [{}{}]", std::string(filled, '#'), std::string(cells - filled, '.'));
  return title + fmt::format(" {:3.0f} %", fraction * 100);
}

}  // namespace

bool ProgressBar::due() const {
  return terminal_.live && std::chrono::steady_clock::now() - start_ >= unnoticed;
}

void ProgressBar::write(const std::string& line) {
  if (!shown_) clear_at_end(true);
  // One column less: a full line would wrap.
  fmt::print(stderr, "{}{}", cleared, line.substr(0, terminal_.columns - 1));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::update(double fraction) {
  if (!due()) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::string line = with_bar(title_, fraction, terminal_.columns);
  if (fraction > 0.01) line += fmt::format(", {:.0f} s left", elapsed.count() / fraction * (1 - fraction));
  write(line);
}

void ProgressBar::update(const std::string& step) {
  if (due()) write(fmt::format("{}: {}", title_, step));
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "{}", cleared);
  std::fflush(stderr);
  clear_at_end(false);
  shown_ = false;
}

namespace {

// A colour's escape sequence at the start of the text; 0: there is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool is_control(char byte) { return (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f); }

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Takes the letters of one line and breaks it where it is full.
class LineBreaker {
 public:
  LineBreaker(std::vector<std::string>& lines, std::size_t columns) : lines_(lines), columns_(columns) {}

  void letter(std::string_view bytes) {
    if (width_ == columns_) break_line();
    if (bytes != " ") {
      indented_ = true;
    } else if (indented_) {
      blank_ = line_.size();
    } else {
      ++indentation_;
    }
    line_ += bytes;
    ++width_;
  }

  void colour(std::string_view sequence) { line_ += sequence; }

  void finish() {
    lines_.push_back(line_);
    line_.clear();
    width_ = indentation_ = 0;
    blank_ = std::string::npos;
    indented_ = false;
  }

 private:
  // What follows the last blank goes to the next line.
  void break_line() {
    const std::string indent(indentation_ < columns_ / 2 ? indentation_ : 0, ' ');
    std::string rest;
    if (blank_ != std::string::npos) {
      rest = line_.substr(blank_ + 1);
      line_.erase(blank_);
    }
    lines_.push_back(line_);
    line_ = indent + rest;
    width_ = indent.size();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (const std::size_t skipped = colour_length(std::string_view(rest).substr(i))) {
        i += skipped - 1;
      } else if (!continues_letter(rest[i])) {
        ++width_;
      }
    }
    blank_ = std::string::npos;
  }

  std::vector<std::string>& lines_;
  std::size_t columns_, width_ = 0, indentation_ = 0, blank_ = std::string::npos;
  bool indented_ = false;  // something other than a blank was there
  std::string line_;
};

}  // namespace

std::vector<std::string> wrapped(std::string_view text, unsigned columns) {
  std::vector<std::string> lines;
  LineBreaker line(lines, std::max(columns, 1u));
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    if (text[i] == '\n') {
      line.finish();
      column = 0;
    } else if (const std::size_t colour = colour_length(text.substr(i))) {
      line.colour(text.substr(i, length = colour));
    } else if (text[i] == '\t') {
      do line.letter(" ");
      while (++column % tab_width != 0);
    } else if (is_control(text[i])) {
      line.letter("?");
      ++column;
    } else {
      while (i + length < text.size() && continues_letter(text[i + length])) ++length;
      line.letter(text.substr(i, length));
      ++column;
    }
    i += length;
  }
  if (!text.empty() && text.back() != '\n') line.finish();
  return lines;
}

std::string refilled(std::string_view text) {
  std::string result;
  bool in_code = false, continues = false;  // a line of prose precedes
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool is_fence = line.starts_with("```");
    const bool is_prose = !in_code && !is_fence && !line.empty() && line.front() != ' ' &&
                          line.front() != '\t' && !line.starts_with("- ");
    if (at > 0) result += continues && is_prose ? ' ' : '\n';
    result += line;
    in_code = in_code != is_fence;
    continues = is_prose;
    at = end + 1;
  }
  if (text.ends_with('\n')) result += '\n';
  return result;
}

std::string frame(std::string_view body, std::string_view footer, unsigned columns, unsigned rows,
                  std::size_t& first) {
  // A letter in the last column would be erased with the rest of its line: the cursor still stands on it.
  columns = std::max(columns, 2u) - 1;
  std::vector<std::string> lines = wrapped(body, columns), below;
  for (const std::string& line : wrapped(footer, std::numeric_limits<unsigned>::max()))
    below.push_back(wrapped(line, columns).front());
  below.resize(std::min<std::size_t>(below.size(), std::max(rows, 1u)));
  const std::size_t room = std::max<std::size_t>(rows, 1) - below.size();
  if (lines.size() <= room) {
    first = 0;
  } else if (room == 0) {
    lines.clear();
  } else {
    const std::size_t shown = room - 1, all = lines.size();
    first = std::min(first, all - shown);
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(first));
    lines.resize(shown);
    lines.push_back(
        wrapped(fmt::format("... lines {} to {} of {}; j and k scroll", first + 1, first + shown, all),
                columns)
            .front());
  }
  lines.insert(lines.end(), below.begin(), below.end());
  std::string drawn = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) drawn += (i > 0 ? "\n" : "") + lines[i] + "\x1b[0m\x1b[K";
  return drawn + "\x1b[J";
}

namespace {

constexpr std::array<int, 4> ends{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array<int, 5> crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What signal handlers need lies outside of every object.
volatile sig_atomic_t end_signal = 0, stopped = 0;
bool has_keys = false;
termios usual{}, by_key{};

void give_terminal_back() {
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

void on_end(int signal) { end_signal = signal; }

void on_crash(int signal) {
  give_terminal_back();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void on_stop(int) {
  const int error = errno;
  give_terminal_back();
  raise(SIGSTOP);
  // Here it goes on.
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &by_key);
  stopped = 1;
  errno = error;
}

// Signals that whoever started the program ignores, as nohup does, stay ignored.
void handle(int signal, void (*handler)(int)) {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

void handle_all(void (*end)(int), void (*crash)(int), void (*stop)(int)) {
  for (const int signal : ends) handle(signal, end);
  for (const int signal : crashes) handle(signal, crash);
  handle(SIGTSTP, stop);
}

}  // namespace

Keyboard::Keyboard(bool wanted) {
  end_signal = 0;
  stopped = 0;
  if (wanted && tcgetattr(STDIN_FILENO, &usual) == 0) {
    by_key = usual;
    by_key.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    by_key.c_cc[VMIN] = 0;
    by_key.c_cc[VTIME] = 0;
    has_keys = true;
  }
  handle_all(on_end, on_crash, on_stop);
  if (has_keys) tcsetattr(STDIN_FILENO, TCSANOW, &by_key);
}

Keyboard::~Keyboard() {
  give_terminal_back();
  has_keys = false;
  leave_to_child();
}

int Keyboard::descriptor() const { return has_keys ? STDIN_FILENO : -1; }

namespace {

// What a key sends behind the escape, as far as it is known here, and the letter that means the same.
constexpr std::array<std::pair<std::string_view, char>, 6> named_keys{
    {{"[A", 'k'}, {"[B", 'j'}, {"[C", '>'}, {"[D", '<'}, {"[5~", 'b'}, {"[6~", ' '}}};

bool has_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

// The letter for the key whose escape has just been read; 0 for one that is not known.
char after_escape() {
  std::string rest;
  for (char c = 0; rest.size() < 3 && has_input() && read(STDIN_FILENO, &c, 1) == 1;) {
    rest += c;
    for (const auto& [sent, letter] : named_keys) {
      if (rest == sent) return letter;
    }
  }
  return 0;
}

}  // namespace

std::optional<char> Keyboard::key() {
  if (descriptor() < 0 || !has_input()) return std::nullopt;
  constexpr char escape = '\x1b';
  char key = 0;
  const ssize_t got = read(STDIN_FILENO, &key, 1);
  if (got == 1) return key == escape ? after_escape() : key;
  if (got == 0 || errno != EINTR) end_signal = SIGHUP;
  return std::nullopt;
}

int Keyboard::ended_by() const { return end_signal; }

bool Keyboard::was_stopped() {
  const bool was = stopped;
  stopped = 0;
  return was;
}

void Keyboard::leave_to_child() { handle_all(SIG_DFL, SIG_DFL, SIG_DFL); }

}  // namespace report
