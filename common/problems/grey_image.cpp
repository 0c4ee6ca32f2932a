// SPDX-License-Identifier: MIT
#include "problems/grey_image.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "problems/random.hpp"

namespace problems {

namespace {

constexpr std::string_view wanted = "binary PGM (P5) with 8 bits a pixel is read";

// The words of a header, between which there is white space; from # to its line's end is a comment.
class Header {
 public:
  Header(const std::string& path, std::span<const unsigned char> text) : path_(path), text_(text) {}

  std::string_view magic() {
    const std::size_t bytes = std::min<std::size_t>(text_.size(), 2);
    at_ = bytes;
    return {reinterpret_cast<const char*>(text_.data()), bytes};
  }

  std::uint64_t number(const char* what) {
    skip_blanks(what);
    std::uint64_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && std::isdigit(text_[at_]) && value <= most; ++at_)
      value = value * 10 + (text_[at_] - '0');
    if (at_ == begin || value > most) fail(what);
    return value;
  }

  // One white space stands between the header and the pixels.
  std::size_t end(const char* after) {
    if (at_ >= text_.size() || !std::isspace(text_[at_])) fail(after);
    return at_ + 1;
  }

 private:
  static constexpr std::uint64_t most = 1'000'000'000;

  void skip_blanks(const char* what) {
    const std::size_t begin = at_;
    for (bool comment = false; at_ < text_.size(); ++at_) {
      const unsigned char c = text_[at_];
      if (c == '#') comment = true;
      if (c == '\n' || c == '\r') comment = false;
      if (!comment && !std::isspace(c)) break;
    }
    if (at_ == begin) fail(what);
  }

  [[noreturn]] void fail(const char* what) const {
    throw InputError(
        fmt::format("cannot read {}: its {} cannot be read; a PGM file begins with P5, width, height and the "
                    "largest grey level",
                    path_, what));
  }

  const std::string& path_;
  std::span<const unsigned char> text_;
  std::size_t at_ = 0;
};

// What a file is that begins so, if it is of a related format.
std::optional<std::string_view> other_format(std::string_view magic) {
  if (magic == "P2") return "an ASCII PGM file (P2)";
  if (magic == "P1" || magic == "P4") return "a picture in black and white (PBM)";
  if (magic == "P3" || magic == "P6") return "a picture in colour (PPM)";
  if (magic == "P7") return "a PAM file";
  return std::nullopt;
}

}  // namespace

bool is_grey_image(std::string_view name) {
  constexpr std::string_view ending = ".pgm";
  return name.size() > ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

Extent pixels_of(const std::string& path, std::span<const unsigned char> beginning,
                 std::uint64_t file_bytes) {
  Header header(path, beginning);
  const std::string_view magic = header.magic();
  if (const auto format = other_format(magic))
    throw InputError(fmt::format("cannot read {}: it is {}; {}", path, *format, wanted));
  if (magic != "P5") throw InputError(fmt::format("cannot read {}: it is no PGM file; {}", path, wanted));
  const std::uint64_t width = header.number("width"), height = header.number("height");
  const std::uint64_t largest = header.number("largest grey level");
  const std::size_t begin = header.end("largest grey level");
  if (width == 0 || height == 0)
    throw InputError(fmt::format("cannot read {}: it has no pixels ({} x {})", path, width, height));
  if (largest == 0) throw InputError(fmt::format("cannot read {}: its largest grey level is 0", path));
  if (largest > 255)
    throw InputError(fmt::format("cannot read {}: its pixels have 16 bits (grey levels up to {}); {}", path,
                                 largest, wanted));
  const std::uint64_t there = file_bytes - std::min<std::uint64_t>(file_bytes, begin);
  if (width * height > there)
    throw InputError(fmt::format("cannot read {}: it is cut off; {} x {} pixels are {} bytes, {} are there",
                                 path, width, height, width * height, there));
  return {begin, width * height};
}

std::string made_image() {
  constexpr int width = 320, height = 240;
  constexpr int moon_x = 225, moon_y = 70, moon_radius = 42;
  // Arches side by side, `wide` and up to `high`.
  const auto arches = [](int x, int wide, int high) {
    return 4 * high * (x % wide) * (wide - x % wide) / (wide * wide);
  };
  std::string file = fmt::format("P5\n{} {}\n255\n", width, height);
  Random random(1, 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int right = x - moon_x, down = y - moon_y;
      const int from_moon = static_cast<int>(std::sqrt(right * right + down * down));
      const int hills = 190 - arches(x + 40, 130, 30) - arches(x, 37, 8);
      int brightness = 18 + y / 10 + 5200 / (from_moon + 10);  // the sky, brighter around the moon
      if (from_moon < moon_radius)
        brightness = 228 - arches(x, 33, 14) * arches(y, 27, 14) / 6;  // with its seas
      if (y > hills) brightness = 12 + (y - hills) / 2;
      constexpr int grain = 6;  // as of a photograph
      brightness += static_cast<int>(random.next() % (2 * grain + 1)) - grain;
      file += static_cast<char>(std::clamp(brightness, 0, 255));
    }
  }
  return file;
}

}  // namespace problems
