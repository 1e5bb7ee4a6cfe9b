// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as linear maps over F2: from the bits of named input dimensions (register, lane, wave; or offset)
// to the bits of the coordinates of a tile. Background: "Linear Layouts: Robust Code Generation of Efficient
// Tensor Computation Using F2" (2025). A basis vector says where one input bit lands; the image of an input
// is the xor of its bits' basis vectors.
#ifndef LOWP_LAYOUT_LINEARLAYOUT_H
#define LOWP_LAYOUT_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace lowp {

class LinearLayout {
public:
  /// One input dimension: its name and, per input bit from the lowest, the output coordinates it contributes.
  struct Input {
    std::string name;
    std::vector<std::vector<int32_t>> bases; // [bit][output dimension]
    bool operator==(const Input &o) const { return name == o.name && bases == o.bases; }
    bool operator!=(const Input &o) const { return !(*this == o); }
  };

  LinearLayout() = default;
  /// `outSizes` are powers of two whose logarithms sum to at most 64, and so do the input bits; every basis
  /// coordinate lies inside them. An input without bits is an input of size 1; it stays in the list.
  LinearLayout(std::vector<Input> inputs, std::vector<int32_t> outSizes);

  /// size consecutive inputs to size consecutive coordinates of output dimension `dim` of `rank`.
  static LinearLayout identity(llvm::StringRef input, int32_t size, unsigned dim, unsigned rank);
  /// size inputs that all land on coordinate 0: copies.
  static LinearLayout zeros(llvm::StringRef input, int32_t size, unsigned rank);

  unsigned rank() const { return outSizes_.size(); }
  llvm::ArrayRef<int32_t> outSizes() const { return outSizes_; }
  llvm::ArrayRef<Input> inputs() const { return inputs_; }
  bool hasInput(llvm::StringRef name) const;
  /// log2 of the size of input `name`; 0 when there is none.
  unsigned inputBits(llvm::StringRef name) const;
  int32_t inputSize(llvm::StringRef name) const { return 1 << inputBits(name); }
  llvm::ArrayRef<int32_t> basis(llvm::StringRef input, unsigned bit) const;

  /// Image of one point, given as (input name, value) pairs; inputs not named are 0.
  llvm::SmallVector<int32_t> apply(llvm::ArrayRef<std::pair<llvm::StringRef, int32_t>> point) const;

  /// Direct sum: the inputs of *this* take the low bits, `outer`'s bits follow; per output dimension sizes
  /// multiply. Both have the same rank.
  LinearLayout operator*(const LinearLayout &outer) const;
  /// The layout that times `inner` gives *this*: inner * q == *this*; nothing if there is none. An input that
  /// `inner` uses up is not in q.
  std::optional<LinearLayout> divideLeft(const LinearLayout &inner) const;
  /// outer(this(x)): `outer` has one input per output dimension of *this*, in order, at least as large.
  LinearLayout compose(const LinearLayout &outer) const;
  /// A right inverse: this(inverse(y)) == y, with as few input bits used as can be, the earlier ones first.
  /// One input of the inverse per output dimension, named `outNames`; one output dimension per input, in
  /// order. Nothing if *this* is not surjective.
  std::optional<LinearLayout> invert(llvm::ArrayRef<std::string> outNames) const;
  /// The map from *this* layout's inputs to `to`'s inputs that keeps every element where it is: to(c(x)) ==
  /// this(x). One output dimension per input of `to`, in order; where `to` holds copies, the one in its
  /// earlier bits. Nothing if `to` does not hold all that *this* does, or the shapes differ.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &to) const;

  bool isSurjective() const;
  bool isInjective() const;
  bool isIdentity() const; ///< one input dimension per output dimension, each mapping its bits to itself

  LinearLayout withoutInput(llvm::StringRef name) const;
  /// Drops output dimension `dim`; bits that moved along it alone become copies.
  LinearLayout sliceOutput(unsigned dim) const;

  bool operator==(const LinearLayout &o) const { return inputs_ == o.inputs_ && outSizes_ == o.outSizes_; }
  bool operator!=(const LinearLayout &o) const { return !(*this == o); }
  /// {register = [[0, 1], [0, 2]], lane = [[1, 0]]} -> [2, 4]
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  std::vector<Input> inputs_;
  std::vector<int32_t> outSizes_;
};

} // namespace lowp

#endif // LOWP_LAYOUT_LINEARLAYOUT_H
