// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra of LinearLayout. Coordinates are concatenated into one word (dimension 0 lowest) where linear
// systems are solved; everything else works on the basis vectors as they are. Preconditions are those of the
// header; the layouts come from our own constructions or from verified attributes.

#include "lowp/Layout/LinearLayout.h"

#include "LinearMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace lowp;

using Bases = std::vector<std::vector<int32_t>>;

static std::vector<int32_t> zeroVector(size_t rank) { return std::vector<int32_t>(rank, 0); }

static void addInto(llvm::MutableArrayRef<int32_t> sum, llvm::ArrayRef<int32_t> basis) {
  for (auto [s, b] : llvm::zip_equal(sum, basis))
    s ^= b;
}

/// Concatenates coordinates into one word, and cuts a word into coordinates.
static uint64_t pack(llvm::ArrayRef<int32_t> coords, llvm::ArrayRef<int32_t> sizes) {
  uint64_t word = 0;
  unsigned shift = 0;
  for (auto [coord, size] : llvm::zip_equal(coords, sizes)) {
    word |= uint64_t(coord) << shift;
    shift += llvm::Log2_32(size);
  }
  return word;
}
static std::vector<int32_t> unpack(uint64_t word, llvm::ArrayRef<int32_t> sizes) {
  std::vector<int32_t> coords;
  for (int32_t size : sizes) {
    coords.push_back(word & uint64_t(size - 1));
    word >>= llvm::Log2_32(size);
  }
  return coords;
}

static llvm::SmallVector<uint64_t> columns(const LinearLayout &layout) {
  llvm::SmallVector<uint64_t> result;
  for (const LinearLayout::Input &input : layout.inputs())
    for (const std::vector<int32_t> &basis : input.bases)
      result.push_back(pack(basis, layout.outSizes()));
  return result;
}

static std::vector<int32_t> inputSizes(const LinearLayout &layout) {
  std::vector<int32_t> sizes;
  for (const LinearLayout::Input &input : layout.inputs())
    sizes.push_back(1 << input.bases.size());
  return sizes;
}

static const LinearLayout::Input *findInput(llvm::ArrayRef<LinearLayout::Input> inputs,
                                            llvm::StringRef name) {
  const auto *it =
      llvm::find_if(inputs, [&](const LinearLayout::Input &input) { return input.name == name; });
  return it == inputs.end() ? nullptr : it;
}

LinearLayout::LinearLayout(std::vector<Input> inputs, std::vector<int32_t> outSizes)
    : inputs_(std::move(inputs)), outSizes_(std::move(outSizes)) {
  assert(llvm::all_of(outSizes_, [](int32_t size) { return size > 0 && llvm::isPowerOf2_32(size); }));
  assert(llvm::all_of(inputs_, [&](const Input &input) {
    return llvm::all_of(input.bases, [&](const std::vector<int32_t> &basis) {
      return basis.size() == outSizes_.size() && llvm::all_of(llvm::zip(basis, outSizes_), [](auto pair) {
               return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair);
             });
    });
  }));
}

LinearLayout LinearLayout::identity(llvm::StringRef input, int32_t size, unsigned dim, unsigned rank) {
  Bases bases;
  for (int32_t bit = 1; bit < size; bit <<= 1) {
    bases.push_back(zeroVector(rank));
    bases.back()[dim] = bit;
  }
  std::vector<int32_t> outSizes(rank, 1);
  outSizes[dim] = size;
  return LinearLayout({{input.str(), std::move(bases)}}, std::move(outSizes));
}

LinearLayout LinearLayout::zeros(llvm::StringRef input, int32_t size, unsigned rank) {
  return LinearLayout({{input.str(), Bases(llvm::Log2_32(size), zeroVector(rank))}},
                      std::vector<int32_t>(rank, 1));
}

bool LinearLayout::hasInput(llvm::StringRef name) const { return findInput(inputs_, name); }

unsigned LinearLayout::inputBits(llvm::StringRef name) const {
  const Input *input = findInput(inputs_, name);
  return input ? input->bases.size() : 0;
}

llvm::ArrayRef<int32_t> LinearLayout::basis(llvm::StringRef name, unsigned bit) const {
  return findInput(inputs_, name)->bases[bit];
}

