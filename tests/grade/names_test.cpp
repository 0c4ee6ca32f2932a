// SPDX-License-Identifier: MIT
#include "grade/names.hpp"

#include <doctest/doctest.h>

#include "grade/sha256.hpp"

TEST_CASE("on a terminal and a page no name turns the order of what stands beside it") {
  CHECK(grade::printable_name("a\u202e\u2066b\u200f") == "a\\xE2\\x80\\xAE\\xE2\\x81\\xA6b\\xE2\\x80\\x8F");
  CHECK(grade::printable_name("\u2013\u202f\u2070\u05d0") == "\u2013\u202f\u2070\u05d0");
  CHECK(grade::as_text("a\u202eb") == "a\u202eb");
}

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples, and of texts around the length of a block") {
  CHECK(grade::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(grade::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(grade::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(grade::sha256(std::string(55, 'a')) ==
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(grade::sha256(std::string(64, 'a')) ==
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  CHECK(grade::sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a name becomes UTF-8: other bytes are written as numbers, and different names stay different") {
  CHECK(grade::as_text("Zoë Müller") == "Zoë Müller");
  CHECK(grade::as_text("b\xff\xfe") == "b\\xFF\\xFE");
  CHECK(grade::as_text("b\\xFF\\xFE") == "b\\x5CxFF\\x5CxFE");
  CHECK(grade::as_text("a\\b") == "a\\b");
  CHECK(grade::as_text("a\nb") == "a\nb");
  CHECK(grade::as_text("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82") ==
        "\\xC0\\xAF \\xED\\xA0\\x80 \\xF4\\x90\\x80\\x80 \\xE2\\x82");
  CHECK(grade::as_text("😀") == "😀");
}

TEST_CASE("a name for a terminal holds no control character") {
  CHECK(grade::printable_name("a\nb\x1b[31m\x7f") == "a\\x0Ab\\x1B[31m\\x7F");
  CHECK(grade::printable_name("a\xc2\x9b"
                              "1m") == "a\\xC2\\x9B1m");
  CHECK(grade::printable_name("é") == "é");
}

TEST_CASE("a name for a file holds nothing that a shell or a file system takes for something else") {
  CHECK(grade::file_name_of("anna_2-b.c") == "anna_2-b.c");
  CHECK(grade::file_name_of("-rf") == "%2Drf");
  CHECK(grade::file_name_of(".dot") == "%2Edot");
  CHECK(grade::file_name_of("a b\n\"'%") == "a%20b%0A%22%27%25");
  const std::string one = grade::file_name_of(std::string(255, 'a')),
                    other = grade::file_name_of(std::string(254, 'a'));
  CHECK(one.size() == 120);
  CHECK(one != other);
}

TEST_CASE("a cell is quoted by RFC 4180 and never a formula") {
  CHECK(grade::csv_cell("anna") == "anna");
  CHECK(grade::csv_cell("a,b") == "\"a,b\"");
  CHECK(grade::csv_cell("a \"b\"") == "\"a \"\"b\"\"\"");
  CHECK(grade::csv_cell("a\nb") == "\"a\nb\"");
  CHECK(grade::csv_cell("=1+1") == "'=1+1");
  CHECK(grade::csv_cell("+1") == "'+1");
  CHECK(grade::csv_cell("-1") == "'-1");
  CHECK(grade::csv_cell("@a") == "'@a");
  CHECK(grade::csv_cell("\t=1") == "'\t=1");
  CHECK(grade::csv_cell("=a,b") == "\"'=a,b\"");
  CHECK(grade::csv_cell("a=b") == "a=b");
  CHECK(grade::csv_cell("").empty());
}
