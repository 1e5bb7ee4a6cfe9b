// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One task computes one block of the result: it decodes panels of A and B over a piece of k into doubles and
// adds their products, k by k, with an inner loop over columns that any compiler vectorises. Panels are sized
// for a 1 MB second-level cache. Decoding costs one table look-up (8 bits and less) or one decode() per
// element and panel.
#include "lowp/Numerics/Reference.h"
#include "lowp/Numerics/Fill.h"

#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace lowp;

namespace {

constexpr size_t rowBlock = 128, colBlock = 256, kBlock = 256;

/// Decodes pieces of one batch of a matrix into doubles.
class Decoder {
public:
  Decoder(const MatrixView &view, int64_t batch)
      : layout(view.layout), table(decodeTable(view.layout.format)),
        data(view.data + (view.layout.batches == 1 ? 0 : batch) * view.layout.batchBits / 8),
        firstBit((view.layout.batches == 1 ? 0 : batch) * view.layout.batchBits % 8) {
    // Decoding every 16-bit code once pays when there are more elements than codes.
    constexpr uint32_t codes = 1 << 16;
    if (bitWidth(layout.format) == 16 && layout.rows * layout.cols > codes) {
      wideTable.reserve(codes);
      for (uint32_t code = 0; code < codes; ++code)
        wideTable.push_back(static_cast<float>(decode(layout.format, code)));
      table = wideTable;
    }
  }

  /// out[i * stride + j] = element (rows[i], cols[j]), visited along the dimension that is contiguous in
  /// memory.
  void decodePiece(llvm::ArrayRef<int64_t> rows, llvm::ArrayRef<int64_t> cols, double *out,
                   size_t stride) const {
    if (std::abs(layout.colBits) <= std::abs(layout.rowBits)) {
      for (size_t i = 0; i < rows.size(); ++i)
        for (size_t j = 0; j < cols.size(); ++j)
          out[i * stride + j] = value(rows[i], cols[j]);
      return;
    }
    for (size_t j = 0; j < cols.size(); ++j)
      for (size_t i = 0; i < rows.size(); ++i)
        out[i * stride + j] = value(rows[i], cols[j]);
  }

private:
  double value(int64_t row, int64_t col) const {
    int64_t bit = firstBit + row * layout.rowBits + col * layout.colBits;
    uint32_t code = bitWidth(layout.format) == 8 ? data[bit / 8] : loadCodeAtBit(layout.format, data, bit);
    return table.empty() ? decode(layout.format, code) : double(table[code]);
  }

  const MatrixLayout &layout;
  llvm::ArrayRef<float> table;
  std::vector<float> wideTable;
  const uint8_t *data;
  int64_t firstBit;
};

/// sums[j] += a * b[j] and magnitudes[j] += |a * b[j]|.
void multiplyAdd(double a, const double *__restrict b, double *__restrict sums, double *__restrict magnitudes,
                 size_t count) {
  for (size_t j = 0; j < count; ++j) {
    double product = a * b[j];
    sums[j] += product;
    magnitudes[j] += std::fabs(product);
  }
}

void computeBlock(const Decoder &a, const Decoder &b, int64_t k, llvm::ArrayRef<int64_t> rows,
                  llvm::ArrayRef<int64_t> cols, double *sums, double *magnitudes, size_t stride) {
  std::vector<double> aPanel(rows.size() * kBlock), bPanel(kBlock * cols.size());
  std::vector<int64_t> depths;
  for (int64_t k0 = 0; k0 < k; k0 += kBlock) {
    depths.resize(std::min<int64_t>(kBlock, k - k0));
    std::iota(depths.begin(), depths.end(), k0);
    a.decodePiece(rows, depths, aPanel.data(), kBlock);
    b.decodePiece(depths, cols, bPanel.data(), cols.size());
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t p = 0; p < depths.size(); ++p)
        multiplyAdd(aPanel[i * kBlock + p], &bPanel[p * cols.size()], sums + i * stride,
                    magnitudes + i * stride, cols.size());
  }
}

} // namespace

// verification_v1
Sums lowp::referenceMatmul(const MatrixView &a, const MatrixView &b, llvm::ArrayRef<int64_t> rows,
                           llvm::ArrayRef<int64_t> cols, int64_t batch, unsigned threads) {
  Sums result;
  result.rows = rows.size();
  result.cols = cols.size();
  result.sum.assign(rows.size() * cols.size(), 0.0);
  result.absSum.assign(rows.size() * cols.size(), 0.0);

  Decoder aDecoder(a, batch), bDecoder(b, batch);
  int64_t k = std::min(a.layout.cols, b.layout.rows);
  auto block = [&](size_t i, size_t j) {
    size_t first = i * cols.size() + j;
    computeBlock(aDecoder, bDecoder, k, rows.slice(i, std::min(rowBlock, rows.size() - i)),
                 cols.slice(j, std::min(colBlock, cols.size() - j)), &result.sum[first],
                 &result.absSum[first], cols.size());
  };

  bool single = threads <= 1 || (rows.size() <= rowBlock && cols.size() <= colBlock);
  if (single) {
    for (size_t i = 0; i < rows.size(); i += rowBlock)
      for (size_t j = 0; j < cols.size(); j += colBlock)
        block(i, j);
    return result;
  }
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (size_t i = 0; i < rows.size(); i += rowBlock)
    for (size_t j = 0; j < cols.size(); j += colBlock)
      pool.async([&block, i, j] { block(i, j); });
  pool.wait();
  return result;
}

Sums lowp::referenceMatmulAll(const MatrixView &a, const MatrixView &b, int64_t batch, unsigned threads) {
  return referenceMatmul(a, b, allIndices(a.layout.rows), allIndices(b.layout.cols), batch, threads);
}

std::vector<int64_t> lowp::allIndices(int64_t extent) {
  std::vector<int64_t> indices(std::max<int64_t>(extent, 0));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

// verification_v2
std::vector<int64_t> lowp::sampleIndices(int64_t extent, int64_t tile, unsigned random, uint64_t seed) {
  std::vector<int64_t> indices;
  if (extent <= 0)
    return indices;
  for (int64_t first = 0; first < extent; first += std::max<int64_t>(tile, 1)) {
    indices.push_back(first);
    indices.push_back(std::min(first + std::max<int64_t>(tile, 1), extent) - 1);
  }
  for (unsigned i = 0; i < random; ++i)
    indices.push_back(int64_t(hashWord(seed, i) % uint64_t(extent)));
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}
