// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_LOWP_ATTRS
#define LOWP_LOWP_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "lowp/Dialect/Lowp/IR/LowpDialect.td"

class Lowp_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Lowp_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===-- Storage ------------------------------------------------------------------------------------------------------===//

def Lowp_StorageOrder : I32EnumAttr<"StorageOrder", "how the elements of a tensor lie in memory", [
    I32EnumAttrCase<"Strided", 0, "strided">]> {
  let cppNamespace = "::lowp";
  let genSpecializedAttr = 0;
}

def Lowp_StorageAttr : Lowp_Attr<"Storage", "storage", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "how a tensor lies in memory";
  let description = [{
    The encoding of a tensor that is an argument or a result of an entry. `strided`: each dimension but the innermost has a
    stride, which the caller passes; the elements of the innermost one follow each other. A tensor without this encoding is
    packed and row-major.

    ```mlir
    func.func @f(%a: tensor<?x64xbf16, #lowp.storage<strided>>)
    ```
  }];
  let parameters = (ins EnumParameter<Lowp_StorageOrder>:$order);
  let assemblyFormat = "`<` $order `>`";
  let extraClassDeclaration = [{
    /// Whether `type` is a tensor with strides of its own.
    static bool isStrided(::mlir::Type type);
  }];
}

//===-- Conversions --------------------------------------------------------------------------------------------------===//

def Lowp_RoundingModeAttr : I32EnumAttr<"RoundingMode", "which neighbour a value between two numbers becomes", [
    I32EnumAttrCase<"NearestEven", 0, "nearest_even">]> {
  let cppNamespace = "::lowp";
}

def Lowp_OverflowModeAttr : I32EnumAttr<"OverflowMode", "what a value beyond the largest number becomes", [
    I32EnumAttrCase<"Saturate", 0, "saturate">,
    I32EnumAttrCase<"Native", 1, "native">]> {
  let cppNamespace = "::lowp";
  let description = [{
    `saturate`: the largest number of its sign, infinity included. `native`: infinity, or NaN where the type has none, or
    the largest number where it has neither.
  }];
}

//===-- Schedules ----------------------------------------------------------------------------------------------------===//

def Lowp_StagingAttr : I32EnumAttr<"Staging", "the way of the operands to the matrix cores", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Direct", 2, "direct">]> {
  let cppNamespace = "::lowp";
  let genSpecializedAttr = 0;
  let description = [{
    `none`: straight into the registers that use them; `registers`: through registers into LDS; `direct`: by LDS-DMA into LDS.
  }];
}

def Lowp_OrderAttr : I32EnumAttr<"Order", "how the instructions of a loop are ordered", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"Interleave", 1, "interleave">,
    I32EnumAttrCase<"PingPong", 2, "pingpong">]> {
  let cppNamespace = "::lowp";
  let genSpecializedAttr = 0;
  let description = [{
    `plain`: all of a step's memory accesses, then its products; `interleave`: each product has the accesses that later ones need
    between its matrix instructions; `pingpong`: the halves of the workgroup take turns, one with the accesses for its next product, one
    with the matrix instructions of a product.
  }];
}

def Lowp_ScheduleAttr : Lowp_Attr<"Schedule", "schedule"> {
  let summary = "how one variant of an operation is computed, and when it may be";
  let description = [{
    Fields, in any order; those with a default may be left out.

    - `name` (default `custom`): names the variant and its kernel.
    - `tile = [m, n, k]`: what one workgroup computes in one step (each wave of a K split takes a `k` of its own); powers of two.
    - `waves = [m, n, k]`: how the waves share the tile; `k` > 1 splits K over waves. Powers of two.
    - `instruction = [m, n, k]`: the matrix instruction.
    - `parts = [m, n]` (`[1, 1]`): the tile is computed in so many products, each of rows and columns of its own, whose operands
      have LDS of their own. Powers of two; all waves take part in each product.
    - `steps` (1): steps of K in one trip of the loop. A power of two.
    - `order` (`plain`): `plain`, `interleave` or `pingpong`.
    - `stages` (1): steps of K that LDS holds; with `staging = none`, that registers hold. A multiple of `steps` in an order other
      than `plain`.
    - `staging` (`none`): `none`, `registers` or `direct`.
    - `access` (0): bytes that one lane moves at once from A and B, 0 for one element. The variant needs pointers, row strides
      and innermost sizes that are multiples of it.
    - `result_access` (0): the same for the result and for captures of its rank. Where the sums' layout gives a lane less of a row,
      results go through LDS.
    - `whole_k` (false): K must be a multiple of the tile's k times the waves' k times `steps`.
    - `rows = [lo, hi]` (`[1, 0]`): the range of M for which the variant is meant, `hi = 0` for no upper end.
    - `xcds` (1): number of dies over which the order of workgroups is dealt out, 1 for none.
    - `group` (1): rows of tiles that workgroups with neighbouring numbers share.
    - `splits` (1): workgroups that share K, each a whole number of trips. With more than one the variant has two launches: the
      workgroups leave f32 sums of their tiles in a workspace, and a second kernel adds them, in order, and finishes. At most 64.
      `whole_k` then also asks that every one of them has a trip.

    ```mlir
    #lowp.schedule<name = "large", tile = [256, 256, 128], waves = [2, 4, 1], instruction = [16, 16, 128], parts = [2, 2],
                   steps = 2, order = interleave, stages = 2, staging = direct, access = 16, result_access = 16, whole_k = true, rows = [256, 0], xcds = 8, group = 8>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, ArrayRefParameter<"int64_t">:$tile, ArrayRefParameter<"int64_t">:$waves,
      ArrayRefParameter<"int64_t">:$instruction, ArrayRefParameter<"int64_t">:$parts, "int64_t":$steps, "::lowp::Order":$order,
      "int64_t":$stages, "::lowp::Staging":$staging, "int64_t":$access,
      "int64_t":$resultAccess, "bool":$wholeK, "int64_t":$minRows, "int64_t":$maxRows, "int64_t":$xcds, "int64_t":$group, "int64_t":$splits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t waveCount() const { return getWaves()[0] * getWaves()[1] * getWaves()[2]; }
    /// Elements of K that one step takes: the tile's, for every wave group that K is split over.
    int64_t stepDepth() const { return getTile()[2] * getWaves()[2]; }
    /// Elements of K that one trip of the loop takes.
    int64_t tripDepth() const { return stepDepth() * getSteps(); }
  }];
}

#endif // LOWP_LOWP_ATTRS
