// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A manifest with one of everything, for the tests: variants with and without conditions, two launches, a
// workspace, a scalar of each kind, names that C does not allow.
#ifndef LOWP_UNITTESTS_CODEOBJECT_MANIFESTSAMPLE_H
#define LOWP_UNITTESTS_CODEOBJECT_MANIFESTSAMPLE_H

#include "lowp/CodeObject/Manifest.h"

namespace lowp {

inline Argument sampleArgument(Argument::Kind kind, llvm::StringRef name, llvm::StringRef type,
                               std::vector<int64_t> shape, unsigned offset, unsigned size) {
  Argument argument;
  argument.kind = kind;
  argument.name = name.str();
  argument.type = type.str();
  argument.shape = std::move(shape);
  argument.offset = offset;
  argument.size = size;
  return argument;
}

/// Arguments a (strided), alpha, default (a float8 scalar), result, a.0, a.stride.0, n, workspace.
inline Manifest sampleManifest() {
  using Kind = Argument::Kind;
  Expr a = symbolExpr("a"), m = symbolExpr("a.0"), lda = symbolExpr("a.stride.0"), n = symbolExpr("n");
  Expr cus = symbolExpr("cus");
  Entry entry;
  entry.name = "gemm";
  entry.problem = "matmul f8E4M3FN \"x\" \\ ?x64";
  entry.arguments = {sampleArgument(Kind::Input, "a", "f8E4M3FN", {-1, 64}, 0, 8),
                     sampleArgument(Kind::Scalar, "alpha", "f32", {}, 8, 4),
                     sampleArgument(Kind::Scalar, "default", "f8E4M3FN", {}, 12, 1),
                     sampleArgument(Kind::Result, "result", "bf16", {-1, 8}, 16, 8),
                     sampleArgument(Kind::Dimension, "a.0", "i32", {}, 24, 4),
                     sampleArgument(Kind::Stride, "a.stride.0", "i64", {}, 32, 8),
                     sampleArgument(Kind::Scalar, "n", "i16", {}, 40, 2),
                     sampleArgument(Kind::Workspace, "workspace", "", {}, 48, 8)};
  entry.arguments[0].strided = true;
  entry.conditions = {{mod(a, constantExpr(4)), true, "a must be aligned to 4 bytes"},
                      {m - constantExpr(1), false, "M must be at least 1"},
                      {constantExpr(int64_t(1) << 40) - m * lda, false, "A must be below 2^40 elements"}};

  Variant large;
  large.name = "large";
  large.schedule = "#lowp.schedule<tile = 256x256x128, waves = 8>";
  large.conditions = {{mod(a, constantExpr(16)), true, "a must be aligned to 16 bytes"},
                      {mod(m, constantExpr(256)), true, "M must be a multiple of 256"},
                      {mod(lda, constantExpr(16)), true, "the stride of A must be a multiple of 16"}};
  Launch launch;
  launch.kernel = "gemm_large";
  launch.grid[0] = ceilDiv(m, constantExpr(256)) * ceilDiv(n, constantExpr(256));
  launch.grid[1] = constantExpr(1);
  launch.grid[2] = constantExpr(1);
  launch.block[0] = 512;
  launch.dynamicLds = 1024;
  launch.vgprs = 224;
  launch.agprs = 128;
  launch.sgprs = 40;
  launch.lds = 131072;
  launch.scratch = 1;
  launch.vgprSpills = 2;
  launch.sgprSpills = 3;
  large.launches = {launch};

  Variant skinny;
  skinny.name = "skinny";
  skinny.conditions = {{constantExpr(16) - m, false, "M must be at most 16"}};
  launch.kernel = "gemm_skinny";
  launch.grid[0] = n;
  launch.grid[1] = cus;
  launch.block[0] = 64;
  launch.block[1] = 2;
  Launch merge = launch;
  merge.kernel = "gemm_merge";
  merge.grid[1] = constantExpr(3);
  skinny.launches = {launch, merge};
  skinny.workspaceBytes = m * n * cus * constantExpr(4);

  Variant any;
  any.name = "any";
  launch.kernel = "gemm_any";
  launch.grid[0] = ceilDiv(m, constantExpr(7));
  launch.grid[1] = constantExpr(1);
  any.launches = {launch};

  entry.variants = {large, skinny, any};
  Entry other = entry;
  other.name = "other entry */ \"quoted\"";
  other.variants.erase(other.variants.begin() + 2);

  Manifest manifest;
  manifest.compiler = "lowp 0.1.0 (LLVM 22.1.8)";
  manifest.target = "gfx950";
  manifest.inputHash = "0123456789abcdef";
  manifest.entries = {entry, other};
  return manifest;
}

} // namespace lowp

#endif // LOWP_UNITTESTS_CODEOBJECT_MANIFESTSAMPLE_H
