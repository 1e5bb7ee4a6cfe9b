// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of 64 lanes as memory has them, all dwords of a lane side by side, from and to registers, which
// have one dword of all lanes side by side.
#ifndef LOWP_LIB_SIM_LANEDATA_H
#define LOWP_LIB_SIM_LANEDATA_H

#include <cstdint>
#include <cstring>

namespace lowp::sim {

using FourDwords = uint32_t __attribute__((vector_size(16)));

inline FourDwords loadFour(const void *from) {
  FourDwords x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
inline void storeFour(void *to, FourDwords x) { std::memcpy(to, &x, sizeof(x)); }
inline FourDwords interleaveLow(FourDwords a, FourDwords b) {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
inline FourDwords interleaveHigh(FourDwords a, FourDwords b) {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

/// One side of a transposition of four vectors: two of them make the other side.
inline void transposeFour(FourDwords (&x)[4]) {
  FourDwords low02 = interleaveLow(x[0], x[2]), low13 = interleaveLow(x[1], x[3]);
  FourDwords high02 = interleaveHigh(x[0], x[2]), high13 = interleaveHigh(x[1], x[3]);
  x[0] = interleaveLow(low02, low13);
  x[1] = interleaveHigh(low02, low13);
  x[2] = interleaveLow(high02, high13);
  x[3] = interleaveHigh(high02, high13);
}

/// Memory to registers; `from(lane)` gives the bytes of a lane.
template <unsigned dwords, class From> inline void lanesToRows(From from, uint32_t (*rows)[64]) {
  if constexpr (dwords == 4) {
    for (unsigned lane = 0; lane < 64; lane += 4) {
      FourDwords x[4];
      for (unsigned i = 0; i < 4; ++i)
        x[i] = loadFour(from(lane + i));
      transposeFour(x);
      for (unsigned i = 0; i < 4; ++i)
        storeFour(rows[i] + lane, x[i]);
    }
  } else {
    for (unsigned lane = 0; lane < 64; ++lane) {
      uint32_t data[dwords];
      std::memcpy(data, from(lane), sizeof(data));
      for (unsigned i = 0; i < dwords; ++i)
        rows[i][lane] = data[i];
    }
  }
}

/// Registers to memory.
template <unsigned dwords, class To> inline void rowsToLanes(const uint32_t (*rows)[64], To to) {
  if constexpr (dwords == 4) {
    for (unsigned lane = 0; lane < 64; lane += 4) {
      FourDwords x[4];
      for (unsigned i = 0; i < 4; ++i)
        x[i] = loadFour(rows[i] + lane);
      transposeFour(x);
      for (unsigned i = 0; i < 4; ++i)
        storeFour(to(lane + i), x[i]);
    }
  } else {
    for (unsigned lane = 0; lane < 64; ++lane) {
      uint32_t data[dwords];
      for (unsigned i = 0; i < dwords; ++i)
        data[i] = rows[i][lane];
      std::memcpy(to(lane), data, sizeof(data));
    }
  }
}

} // namespace lowp::sim

#endif // LOWP_LIB_SIM_LANEDATA_H
