// SPDX-License-Identifier: MIT
#include "problems/grey_image.hpp"

#include <doctest/doctest.h>

#include "problems/histogram/histogram_reference.hpp"
#include "temporary_folder.hpp"

using problems::InputError;

namespace {

std::string pixels_in(const std::string& file) {
  const TemporaryFolder folder;
  const auto input = problems::open_file(folder.write("a.pgm", file));
  std::string pixels(input->length(), '\0');
  input->read(0, {reinterpret_cast<unsigned char*>(pixels.data()), pixels.size()});
  return pixels;
}

// Why the file cannot be read, without its path.
std::string refusal_of(const std::string& file) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.pgm", file);
  try {
    problems::open_file(path);
  } catch (const InputError& error) {
    const std::string text = error.what(), beginning = "cannot read " + path + ": ";
    REQUIRE(text.starts_with(beginning));
    return text.substr(beginning.size());
  }
  return {};
}

}  // namespace

TEST_CASE("the input of a grey image is its pixels, wherever the header ends") {
  CHECK(pixels_in("P5\n3 2\n255\nabcdef") == "abcdef");
  CHECK(pixels_in("P5 3\t2\r\n7 abcdef") == "abcdef");
  CHECK(pixels_in("P5\n# made by hand, 9 9\n3 # wide\n2\n255\n\nbcdef") == "\nbcdef");
  // another image behind it
  CHECK(pixels_in("P5 1 2 255\nabP5 1 1 255\nc") == "ab");
}

TEST_CASE("a file of another name is taken whole") {
  const TemporaryFolder folder;
  CHECK(problems::open_file(folder.write("a.pgm.txt", "P5 1 1 255\na"))->length() == 12);
  CHECK(problems::open_file(folder.write("A.PGM", "P5 1 1 255\na"))->length() == 1);
}

TEST_CASE("what is no binary PGM file of 8 bits is refused by name") {
  const std::string read = "; binary PGM (P5) with 8 bits a pixel is read";
  CHECK(refusal_of("P2\n1 1\n255\n7\n") == "it is an ASCII PGM file (P2)" + read);
  CHECK(refusal_of("P6 1 1 255\nabc") == "it is a picture in colour (PPM)" + read);
  CHECK(refusal_of("P4 8 1 a") == "it is a picture in black and white (PBM)" + read);
  CHECK(refusal_of("\x89PNG\r\n") == "it is no PGM file" + read);
  CHECK(refusal_of("") == "it is no PGM file" + read);
  CHECK(refusal_of("P5 1 1 65535\nab") == "its pixels have 16 bits (grey levels up to 65535)" + read);
  CHECK(refusal_of("P5 1 1 256\nab") == "its pixels have 16 bits (grey levels up to 256)" + read);
}

TEST_CASE("a cut or senseless header is refused, and so is an image that is cut off") {
  const std::string form =
      " cannot be read; a PGM file begins with P5, width, height and the largest grey level";
  CHECK(refusal_of("P5") == "its width" + form);
  CHECK(refusal_of("P5 x 1 255\na") == "its width" + form);
  CHECK(refusal_of("P53 2 255\nabcdef") == "its width" + form);
  CHECK(refusal_of("P5 3 -2 255\nabcdef") == "its height" + form);
  CHECK(refusal_of("P5 3 2") == "its largest grey level" + form);
  CHECK(refusal_of("P5 3 2 255") == "its largest grey level" + form);
  CHECK(refusal_of("P5 0 2 255\n") == "it has no pixels (0 x 2)");
  CHECK(refusal_of("P5 1 1 0\na") == "its largest grey level is 0");
  CHECK(refusal_of("P5 3 2 255\nabcde") == "it is cut off; 3 x 2 pixels are 6 bytes, 5 are there");
  CHECK(refusal_of("P5 999999999 999999999 255\na") ==
        "it is cut off; 999999999 x 999999999 pixels are 999999998000000001 bytes, 1 are there");
  CHECK(refusal_of("P5 99999999999999999999 1 255\na") == "its width" + form);
}

TEST_CASE("the image that is made has dark pixels, bright ones, and few between") {
  const std::string pixels = pixels_in(problems::made_image());
  REQUIRE(pixels.size() == 320 * 240);
  std::size_t dark = 0, bright = 0;
  for (const char pixel : pixels) {
    dark += static_cast<unsigned char>(pixel) < 80;
    bright += static_cast<unsigned char>(pixel) >= 200;
  }
  CHECK(dark > pixels.size() * 3 / 5);
  CHECK(bright > pixels.size() / 20);
  CHECK(bright + dark < pixels.size());
}

TEST_CASE("bins of an image are grey levels, and all of them are meant") {
  CHECK(histogram::problem().usual_variant("moon.pgm") == "bytes");
  CHECK(histogram::problem().usual_variant("text") == "letters4");
  const auto labels = [](std::string_view binning, std::string_view input) {
    const std::vector<std::uint64_t> counts(binning == "bytes" ? 256 : 26);
    return histogram::reference().bars(binning, problems::bytes_of<std::uint64_t>(counts), {}, input);
  };
  CHECK(labels("bytes", "moon.pgm").at(97).label == "97");
  CHECK(labels("bytes", "text").at(97).label == "a");
  CHECK(labels("letters", "moon.pgm").at(0).label == "a");
}
