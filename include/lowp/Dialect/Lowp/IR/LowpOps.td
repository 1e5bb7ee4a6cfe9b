// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_LOWP_OPS
#define LOWP_LOWP_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "lowp/Dialect/Lowp/IR/LowpAttrs.td"

class Lowp_Op<string mnemonic, list<Trait> traits = []> : Op<Lowp_Dialect, mnemonic, traits>;

def Lowp_ScheduleArray : TypedArrayAttrBase<Lowp_ScheduleAttr, "an array of #lowp.schedule">;

//===-- Products -----------------------------------------------------------------------------------------------------===//

def Lowp_MatmulOp : Lowp_Op<"matmul", [Pure, IsolatedFromAbove, AttrSizedOperandSegments, SingleBlock]> {
  let summary = "a matrix product with scales and an element-wise epilogue";
  let description = [{
    result[m, n] = epilogue(scale_a * scale_b * sum over k of a[m, k] * b[k, n]), exact up to the rounding that
    `docs/spec/matmul.md` bounds.

    `a` is (M, K), or (K, M) under `transpose_a`; `b` is (K, N), or (N, K) under `transpose_b`. Each may have one leading batch
    dimension; one that has none is used for every index of the other's. Scales are `tensor<f32>`, one for the whole operand.

    The epilogue gets the scaled sum as f32, and one scalar per capture. A capture is a scalar, or a tensor whose
    coordinates are chosen from the result's: `%bias[n]`, `%residual[m, n]`, `%s[]`; with a batch the result's are `b, m, n`. In
    the region stand scalar operations without side effects of `arith` and `math`, `lowp.cast` and `lowp.index`. Without an epilogue
    the sum is rounded to the result's element type, to nearest, ties to even.

    `schedules` lists the variants in the order in which they are tried; `lowp-select-schedule` fills it in.

    ```mlir
    %d = lowp.matmul %a, %w transpose_b scale_a(%sa : tensor<f32>)
        : tensor<?x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN> -> tensor<?x6144xbf16>
        epilogue(%acc: f32, %x: bf16 = %bias[n] : tensor<6144xbf16>, %s: f32 = %alpha : f32) {
      %0 = arith.extf %x : bf16 to f32
      %1 = arith.mulf %acc, %s : f32
      %2 = arith.addf %0, %1 : f32
      %3 = arith.truncf %2 : f32 to bf16
      lowp.yield %3 : bf16
    }
    ```

    It does not convert formats: an operand type that the chip lacks is refused by `lowp-select-schedule`.
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, Optional<AnyType>:$scale_a, Optional<AnyType>:$scale_b,
      Variadic<AnyType>:$captures, UnitAttr:$transpose_a, UnitAttr:$transpose_b,
      DefaultValuedAttr<AffineMapArrayAttr, "{}">:$capture_maps, OptionalAttr<Lowp_ScheduleArray>:$schedules);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    (`scale_a` `(` $scale_a^ `:` type($scale_a) `)`)? (`scale_b` `(` $scale_b^ `:` type($scale_b) `)`)?
    (`schedules` `=` $schedules^)? attr-dict `:` type($a) `,` type($b) `->` type($result) ``
    custom<Epilogue>($epilogue, $captures, type($captures), $capture_maps, ref(type($result)))
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getAType() { return ::mlir::cast<::mlir::RankedTensorType>(getA().getType()); }
    ::mlir::RankedTensorType getBType() { return ::mlir::cast<::mlir::RankedTensorType>(getB().getType()); }
    ::mlir::RankedTensorType getResultType() { return ::mlir::cast<::mlir::RankedTensorType>(getResult().getType()); }

    /// The dimension of `a` (of `b`) that is M (N), and the one that is K.
    unsigned getARowDim() { return getAType().getRank() - (getTransposeA() ? 1 : 2); }
    unsigned getADepthDim() { return getAType().getRank() - (getTransposeA() ? 2 : 1); }
    unsigned getBColumnDim() { return getBType().getRank() - (getTransposeB() ? 2 : 1); }
    unsigned getBDepthDim() { return getBType().getRank() - (getTransposeB() ? 1 : 2); }
    /// Whether neighbours along K lie next to each other in memory.
    bool isAContiguousInDepth() { return !getTransposeA(); }
    bool isBContiguousInDepth() { return getTransposeB(); }

    bool hasBatch() { return getResultType().getRank() == 3; }
    /// M, N, K, batch: ShapedType::kDynamic if no type says; the batch is 1 if there is none.
    int64_t getRows();
    int64_t getColumns();
    int64_t getDepth();
    int64_t getBatch();

    /// Null when the epilogue is empty.
    ::mlir::Block *getEpilogueBlock() { return getEpilogue().empty() ? nullptr : &getEpilogue().front(); }
    ::mlir::AffineMap getCaptureMap(unsigned capture) {
      return ::mlir::cast<::mlir::AffineMapAttr>(getCaptureMaps()[capture]).getValue();
    }
    /// Empty when no schedule was chosen.
    ::llvm::SmallVector<::lowp::ScheduleAttr> getScheduleList();
  }];
}

def Lowp_YieldOp : Lowp_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"MatmulOp">]> {
  let summary = "the value of a region";
  let description = [{ ```mlir
    lowp.yield %x : bf16
    ``` }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Lowp_IndexOp : Lowp_Op<"index", [Pure, HasParent<"MatmulOp">]> {
  let summary = "a coordinate of the element that an epilogue computes";
  let description = [{
    Dimensions are the result's: 0 is m and 1 is n, or 0 the batch, 1 m and 2 n.
    ```mlir
    %n = lowp.index 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict";
  let hasVerifier = 1;
}

//===-- Element by element -------------------------------------------------------------------------------------------===//

def Lowp_CastOp : Lowp_Op<"cast", [Pure]> {
  let summary = "conversion to a narrower float type, with rounding and overflow spelled out";
  let description = [{
    From f32, bf16 or f16 to a float type of fewer bits, in one rounding; on a scalar, or on a tensor element by element. NaN
    stays NaN where the type has one.

    ```mlir
    %y = lowp.cast %x rounding(nearest_even) overflow(saturate) : f32 to f8E4M3FN
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyFloat, RankedTensorOf<[AnyFloat]>]>:$source, Lowp_RoundingModeAttr:$rounding,
      Lowp_OverflowModeAttr:$overflow);
  let results = (outs AnyTypeOf<[AnyFloat, RankedTensorOf<[AnyFloat]>]>:$result);
  let assemblyFormat = [{
    $source `rounding` `(` $rounding `)` `overflow` `(` $overflow `)` attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Lowp_BroadcastOp : Lowp_Op<"broadcast", [Pure]> {
  let summary = "repeats a scalar or a tensor along new dimensions";
  let description = [{
    Dimension i of the source is dimension `dims[i]` of the result; the sizes of the others are those of `like`, of which
    nothing else is used. The storage of the result may differ from the source's.

    ```mlir
    %x = lowp.broadcast %bias, %d dims [1] : tensor<6144xbf16>, tensor<?x6144xf32> -> tensor<?x6144xbf16>
    %y = lowp.broadcast %alpha, %d dims [] : f32, tensor<?x6144xf32> -> tensor<?x6144xf32>
    ```
  }];
  let arguments = (ins AnyType:$source, AnyRankedTensor:$like, DenseI64ArrayAttr:$dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `,` $like `dims` $dims attr-dict `:` type($source) `,` type($like) `->` type($result)";
  let hasVerifier = 1;
}

#endif // LOWP_LOWP_OPS
