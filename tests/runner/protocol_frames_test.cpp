// SPDX-License-Identifier: MIT
// How messages travel: frames over a socket.
#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "runner/protocol.hpp"

using namespace runner;

namespace {

// Two connected sockets; what is written to one is read from the other.
class Channel {
 public:
  Channel() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0); }
  ~Channel() {
    close(ends_[0]);
    if (open_) close(ends_[1]);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void send(std::string_view bytes) const {
    REQUIRE(write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() {
    close(ends_[1]);
    open_ = false;
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = true;
};

using Optional = std::optional<std::string>;

}  // namespace

TEST_CASE("a frame is its length in four bytes, the lowest first, and the document") {
  CHECK(frame("") == std::string(4, '\0'));
  CHECK(frame("abc") == std::string("\3\0\0\0abc", 7));
  const std::string header = frame(std::string(0x030201, 'x')).substr(0, 4);
  CHECK(header == std::string("\1\2\3\0", 4));
  CHECK(announced_length(header) == 0x030201);
  CHECK(announced_length(std::string("\xff\x80\0\0", 4)) == 0x80ff);
}

TEST_CASE("a frame of more than 16 MiB is refused by its header") {
  const std::string most("\0\0\0\1", 4), one_more("\1\0\0\1", 4), huge("\xff\xff\xff\xff", 4);
  CHECK(announced_length(most) == 16 * 1024 * 1024);
  CHECK_THROWS_WITH_AS(announced_length(one_more), "a frame is longer than the protocol allows",
                       ProtocolError);
  CHECK_THROWS_WITH_AS(announced_length(huge), "a frame is longer than the protocol allows", ProtocolError);
}

TEST_CASE("frames are read one by one as they were written") {
  Channel channel;
  write_frame(channel.writer(), "first");
  write_frame(channel.writer(), "");
  write_frame(channel.writer(), std::string("\0\n\xff", 3));
  CHECK(read_frame(channel.reader()) == Optional("first"));
  CHECK(read_frame(channel.reader()) == Optional(""));
  CHECK(read_frame(channel.reader()) == Optional(std::string("\0\n\xff", 3)));
  channel.hang_up();
  CHECK_FALSE(read_frame(channel.reader()).has_value());
}

TEST_CASE("a frame that is larger than the socket's buffer arrives whole") {
  Channel channel;
  std::string document(5'000'000, 'x');
  document.back() = 'y';
  std::thread writer([&] { write_frame(channel.writer(), document); });
  const Optional got = read_frame(channel.reader());
  writer.join();
  REQUIRE(got.has_value());
  CHECK(got->size() == document.size());
  CHECK((*got == document));
}

TEST_CASE("a frame that arrives byte by byte is put together") {
  Channel channel;
  std::thread writer([&] {
    for (const char byte : frame("slowly")) write(channel.writer(), &byte, 1) == 1 ? void() : std::abort();
  });
  CHECK(read_frame(channel.reader()) == Optional("slowly"));
  writer.join();
}

TEST_CASE("a frame that ends early is a ProtocolError") {
  Channel channel;
  channel.send(std::string_view("\5\0\0\0abc", 7));
  channel.hang_up();
  CHECK_THROWS_WITH_AS(read_frame(channel.reader()), "a frame ended early", ProtocolError);
}

TEST_CASE("a frame that announces too much is a ProtocolError, before anything of it is read") {
  Channel channel;
  channel.send("\xff\xff\xff\x7f");
  CHECK_THROWS_WITH_AS(read_frame(channel.reader()), "a frame is longer than the protocol allows",
                       ProtocolError);
}

TEST_CASE("writing to a judge that hung up is a ProtocolError") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  Channel channel;
  channel.hang_up();
  CHECK_THROWS_WITH_AS(write_frame(channel.reader(), "lost"), "cannot write to the judge: Broken pipe",
                       ProtocolError);
  std::signal(SIGPIPE, before);
}