llvm::SmallVector<int32_t>
LinearLayout::apply(llvm::ArrayRef<std::pair<llvm::StringRef, int32_t>> point) const {
  llvm::SmallVector<int32_t> image(rank(), 0);
  for (auto [name, value] : point)
    if (const Input *input = findInput(inputs_, name))
      for (auto [bit, basis] : llvm::enumerate(input->bases))
        if (value >> bit & 1)
          addInto(image, basis);
  return image;
}

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  assert(rank() == outer.rank());
  std::vector<Input> inputs = inputs_;
  std::vector<int32_t> outSizes = outSizes_;
  for (auto [size, outerSize] : llvm::zip_equal(outSizes, outer.outSizes_))
    size *= outerSize;
  for (const Input &input : outer.inputs_) {
    auto it = llvm::find_if(inputs, [&](const Input &mine) { return mine.name == input.name; });
    if (it == inputs.end())
      it = inputs.insert(inputs.end(), {input.name, {}});
    for (std::vector<int32_t> basis : input.bases) {
      for (auto [coord, innerSize] : llvm::zip_equal(basis, outSizes_))
        coord *= innerSize;
      it->bases.push_back(std::move(basis));
    }
  }
  return LinearLayout(std::move(inputs), std::move(outSizes));
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &inner) const {
  if (rank() != inner.rank())
    return std::nullopt;
  std::vector<int32_t> outSizes = outSizes_;
  for (auto [size, innerSize] : llvm::zip_equal(outSizes, inner.outSizes_)) {
    if (size % innerSize != 0)
      return std::nullopt;
    size /= innerSize;
  }
  std::vector<Input> inputs;
  for (const Input &input : inputs_) {
    unsigned used = inner.inputBits(input.name);
    if (used > input.bases.size())
      return std::nullopt;
    if (used == input.bases.size() && inner.hasInput(input.name))
      continue;
    Bases bases(input.bases.begin() + used, input.bases.end());
    for (std::vector<int32_t> &basis : bases)
      for (auto [coord, innerSize] : llvm::zip_equal(basis, inner.outSizes_)) {
        if (coord % innerSize != 0)
          return std::nullopt;
        coord /= innerSize;
      }
    inputs.push_back({input.name, std::move(bases)});
  }
  LinearLayout quotient(std::move(inputs), std::move(outSizes));
  // The low bits, and the order of the inputs, have yet to be those of `inner`.
  if (inner * quotient != *this)
    return std::nullopt;
  return quotient;
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  assert(outer.inputs_.size() == rank());
  std::vector<Input> inputs;
  for (const Input &input : inputs_) {
    Bases bases;
    for (const std::vector<int32_t> &basis : input.bases) {
      std::vector<int32_t> image = zeroVector(outer.rank());
      for (auto [coord, outerInput] : llvm::zip_equal(basis, outer.inputs_))
        for (auto [bit, outerBasis] : llvm::enumerate(outerInput.bases))
          if (coord >> bit & 1)
            addInto(image, outerBasis);
      bases.push_back(std::move(image));
    }
    inputs.push_back({input.name, std::move(bases)});
  }
  return LinearLayout(std::move(inputs), outer.outSizes_);
}

std::optional<LinearLayout> LinearLayout::invert(llvm::ArrayRef<std::string> outNames) const {
  assert(outNames.size() == rank());
  std::vector<Input> coordinates;
  for (auto [dim, name] : llvm::enumerate(outNames)) {
    Bases bases;
    for (int32_t bit = 1; bit < outSizes_[dim]; bit <<= 1) {
      bases.push_back(zeroVector(rank()));
      bases.back()[dim] = bit;
    }
    coordinates.push_back({name, std::move(bases)});
  }
  return LinearLayout(std::move(coordinates), outSizes_).invertAndCompose(*this);
}

std::optional<LinearLayout> LinearLayout::invertAndCompose(const LinearLayout &to) const {
  if (outSizes_ != to.outSizes_)
    return std::nullopt;
  LinearMap map(columns(to));
  std::vector<int32_t> sizes = inputSizes(to);
  std::vector<Input> inputs;
  for (const Input &input : inputs_) {
    Bases bases;
    for (const std::vector<int32_t> &basis : input.bases) {
      std::optional<uint64_t> preimage = map.solve(pack(basis, outSizes_));
      if (!preimage)
        return std::nullopt;
      bases.push_back(unpack(*preimage, sizes));
    }
    inputs.push_back({input.name, std::move(bases)});
  }
  return LinearLayout(std::move(inputs), std::move(sizes));
}

bool LinearLayout::isSurjective() const {
  unsigned bits = 0;
  for (int32_t size : outSizes_)
    bits += llvm::Log2_32(size);
  return LinearMap(columns(*this)).rank() == bits;
}

bool LinearLayout::isInjective() const {
  llvm::SmallVector<uint64_t> all = columns(*this);
  return LinearMap(all).rank() == all.size();
}

bool LinearLayout::isIdentity() const {
  if (inputs_.size() != rank())
    return false;
  for (auto [dim, input] : llvm::enumerate(inputs_)) {
    LinearLayout wanted = identity(input.name, outSizes_[dim], dim, rank());
    if (input != wanted.inputs_.front())
      return false;
  }
  return true;
}

LinearLayout LinearLayout::withoutInput(llvm::StringRef name) const {
  std::vector<Input> inputs = inputs_;
  llvm::erase_if(inputs, [&](const Input &input) { return input.name == name; });
  return LinearLayout(std::move(inputs), outSizes_);
}

LinearLayout LinearLayout::sliceOutput(unsigned dim) const {
  std::vector<Input> inputs = inputs_;
  for (Input &input : inputs)
    for (std::vector<int32_t> &basis : input.bases)
      basis.erase(basis.begin() + dim);
  std::vector<int32_t> outSizes = outSizes_;
  outSizes.erase(outSizes.begin() + dim);
  return LinearLayout(std::move(inputs), std::move(outSizes));
}

void LinearLayout::print(llvm::raw_ostream &os) const {
  os << '{';
  llvm::interleaveComma(inputs_, os, [&](const Input &input) {
    os << input.name << " = [";
    llvm::interleaveComma(input.bases, os, [&](const std::vector<int32_t> &basis) {
      os << '[';
      llvm::interleaveComma(basis, os);
      os << ']';
    });
    os << ']';
  });
  os << "} -> [";
  llvm::interleaveComma(outSizes_, os);
  os << ']';
}

std::string LinearLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
