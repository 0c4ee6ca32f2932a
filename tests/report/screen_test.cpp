// SPDX-License-Identifier: MIT
#include "report/terminal/screen.hpp"

#include <doctest/doctest.h>

using report::wrapped;
using Lines = std::vector<std::string>;

TEST_CASE("a text that fits stays as it is") {
  CHECK(wrapped("", 10).empty());
  CHECK(wrapped("one\n\n two\n", 10) == Lines{"one", "", " two"});
  CHECK(wrapped("exactly 10", 10) == Lines{"exactly 10"});
}

TEST_CASE("a long line is broken at a blank, and goes on below its first letter") {
  CHECK(wrapped("race: two threads change histo[3]", 16) == Lines{"race: two", "threads change", "histo[3]"});
  CHECK(wrapped("  next: lab hint 02", 12) == Lines{"  next: lab", "  hint 02"});
  CHECK(wrapped("abcdefgh", 3) == Lines{"abc", "def", "gh"});
  CHECK(wrapped("ab cdefgh", 4) == Lines{"ab", "cdef", "gh"});
}

TEST_CASE("colours take no room, and letters of several bytes the room of one") {
  CHECK(wrapped("\x1b[32mpass\x1b[0m", 4) == Lines{"\x1b[32mpass\x1b[0m"});
  CHECK(wrapped("ab \x1b[1mcde\x1b[0mf", 5) == Lines{"ab", "\x1b[1mcde\x1b[0mf"});
  CHECK(wrapped("µµµµ", 2) == Lines{"µµ", "µµ"});
}

TEST_CASE("nothing but colours reaches the terminal as a command") {
  CHECK(wrapped("a\tb", 20) == Lines{"a       b"});
  CHECK(wrapped("\x1b[2Jx\ry\x07", 20) == Lines{"?[2Jx?y?"});
}

namespace {

std::string frame(std::string_view body, std::string_view footer, unsigned columns, unsigned rows) {
  std::size_t first = 0;
  return report::frame(body, footer, columns, rows, first);
}

}  // namespace

TEST_CASE("a frame is drawn over what was there, line by line") {
  CHECK(frame("one\ntwo\n", "keys", 20, 5) ==
        "\x1b[Hone\x1b[0m\x1b[K\ntwo\x1b[0m\x1b[K\nkeys\x1b[0m\x1b[K\x1b[J");
}

TEST_CASE("what does not fit is told, and the last lines are kept") {
  const std::string drawn = frame("1\n2\n3\n4\n5\n", "watching\nkeys", 80, 5);
  CHECK(drawn ==
        "\x1b[H1\x1b[0m\x1b[K\n2\x1b[0m\x1b[K\n... lines 1 to 2 of 5; j and k "
        "scroll\x1b[0m\x1b[K\nwatching\x1b[0m\x1b[K\n"
        "keys\x1b[0m\x1b[K\x1b[J");
  CHECK(frame("1\n2\n", "keys", 80, 1) == "\x1b[Hkeys\x1b[0m\x1b[K\x1b[J");
  CHECK(frame("", "a long footer", 8, 3) == "\x1b[Ha long\x1b[0m\x1b[K\x1b[J");
}

TEST_CASE("what does not fit is scrolled, down to its end and no further") {
  std::size_t first = 1;
  CHECK(report::frame("1\n2\n3\n4\n5\n", "keys", 80, 4, first) ==
        "\x1b[H2\x1b[0m\x1b[K\n3\x1b[0m\x1b[K\n... lines 2 to 3 of 5; j and k scroll\x1b[0m\x1b[K\n"
        "keys\x1b[0m\x1b[K\x1b[J");
  CHECK(first == 1);
  first = 100;
  CHECK(report::frame("1\n2\n3\n4\n5\n", "keys", 80, 4, first)
            .starts_with("\x1b[H4\x1b[0m\x1b[K\n5\x1b[0m\x1b[K\n... lines 4 to 5 of 5"));
  CHECK(first == 3);
  CHECK(report::frame("1\n2\n", "keys", 80, 4, first).starts_with("\x1b[H1\x1b[0m\x1b[K\n2"));
  CHECK(first == 0);
}

TEST_CASE("a window of no size is drawn on all the same") {
  CHECK(frame("ab", "cd", 0, 0) == "\x1b[Hc\x1b[0m\x1b[K\x1b[J");
}
