// SPDX-License-Identifier: MIT
#include "report/numbers.hpp"

#include <doctest/doctest.h>

using namespace report;

TEST_CASE("numbers have three digits, and never an exponent where they are large") {
  CHECK(number_text(0.0066444) == "0.00664");
  CHECK(number_text(92.81) == "92.8");
  CHECK(number_text(999.4) == "999");
  CHECK(number_text(999.6) == "1,000");
  CHECK(number_text(1071.6) == "1,072");
  CHECK(number_text(-1234567) == "-1,234,567");
  CHECK(number_text(0) == "0");
  CHECK(time_text(1.2044) == "1.204");
}

TEST_CASE("bytes are told in the largest unit in which they are whole") {
  CHECK(bytes_text(1) == "1 byte");
  CHECK(bytes_text(1023) == "1,023 bytes");
  CHECK(bytes_text(65536) == "64 KiB");
  CHECK(bytes_text(1048579) == "1,048,579 bytes");
  CHECK(bytes_text(std::uint64_t{4} << 30) == "4 GiB");
  CHECK(bytes_text(std::uint64_t{2} << 40) == "2,048 GiB");
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(short_number(16384) == "16 Ki");
  CHECK(short_number(132) == "132");
}

TEST_CASE("large numbers have prefixes of the SI, durations the unit that fits") {
  CHECK(si_text(999.4) == "999");
  CHECK(si_text(999.6) == "1 k");
  CHECK(si_text(4194304) == "4.19 M");
  CHECK(si_text(2.5e10) == "25 G");
  CHECK(si_text(0.0312) == "0.0312");
  CHECK(si_text(0) == "0");
  CHECK(si_text(-131072) == "-131 k");
  CHECK(duration_text(1234) == "1.23 s");
  CHECK(duration_text(999.6) == "1 s");
  CHECK(duration_text(194.1) == "194 ms");
  CHECK(duration_text(0.23184) == "232 µs");
  CHECK(duration_text(0.23184, 4) == "231.8 µs");
  CHECK(duration_text(0.00054) == "540 ns");
}

TEST_CASE("throughputs, shares and differences have their units") {
  CHECK(throughput_text(5.531) == "5.53 GB/s");
  CHECK(throughput_text(999.9) == "1.00 TB/s");
  CHECK(throughput_text(4556.5) == "4.56 TB/s");
  CHECK(share_text(0.00121) == "0.12 %");
  CHECK(share_text(0.788) == "78.8 %");
  CHECK(difference_text(7, 7) == "equal");
  CHECK(difference_text(103, 100) == "+3 %");
  CHECK(difference_text(99.98, 100) == "-0.02 %");
  CHECK(difference_text(1, 0) == "not 0");
}
