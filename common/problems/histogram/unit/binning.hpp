// SPDX-License-Identifier: MIT
// The three ways to sort bytes into bins. A kernel is a template over one of these types.
#pragma once

#ifdef __CUDACC__
#define HISTOGRAM_HOST_DEVICE __host__ __device__
#else
#define HISTOGRAM_HOST_DEVICE
#endif

// Each binning offers
//   bins           how many bins there are
//   bin_of(byte)   the bin of a byte, 0 <= bin < bins, or -1 for a byte that is not counted
//   name           what `--binning` calls it

// Four letters a bin: a-d e-h i-l m-p q-t u-x y-z. The last bin is only two letters wide, so '{' and '|',
// which follow 'z', are not in it. (PMPP, figure 9.1)
struct Letters4 {
  static constexpr int bins = 7;
  static constexpr const char* name = "letters4";
  HISTOGRAM_HOST_DEVICE static constexpr int bin_of(unsigned char byte) {
    return byte >= 'a' && byte <= 'z' ? (byte - 'a') / 4 : -1;
  }
};

// One bin a lower-case letter.
struct Letters {
  static constexpr int bins = 26;
  static constexpr const char* name = "letters";
  HISTOGRAM_HOST_DEVICE static constexpr int bin_of(unsigned char byte) {
    return byte >= 'a' && byte <= 'z' ? byte - 'a' : -1;
  }
};

// One bin a byte value, as for the grey levels of an image. Every byte is counted.
struct Bytes {
  static constexpr int bins = 256;
  static constexpr const char* name = "bytes";
  HISTOGRAM_HOST_DEVICE static constexpr int bin_of(unsigned char byte) { return byte; }
};
